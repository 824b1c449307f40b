import { ChartColumn } from 'lucide-react'
import { Link, useSearchParams } from 'wouter'
import type { UsageMetric, UsageReport } from '../../../http/app/schemas/usage.ts'
import { useBilling } from '../../api/use-billing.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Card, Panel } from '../../ui/card.tsx'
import { formatBytes, formatCount } from '../../ui/formats.ts'
import { EmptyState, ProblemNote, Skeleton } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { SegmentedChoice } from '../../ui/segmented-choice.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { DayChart } from './day-chart.tsx'
import { daySeries } from './day-series.ts'
import { PlanPanel } from './plan-panel.tsx'
import { SpendingPanel } from './spending-panel.tsx'
import { TotalsTable } from './totals-table.tsx'
import { useUsage } from './usage-calls.ts'

const RANGES = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
] as const
const USUAL = '30'

/** The plan and its quotas, what was done by day and key, and what language models have cost. */
export function UsagePage() {
  const [search, setSearch] = useSearchParams()
  const range = RANGES.find(({ value }) => value === search.get('days'))?.value ?? USUAL
  const billing = useBilling()
  const usage = useUsage(Number(range))
  const change = (name: string, value: string | undefined) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before)
        if (value === undefined) after.delete(name)
        else after.set(name, value)
        return after
      },
      { replace: true },
    )
  return (
    <Page title="Usage" about="What this account holds and does, and what its plan allows.">
      {billing.error !== null && <ProblemNote error={billing.error} onRetry={() => void billing.refetch()} />}
      {billing.data === undefined ? (
        billing.error === null && <Loading label="Loading the plan" />
      ) : (
        <PlanPanel
          billing={billing.data}
          isChanging={search.get('plan') === 'change'}
          onChanging={(isChanging) => change('plan', isChanging ? 'change' : undefined)}
        />
      )}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-lg font-semibold">By day</h2>
        <SegmentedChoice
          label="Range"
          value={range}
          options={RANGES}
          onValue={(days) => change('days', days === USUAL ? undefined : days)}
        />
      </div>
      {usage.error !== null && <ProblemNote error={usage.error} onRetry={() => void usage.refetch()} />}
      {usage.data === undefined && usage.error === null && <Loading label="Loading what was done" />}
      {usage.data !== undefined && (
        <>
          <UsePanel report={usage.data} />
          <SpendingPanel spending={usage.data.spending} />
        </>
      )}
    </Page>
  )
}

function Loading({ label }: { readonly label: string }) {
  return (
    <Card>
      <Skeleton lines={5} label={label} />
    </Card>
  )
}

const METRICS = [
  { value: 'recall', label: 'Recalls' },
  { value: 'ask', label: 'Questions' },
  { value: 'upload', label: 'Uploads' },
  { value: 'upload_bytes', label: 'Uploaded bytes' },
] as const satisfies readonly { value: UsageMetric; label: string }[]

/** What was done on each day, by key. */
function UsePanel({ report }: { readonly report: UsageReport }) {
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
function KeyTable({ days, rows }: { readonly days: number; readonly rows: readonly Row[] }) {
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
