import type { ReactNode } from 'react'

/** A check box with its label. Group several in a fieldset. */
export function CheckBox({
  children,
  checked,
  onToggle,
  className = 'gap-2',
}: {
  readonly children: ReactNode
  readonly checked: boolean
  readonly onToggle: () => void
  readonly className?: string
}) {
  return (
    <label className={`flex items-center text-sm ${className}`}>
      <input type="checkbox" className="accent-accent size-4 shrink-0" checked={checked} onChange={onToggle} />
      {children}
    </label>
  )
}
