import type { UsageReport } from '../../../http/app/schemas/usage.ts'
import { formatCount, formatDollars } from '../../ui/formats.ts'
import { sourceTitle } from '../../ui/source-type.tsx'
import { QuotaBar } from './quota-bar.tsx'

type Spending = UsageReport['spending']
type Budget = NonNullable<NonNullable<Spending['model']>['budget']>

/** How much of what may be spent in a day is spent today, in all and of each source with a limit of its own. */
export function DayBudget({
  spending: { days, uses },
  budget,
}: {
  readonly spending: Spending
  readonly budget: Budget
}) {
  const today = uses.filter(({ day }) => day === days.at(-1))
  const limits = [
    { title: 'Today', uses: today, limit: budget },
    ...Object.entries(budget.per_source).map(([source, limit]) => ({
      title: `Today, ${sourceTitle(source)}`,
      uses: today.filter((use) => use.source === source),
      limit,
    })),
  ]
  return (
    <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
      {limits.flatMap(({ title, uses: of, limit }) => [
        limit.dollars_per_day !== null && (
          <QuotaBar
            key={`${title} dollars`}
            title={`${title}, dollars`}
            used={of.reduce((sum, { dollars }) => sum + dollars, 0)}
            allowed={limit.dollars_per_day}
            format={formatDollars}
          />
        ),
        limit.tokens_per_day !== null && (
          <QuotaBar
            key={`${title} tokens`}
            title={`${title}, tokens`}
            used={of.reduce((sum, use) => sum + use.input_tokens + use.output_tokens, 0)}
            allowed={limit.tokens_per_day}
            format={formatCount}
          />
        ),
      ])}
    </div>
  )
}
