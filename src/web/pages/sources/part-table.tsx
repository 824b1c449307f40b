import type { ReactNode } from 'react'

export const PART_CELL = 'px-3 py-2 text-right tabular-nums align-top whitespace-nowrap'

/** A table of the parts of a source. Scrolls sideways on narrow screens. */
export function PartTable({
  noun,
  columns,
  children,
}: {
  /** The noun for a part. */
  readonly noun: string
  /** Header cells, after the one of the parts. */
  readonly columns: ReactNode
  readonly children: ReactNode
}) {
  return (
    <div className="border-line overflow-x-auto rounded-lg border">
      <table className="w-full text-sm">
        <thead className="bg-raised text-soft text-xs">
          <tr>
            <th className="px-3 py-2 text-left font-medium first-letter:uppercase">{noun}</th>
            {columns}
          </tr>
        </thead>
        {children}
      </table>
    </div>
  )
}
