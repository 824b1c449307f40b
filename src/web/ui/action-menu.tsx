import { Menu } from '@base-ui/react/menu'
import { Ellipsis, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { buttonClass } from './button.tsx'
import { classNames } from './class-names.ts'

export interface MenuAction {
  readonly label: string
  readonly icon: LucideIcon
  readonly onChoose: () => void
  readonly isDanger?: boolean
  readonly disabled?: boolean
}

/** A menu of further actions, by default behind three dots. */
export function ActionMenu({
  label,
  actions,
  children,
}: {
  readonly label: string
  readonly actions: readonly MenuAction[]
  /** Content of a visible button, instead of the dots. */
  readonly children?: ReactNode
}) {
  return (
    <Menu.Root>
      {children === undefined ? (
        <Menu.Trigger className={classNames(buttonClass('quiet', 'small'), 'px-2')} aria-label={label}>
          <Ellipsis aria-hidden />
        </Menu.Trigger>
      ) : (
        <Menu.Trigger className={buttonClass('secondary', 'small')}>{children}</Menu.Trigger>
      )}
      <Menu.Portal>
        <Menu.Positioner align="end" sideOffset={4} className="z-40">
          <Menu.Popup className="bg-sheet border-line min-w-48 rounded-xl border p-1.5 shadow-xl outline-none">
            {actions.map(({ label: title, icon: Icon, onChoose, isDanger = false, disabled = false }) => (
              <Menu.Item
                key={title}
                onClick={onChoose}
                disabled={disabled}
                className={classNames(
                  'flex cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-1.5 text-sm outline-none data-disabled:cursor-default data-disabled:opacity-55 data-highlighted:bg-raised',
                  isDanger && 'text-bad',
                )}
              >
                <Icon className="size-4 shrink-0" aria-hidden />
                {title}
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
