import { useSearchParams } from 'wouter'
import { useBilling } from '../../api/use-billing.ts'
import { Card } from '../../ui/card.tsx'
import { ProblemNote, Skeleton } from '../../ui/notices.tsx'
import { Page } from '../../ui/page.tsx'
import { SegmentedChoice } from '../../ui/segmented-choice.tsx'
import { PlanPanel } from './plan-panel.tsx'
import { SpendingPanel } from './spending-panel.tsx'
import { useUsage } from './usage-calls.ts'
import { UsePanel } from './use-panel.tsx'

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
