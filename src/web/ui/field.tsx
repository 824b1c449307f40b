import { Field as BaseField } from '@base-ui/react/field'
import type { ComponentProps, ReactNode } from 'react'
import { classNames } from './class-names.ts'

/** Look of an input, without a width. */
export const INPUT_LOOK =
  'bg-sheet border-edge text-ink placeholder:text-soft block min-h-9.5 max-w-full rounded-lg border px-3 py-1.5 text-sm data-invalid:border-bad disabled:opacity-60'
export const INPUT_CLASS = `${INPUT_LOOK} w-full`

export interface TextFieldProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'ref' | 'about'> {
  readonly label: string
  readonly about?: ReactNode
  /** The error message, if any. */
  readonly problem?: string | undefined
  readonly value: string
  readonly onValue: (value: string) => void
}

/** A labeled text input with description and error, both announced by screen readers. */
export function TextField({ label, about, problem, value, onValue, className, ...rest }: TextFieldProps) {
  return (
    <LabeledField label={label} about={about} problem={problem} className={className}>
      <BaseField.Control
        {...rest}
        value={value}
        onValueChange={(text) => onValue(String(text))}
        className={INPUT_CLASS}
      />
    </LabeledField>
  )
}

/** Label, description and error around a control of `BaseField`. */
export function LabeledField({
  label,
  about,
  problem,
  className,
  children,
}: Pick<TextFieldProps, 'label' | 'about' | 'problem' | 'className'> & { readonly children: ReactNode }) {
  return (
    <BaseField.Root invalid={problem !== undefined} className={classNames('flex flex-col gap-1.5', className)}>
      <BaseField.Label className="text-sm font-medium">{label}</BaseField.Label>
      {children}
      {about !== undefined && (
        <BaseField.Description className="text-soft text-[0.8125rem]">{about}</BaseField.Description>
      )}
      {problem !== undefined && (
        <BaseField.Error match className="text-bad text-[0.8125rem]">
          {problem}
        </BaseField.Error>
      )}
    </BaseField.Root>
  )
}
