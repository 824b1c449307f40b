import { classNames } from '../../ui/class-names.ts'
import { insideSentence } from '../../ui/formats.ts'
import { messages } from './messages.ts'

const CELL = 'border-line px-1.5 py-2 @lg:px-3 first:pl-0 last:pr-0'
const AMOUNT = `${CELL} text-right whitespace-nowrap tabular-nums`
/** In a narrow panel a name has a row of its own, above its amounts. */
const BESIDE = '@max-lg:hidden'

interface TotalsRow {
  readonly id: string
  readonly title: string
  readonly cells: readonly string[]
}

/** A table of amounts with a total if there are several rows. */
export function TotalsTable({
  first,
  columns,
  rows,
  totals,
}: {
  readonly first: string
  readonly columns: readonly string[]
  readonly rows: readonly TotalsRow[]
  readonly totals: readonly string[]
}) {
  return (
    <div className="@container">
      <table aria-label={messages.tableBy(insideSentence(first))} className="w-full text-xs @lg:text-sm">
        <thead>
          <tr className="text-soft">
            <th scope="col" className={classNames(CELL, BESIDE, 'border-b text-left font-medium')}>
              {first}
            </th>
            {columns.map((title) => (
              <th key={title} scope="col" className={classNames(AMOUNT, 'border-b font-medium')}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        {rows.map((row) => (
          <TotalsRows key={row.id} row={row} columns={columns} />
        ))}
        {rows.length > 1 && (
          <TotalsRows row={{ id: 'total', title: messages.total, cells: totals }} columns={columns} isTotal />
        )}
      </table>
    </div>
  )
}

function TotalsRows({
  row: { title, cells },
  columns,
  isTotal = false,
}: {
  readonly row: TotalsRow
  readonly columns: readonly string[]
  readonly isTotal?: boolean
}) {
  const name = <bdi className="[overflow-wrap:anywhere]">{title}</bdi>
  const line = isTotal ? '' : 'border-b'
  return (
    <tbody className={isTotal ? 'font-medium' : ''}>
      <tr className="@lg:hidden">
        <th scope="rowgroup" colSpan={columns.length} className="pt-2 text-left text-sm font-medium">
          {name}
        </th>
      </tr>
      <tr>
        <th
          scope="row"
          className={classNames(CELL, BESIDE, line, 'text-left', isTotal ? 'font-medium' : 'font-normal')}
        >
          {name}
        </th>
        {cells.map((cell, index) => (
          <td key={columns[index]} className={classNames(AMOUNT, line)}>
            {cell}
          </td>
        ))}
      </tr>
    </tbody>
  )
}
