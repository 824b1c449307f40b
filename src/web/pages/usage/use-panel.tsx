import { ChartColumn } from 'lucide-react'
import { Link, useSearchParams } from 'wouter'
import type { UsageMetric, UsageReport } from '../../../http/app/schemas/usage.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Panel } from '../../ui/card.tsx'
import { formatBytes, formatCount } from '../../ui/formats.ts'
import { EmptyState } from '../../ui/notices.tsx'
import { SegmentedChoice } from '../../ui/segmented-choice.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { DayChart } from './day-chart.tsx'
import { daySeries } from './day-series.ts'
import { KeyTable } from './key-table.tsx'

const METRICS = [
  { value: 'recall', label: 'Recalls' },
  { value: 'ask', label: 'Questions' },
  { value: 'upload', label: 'Uploads' },
  { value: 'upload_bytes', label: 'Uploaded bytes' },
] as const satisfies readonly { value: UsageMetric; label: string }[]

/** What was done on each day, by key. */
export function UsePanel({ report }: { readonly report: UsageReport }) {
  const [search, setSearch] = useSearchParams()
  const { value: metric, label } = METRICS.find(({ value }) => value === search.get('show')) ?? METRICS[0]
  const choose = (value: UsageMetric) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before)
        after.set('show', value)
        return after
      },
      { replace: true },
    )
  const keys = new Map(report.keys.map((key) => [key.id, key]))
  const rows = report.counts.map(({ day, key_id: id, metric: of, count }) => {
    const key = keys.get(id)
    const isDeleted = key === undefined || key.kind === 'deleted'
    // One line for all that are gone: they have no names any more.
    return { day, metric: of, id: isDeleted ? 'deleted' : id, title: nameOf(key), amount: count }
  })
  if (rows.length === 0) return <Nothing days={report.days.length} />
  const series = daySeries(
    report.days,
    rows.filter((row) => row.metric === metric),
  )
  return (
    <>
      <Panel
        title="By key"
        about="Days are those of UTC."
        actions={<SegmentedChoice label="What is shown" value={metric} options={METRICS} onValue={choose} />}
      >
        {series.length === 0 ? (
          <p className="text-soft py-10 text-center text-sm">
            No {label.toLowerCase()} in the last {report.days.length} days.
          </p>
        ) : (
          <DayChart
            title={label}
            days={report.days}
            series={series}
            format={metric === 'upload_bytes' ? formatBytes : formatCount}
          />
        )}
      </Panel>
      <KeyTable days={report.days.length} rows={rows} />
    </>
  )
}

function nameOf(key: UsageReport['keys'][number] | undefined): string {
  if (key === undefined || key.kind === 'deleted') return 'Deleted keys'
  return shownText(key.name)
}

function Nothing({ days }: { readonly days: number }) {
  return (
    <EmptyState
      icon={<ChartColumn aria-hidden />}
      title={`Nothing was done in the last ${days} days`}
      actions={
        <>
          <Link href="/keys" className={buttonClass('secondary')}>
            Give an agent a key
          </Link>
          <Link href="/" className={buttonClass('primary')}>
            Recall something
          </Link>
        </>
      }
    >
      Uploads, recalls and questions are counted here, for each key and for the web app.
    </EmptyState>
  )
}
