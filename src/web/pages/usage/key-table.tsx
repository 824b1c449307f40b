import type { UsageMetric } from '../../../http/app/schemas/usage.ts'
import { Panel } from '../../ui/card.tsx'
import { formatBytes, formatCount } from '../../ui/formats.ts'
import { TotalsTable } from './totals-table.tsx'

const COLUMNS = [
  { metric: 'recall', title: 'Recalls', format: formatCount },
  { metric: 'ask', title: 'Questions', format: formatCount },
  { metric: 'upload', title: 'Uploads', format: formatCount },
  { metric: 'upload_bytes', title: 'Uploaded', format: formatBytes },
] as const satisfies readonly { metric: UsageMetric; title: string; format: (amount: number) => string }[]

interface Row {
  readonly id: string
  readonly title: string
  readonly metric: UsageMetric
  readonly amount: number
}

/** What each key was used for in the whole range. */
export function KeyTable({ days, rows }: { readonly days: number; readonly rows: readonly Row[] }) {
  const titles = new Map(rows.map(({ id, title }) => [id, title]))
  const sum = (metric: UsageMetric, id?: string) =>
    rows
      .filter((row) => row.metric === metric && (id === undefined || row.id === id))
      .reduce((total, { amount }) => total + amount, 0)
  const calls = (id: string) => sum('recall', id) + sum('ask', id) + sum('upload', id)
  return (
    <Panel title="Totals by key" about={`The last ${days} days.`}>
      <TotalsTable
        first="Key"
        columns={COLUMNS.map(({ title }) => title)}
        rows={[...titles]
          .toSorted(([one], [other]) => calls(other) - calls(one))
          .map(([id, title]) => ({ id, title, cells: COLUMNS.map(({ metric, format }) => format(sum(metric, id))) }))}
        totals={COLUMNS.map(({ metric, format }) => format(sum(metric)))}
      />
    </Panel>
  )
}
