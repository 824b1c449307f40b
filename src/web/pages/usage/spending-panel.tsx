import { useState } from 'react'
import { Link } from 'wouter'
import type { UsageReport } from '../../../http/app/schemas/usage.ts'
import { useViewer } from '../../shell/use-session.ts'
import { Panel } from '../../ui/card.tsx'
import { formatCount, formatDollars } from '../../ui/formats.ts'
import { SegmentedChoice } from '../../ui/segmented-choice.tsx'
import { sourceTitle } from '../../ui/source-type.tsx'
import { DayChart } from './day-chart.tsx'
import { daySeries } from './day-series.ts'
import { messages } from './messages.ts'
import { QuotaBar } from './quota-bar.tsx'
import { TotalsTable } from './totals-table.tsx'

type Spending = UsageReport['spending']
type Use = Spending['uses'][number]

const MEASURES = [
  { value: 'dollars', label: messages.dollars, format: formatDollars, of: (use: Use) => use.dollars, least: 0.0002 },
  {
    value: 'tokens',
    label: messages.tokens,
    format: formatCount,
    of: (use: Use) => use.input_tokens + use.output_tokens,
    least: 2,
  },
] as const

/** Language model costs by day and purpose. */
export function SpendingPanel({ spending }: { readonly spending: Spending }) {
  const { days, time_zone: timeZone, model, uses } = spending
  const isPriced = uses.some(({ dollars }) => dollars > 0)
  const [chosen, setChosen] = useState<'dollars' | 'tokens'>('dollars')
  const measure = MEASURES.find(({ value }) => value === (isPriced ? chosen : 'tokens')) ?? MEASURES[0]
  const rows = uses.map((use) => ({ day: use.day, id: use.source, title: purposeTitle(use), amount: measure.of(use) }))
  return (
    <Panel
      title={messages.languageModel}
      about={<About model={model} timeZone={timeZone} />}
      actions={
        isPriced && (
          <SegmentedChoice label={messages.measure} value={measure.value} options={MEASURES} onValue={setChosen} />
        )
      }
    >
      {model === null && uses.length === 0 ? undefined : (
        <div className="flex flex-col gap-6">
          {model?.budget && <BudgetBars spending={spending} budget={model.budget} />}
          {uses.length === 0 ? (
            model !== null && <p className="text-soft py-6 text-center text-sm">{messages.notUsed(days.length)}</p>
          ) : (
            <>
              <DayChart
                title={messages.spent(measure.label)}
                days={days}
                series={daySeries(days, rows)}
                format={measure.format}
                least={measure.least}
              />
              <SpendingTable uses={uses} isPriced={isPriced} />
            </>
          )}
        </div>
      )}
    </Panel>
  )
}

function About({ model, timeZone }: { readonly model: Spending['model']; readonly timeZone: string }) {
  const { person } = useViewer()
  if (model === null) {
    return (
      <p>
        {messages.noModel}{' '}
        {person.is_admin && (
          <Link href="/settings/models" className="text-accent underline underline-offset-2">
            {messages.addModel}
          </Link>
        )}
      </p>
    )
  }
  return (
    <>
      <p className="[overflow-wrap:anywhere]">{messages.modelAndZone(model.id, timeZone)}</p>
      {!model.is_priced && (
        <p>
          {messages.noPrice} <code>price</code> {messages.inConfig}
        </p>
      )}
    </>
  )
}

function SpendingTable({ uses, isPriced }: { readonly uses: readonly Use[]; readonly isPriced: boolean }) {
  const titles = new Map(uses.map((use) => [use.source, purposeTitle(use)]))
  const cells = (of: readonly Use[]) => [
    formatCount(sum(of, 'calls')),
    formatCount(sum(of, 'input_tokens')),
    formatCount(sum(of, 'output_tokens')),
    ...(isPriced ? [formatDollars(sum(of, 'dollars'))] : []),
  ]
  return (
    <TotalsTable
      first={messages.usedFor}
      columns={[messages.calls, messages.tokensIn, messages.tokensOut, ...(isPriced ? [messages.dollars] : [])]}
      rows={[...titles]
        .map(([id, title]) => ({ id, title, of: uses.filter(({ source }) => source === id) }))
        .toSorted((one, other) => sum(other.of, 'input_tokens') - sum(one.of, 'input_tokens'))
        .map(({ id, title, of }) => ({ id, title, cells: cells(of) }))}
      totals={cells(uses)}
    />
  )
}

function sum(uses: readonly Use[], of: 'calls' | 'input_tokens' | 'output_tokens' | 'dollars'): number {
  return uses.reduce((total, use) => total + use[of], 0)
}

function purposeTitle({ source }: Use): string {
  return source === 'ask' ? messages.answers : messages.memoriesFrom(sourceTitle(source))
}

type Budget = NonNullable<NonNullable<Spending['model']>['budget']>

/** This month's and today's spending against the budgets, in total and per source. */
function BudgetBars({ spending, budget }: { readonly spending: Spending; readonly budget: Budget }) {
  const { days, uses } = spending
  const today = uses.filter(({ day }) => day === days.at(-1))
  const limits = [
    { title: messages.today, uses: today, limit: budget },
    ...Object.entries(budget.per_source).map(([source, limit]) => ({
      title: messages.todayFrom(sourceTitle(source)),
      uses: today.filter((use) => use.source === source),
      limit,
    })),
  ]
  return (
    <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
      {budget.dollars_per_month !== null && (
        <QuotaBar
          title={messages.titleInDollars(messages.calendarMonth)}
          used={spending.dollars_this_month}
          allowed={budget.dollars_per_month}
          format={formatDollars}
        />
      )}
      {limits.flatMap(({ title, uses: of, limit }) => [
        limit.dollars_per_day !== null && (
          <QuotaBar
            key={`${title} dollars`}
            title={messages.titleInDollars(title)}
            used={of.reduce((sum, { dollars }) => sum + dollars, 0)}
            allowed={limit.dollars_per_day}
            format={formatDollars}
          />
        ),
        limit.tokens_per_day !== null && (
          <QuotaBar
            key={`${title} tokens`}
            title={messages.titleInTokens(title)}
            used={of.reduce((sum, use) => sum + use.input_tokens + use.output_tokens, 0)}
            allowed={limit.tokens_per_day}
            format={formatCount}
          />
        ),
      ])}
    </div>
  )
}
