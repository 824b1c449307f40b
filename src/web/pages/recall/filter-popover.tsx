import { Popover } from '@base-ui/react/popover'
import { Check, ChevronDown } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { classNames } from '../../ui/class-names.ts'

interface FilterPopoverProps {
  /** What is filtered, for screen readers. */
  readonly label: string
  /** The current choice. */
  readonly value: string
  /** Whether it differs from the default. */
  readonly isSet: boolean
  readonly children: (close: () => void) => ReactNode
}

/** A filter as a button with its current value, which opens the choices. */
export function FilterPopover({ label, value, isSet, children }: FilterPopoverProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger
        aria-label={`${label}: ${value}`}
        className={classNames(
          'inline-flex min-h-8 max-w-56 shrink-0 items-center gap-1 rounded-lg border px-2 text-[0.8125rem] font-medium',
          isSet
            ? 'border-accent bg-accent-soft text-accent'
            : 'text-soft hover:text-ink hover:bg-raised data-popup-open:bg-raised border-transparent',
        )}
      >
        <span className="truncate">{value}</span>
        <ChevronDown className="size-3.5 shrink-0" aria-hidden />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner align="start" sideOffset={4} className="z-40">
          <Popover.Popup
            aria-label={label}
            className="bg-sheet border-line max-h-(--available-height) w-64 overflow-y-auto rounded-xl border p-1.5 text-sm shadow-xl outline-none"
          >
            {children(() => setOpen(false))}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}

/** One choice of a filter. */
export function FilterOption({
  isChosen,
  onChoose,
  children,
  aside,
}: {
  readonly isChosen: boolean
  readonly onChoose: () => void
  readonly children: ReactNode
  /** On the right, such as a count. */
  readonly aside?: ReactNode
}) {
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={onChoose}
      className="hover:bg-raised flex min-h-8 w-full items-center gap-2 rounded-md px-2 py-1 text-left"
    >
      <Check className={classNames('size-4 shrink-0', !isChosen && 'opacity-0')} aria-hidden />
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {aside !== undefined && <span className="text-soft shrink-0 text-xs tabular-nums">{aside}</span>}
    </button>
  )
}
