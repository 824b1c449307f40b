import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

/** A radio button with a title and a sentence. Group those of one `name` in a fieldset. */
export function RadioCard({
  name,
  title,
  about,
  checked,
  onChoose,
}: {
  readonly name: string
  readonly title: ReactNode
  readonly about?: ReactNode
  readonly checked: boolean
  readonly onChoose: () => void
}) {
  return (
    <label
      className={classNames(
        'flex cursor-pointer items-start gap-3 rounded-lg border px-3.5 py-3 transition-colors has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent has-disabled:cursor-default has-disabled:opacity-60',
        checked ? 'border-accent bg-accent-soft' : 'border-line bg-sheet hover:border-edge',
      )}
    >
      <input
        type="radio"
        name={name}
        checked={checked}
        onChange={onChoose}
        className="accent-accent mt-1 shrink-0 outline-none"
      />
      <span className="min-w-0">
        <span className="block text-sm font-medium [overflow-wrap:anywhere]">{title}</span>
        {about !== undefined && <span className="text-soft block text-[0.8125rem]">{about}</span>}
      </span>
    </label>
  )
}
