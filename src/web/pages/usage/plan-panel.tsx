import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Billing } from '../../../http/app/schemas/billing.ts'
import { useViewer } from '../../shell/use-session.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/card.tsx'
import { Note, ProblemNote } from '../../ui/notices.tsx'
import { useTell } from '../../ui/toasts.tsx'
import { ChangePlanDialog } from './change-plan-dialog.tsx'
import { QuotaBar } from './quota-bar.tsx'
import { QUOTAS } from './quotas.ts'
import { changeBilling } from './usage-calls.ts'

const STATUSES: Readonly<Record<Billing['status'], { readonly title: string; readonly tone: Tone }>> = {
  none: { title: 'No billing account', tone: 'plain' },
  active: { title: 'Active', tone: 'good' },
  past_due: { title: 'Past due', tone: 'bad' },
}

/** The plan of the account, its status, and how much of each quota is used. */
export function PlanPanel({
  billing,
  isChanging,
  onChanging,
}: {
  readonly billing: Billing
  readonly isChanging: boolean
  readonly onChanging: (isChanging: boolean) => void
}) {
  const { is_admin: mayChange } = useViewer().person
  const title = billing.plans.find(({ name }) => name === billing.plan)?.title ?? billing.plan
  const { title: status, tone } = STATUSES[billing.status]
  return (
    <Panel
      title={title}
      about={
        <>
          <Badge tone={tone} className="my-1">
            {status}
          </Badge>
          <p>
            {billing.status === 'none'
              ? 'Choosing a plan opens the billing account that further keys need. This server charges nothing for any plan.'
              : 'This server charges nothing: a plan only says how much the account may use.'}
          </p>
        </>
      }
      actions={
        mayChange && (
          <Button look={billing.status === 'none' ? 'primary' : 'secondary'} onClick={() => onChanging(true)}>
            {billing.status === 'none' ? 'Choose a plan' : 'Change plan'}
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-5">
        {billing.status === 'past_due' && <PastDue mayChange={mayChange} />}
        <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2 lg:grid-cols-3">
          {QUOTAS.map(({ quota, title: name, format }) => (
            <QuotaBar
              key={quota}
              title={name}
              used={billing.used[quota]}
              allowed={billing.allowed[quota]}
              format={format}
            />
          ))}
        </div>
        <p className="text-soft text-[0.8125rem]">Months are calendar months, by UTC.</p>
      </div>
      {mayChange && isChanging && <ChangePlanDialog billing={billing} onClose={() => onChanging(false)} />}
    </Panel>
  )
}

function PastDue({ mayChange }: { readonly mayChange: boolean }) {
  const queries = useQueryClient()
  const tell = useTell()
  const settle = useMutation({
    mutationFn: () => changeBilling({ status: 'active' }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['keys'] })
      tell('Billing is settled', 'Uploads, recalls and questions are answered again.')
    },
  })
  return (
    <>
      <Note tone="warn">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <span>
            Billing is past due: uploads, recalls and questions are refused until it is settled.
            {!mayChange && ' An administrator of this server can mark it active.'}
          </span>
          {mayChange && (
            <Button size="small" busy={settle.isPending} onClick={() => settle.mutate()}>
              It is settled
            </Button>
          )}
        </div>
      </Note>
      {settle.error !== null && <ProblemNote error={settle.error} />}
    </>
  )
}
