import { classNames } from '../../ui/class-names.ts'
import { insideSentence } from '../../ui/formats.ts'
import { messages } from './messages.ts'

const CELL = 'border-line px-3 py-2 first:pl-0 last:pr-0'
const AMOUNT = `${CELL} text-right whitespace-nowrap tabular-nums`

/** A table of amounts with a total if there are several rows. */
export function TotalsTable({
  first,
  columns,
  rows,
  totals,
}: {
  readonly first: string
  readonly columns: readonly string[]
  readonly rows: readonly { readonly id: string; readonly title: string; readonly cells: readonly string[] }[]
  readonly totals: readonly string[]
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard
    <section tabIndex={0} aria-label={messages.tableBy(insideSentence(first))} className="overflow-x-auto">
      <table className="w-full text-sm">
        <thead>
          <tr className="text-soft">
            <th scope="col" className={classNames(CELL, 'border-b text-left font-medium')}>
              {first}
            </th>
            {columns.map((title) => (
              <th key={title} scope="col" className={classNames(AMOUNT, 'border-b font-medium')}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, title, cells }) => (
            <tr key={id}>
              <th scope="row" className={classNames(CELL, 'min-w-32 border-b text-left font-normal')}>
                <bdi className="[overflow-wrap:anywhere]">{title}</bdi>
              </th>
              {cells.map((cell, index) => (
                <td key={columns[index]} className={classNames(AMOUNT, 'border-b')}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        {rows.length > 1 && (
          <tfoot className="font-medium">
            <tr>
              <th scope="row" className={classNames(CELL, 'text-left font-medium')}>
                {messages.total}
              </th>
              {totals.map((cell, index) => (
                <td key={columns[index]} className={AMOUNT}>
                  {cell}
                </td>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
    </section>
  )
}
