import { Field as BaseField } from '@base-ui/react/field'
import { Switch } from '@base-ui/react/switch'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

/** A switch with a label and a description. */
export function SwitchField({
  label,
  about,
  problem,
  checked,
  onChecked,
  disabled = false,
  className,
}: {
  readonly label: string
  readonly about?: ReactNode
  readonly problem?: string | undefined
  readonly checked: boolean
  readonly onChecked: (checked: boolean) => void
  readonly disabled?: boolean
  readonly className?: string
}) {
  return (
    <BaseField.Root
      invalid={problem !== undefined}
      disabled={disabled}
      className={classNames('flex items-start gap-3', className)}
    >
      <Switch.Root
        checked={checked}
        onCheckedChange={(isOn) => onChecked(isOn)}
        className="bg-edge data-checked:bg-accent mt-0.5 flex h-5 w-9 shrink-0 cursor-pointer rounded-full p-0.5 transition-colors data-disabled:cursor-default data-disabled:opacity-55"
      >
        <Switch.Thumb className="bg-sheet size-4 rounded-full shadow transition-transform data-checked:translate-x-4" />
      </Switch.Root>
      <div className="flex min-w-0 flex-col gap-0.5">
        <BaseField.Label className="text-sm font-medium">{label}</BaseField.Label>
        {about !== undefined && (
          <BaseField.Description className="text-soft text-[0.8125rem]">{about}</BaseField.Description>
        )}
        {problem !== undefined && (
          <BaseField.Error match className="text-bad text-[0.8125rem]">
            {problem}
          </BaseField.Error>
        )}
      </div>
    </BaseField.Root>
  )
}
