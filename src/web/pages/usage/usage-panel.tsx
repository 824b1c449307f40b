import { ChartColumn } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Link, useSearchParams } from 'wouter'
import type { UsageMetric, UsageReport } from '../../../http/app/schemas/usage.ts'
import { useBilling, useUsage } from '../../api/usage-calls.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Card, Panel } from '../../ui/card.tsx'
import { formatBytes, formatCount, insideSentence } from '../../ui/formats.ts'
import { EmptyState, ProblemNote, Skeleton } from '../../ui/notices.tsx'
import { Section } from '../../ui/section.tsx'
import { SegmentedChoice } from '../../ui/segmented-choice.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { DayChart } from './day-chart.tsx'
import { daySeries } from './day-series.ts'
import { messages } from './messages.ts'
import { PlanPanel } from './plan-panel.tsx'
import { SpendingPanel } from './spending-panel.tsx'
import { TotalsTable } from './totals-table.tsx'

const RANGES = [
  { value: '7', label: messages.dayCount(7) },
  { value: '30', label: messages.dayCount(30) },
  { value: '90', label: messages.dayCount(90) },
] as const
const USUAL = '30'

/** Plan and quotas, usage by day and key, language model costs. */
export function UsagePanel() {
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
    <Section title={messages.title} about={messages.about}>
      {billing.error !== null && <ProblemNote error={billing.error} onRetry={() => void billing.refetch()} />}
      {billing.data === undefined ? (
        billing.error === null && <Loading label={messages.loadingPlan} />
      ) : (
        <Holdings
          billing={billing.data}
          isChanging={search.get('plan') === 'change'}
          onChanging={(isChanging) => change('plan', isChanging ? 'change' : undefined)}
        />
      )}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 className="font-semibold">{messages.byDay}</h3>
        <SegmentedChoice
          label={messages.range}
          value={range}
          options={RANGES}
          onValue={(days) => change('days', days === USUAL ? undefined : days)}
        />
      </div>
      {usage.error !== null && <ProblemNote error={usage.error} onRetry={() => void usage.refetch()} />}
      {usage.data === undefined && usage.error === null && <Loading label={messages.loadingUsage} />}
      {usage.data !== undefined && (
        <>
          <UsePanel report={usage.data} />
          <SpendingPanel spending={usage.data.spending} />
        </>
      )}
    </Section>
  )
}

/** What the account stores, with its plan if plans or limits apply. */
function Holdings(props: ComponentProps<typeof PlanPanel>) {
  const { used, is_billed: isBilled } = props.billing
  if (isBilled) return <PlanPanel {...props} />
  return (
    <Panel title={messages.stored}>
      <dl className="flex flex-wrap gap-x-12 gap-y-3">
        <div>
          <dt className="text-soft text-sm">{messages.items}</dt>
          <dd className="text-xl font-semibold tabular-nums">{formatCount(used.items)}</dd>
        </div>
        <div>
          <dt className="text-soft text-sm">{messages.storage}</dt>
          <dd className="text-xl font-semibold tabular-nums">{formatBytes(used.storage_bytes)}</dd>
        </div>
      </dl>
    </Panel>
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
  { value: 'recall', label: messages.recalls },
  { value: 'ask', label: messages.questions },
  { value: 'upload', label: messages.uploads },
  { value: 'upload_bytes', label: messages.uploadedBytes },
] as const satisfies readonly { value: UsageMetric; label: string }[]

/** The last one is short, for a phone. */
const CHOICES = METRICS.map(({ value, label }) => ({
  value,
  label: value === 'upload_bytes' ? messages.dataShort : label,
}))

/** Daily usage by key. */
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
    // One row for all deleted keys, which no longer have names.
    return { day, metric: of, id: isDeleted ? 'deleted' : id, title: keyName(key), amount: count }
  })
  if (rows.length === 0) return <NoUsage days={report.days.length} />
  const series = daySeries(
    report.days,
    rows.filter((row) => row.metric === metric),
  )
  return (
    <>
      <Panel
        title={messages.byKey}
        about={messages.utcDays}
        actions={<SegmentedChoice label={messages.measure} value={metric} options={CHOICES} onValue={choose} />}
      >
        {series.length === 0 ? (
          <p className="text-soft py-10 text-center text-sm">
            {messages.noneInRange(insideSentence(label), report.days.length)}
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

function keyName(key: UsageReport['keys'][number] | undefined): string {
  if (key === undefined || key.kind === 'deleted') return messages.deletedKeys
  return key.kind === 'app' ? messages.webApp : shownText(key.name)
}

function NoUsage({ days }: { readonly days: number }) {
  return (
    <EmptyState
      icon={<ChartColumn aria-hidden />}
      title={messages.emptyTitle(days)}
      actions={
        <>
          <Link href="/settings/keys" className={buttonClass('secondary')}>
            {messages.createKey}
          </Link>
          <Link href="/" className={buttonClass('primary')}>
            {messages.goToRecall}
          </Link>
        </>
      }
    >
      {messages.emptyAbout}
    </EmptyState>
  )
}

const COLUMNS = [
  { metric: 'recall', title: messages.recalls, format: formatCount },
  { metric: 'ask', title: messages.questions, format: formatCount },
  { metric: 'upload', title: messages.uploads, format: formatCount },
  { metric: 'upload_bytes', title: messages.uploadedShort, format: formatBytes },
] as const satisfies readonly { metric: UsageMetric; title: string; format: (amount: number) => string }[]

interface Row {
  readonly id: string
  readonly title: string
  readonly metric: UsageMetric
  readonly amount: number
}

/** Usage per key in the whole range. */
function KeyTable({ days, rows }: { readonly days: number; readonly rows: readonly Row[] }) {
  const titles = new Map(rows.map(({ id, title }) => [id, title]))
  const sum = (metric: UsageMetric, id?: string) =>
    rows
      .filter((row) => row.metric === metric && (id === undefined || row.id === id))
      .reduce((total, { amount }) => total + amount, 0)
  const calls = (id: string) => sum('recall', id) + sum('ask', id) + sum('upload', id)
  return (
    <Panel title={messages.totalsByKey} about={messages.lastDays(days)}>
      <TotalsTable
        first={messages.key}
        columns={COLUMNS.map(({ title }) => title)}
        rows={[...titles]
          .toSorted(([one], [other]) => calls(other) - calls(one))
          .map(([id, title]) => ({ id, title, cells: COLUMNS.map(({ metric, format }) => format(sum(metric, id))) }))}
        totals={COLUMNS.map(({ metric, format }) => format(sum(metric)))}
      />
    </Panel>
  )
}
