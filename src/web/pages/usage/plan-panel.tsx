import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Billing, Quotas } from '../../../http/app/schemas/usage.ts'
import { refetchShown } from '../../api/refetching.ts'
import { changeBilling } from '../../api/usage-calls.ts'
import { useViewer } from '../../shell/use-session.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/card.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { formatBytes, formatCount } from '../../ui/formats.ts'
import { uiMessages } from '../../ui/messages.ts'
import { Note, ProblemNote } from '../../ui/notices.tsx'
import { RadioCard } from '../../ui/radio-card.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { messages } from './messages.ts'
import { QuotaBar } from './quota-bar.tsx'

const STATUSES: Readonly<Record<Billing['status'], { readonly title: string; readonly tone: Tone }>> = {
  none: { title: messages.noBilling, tone: 'plain' },
  active: { title: messages.active, tone: 'good' },
  past_due: { title: messages.pastDue, tone: 'bad' },
}

/** The plan of the account, its status, and the usage of each quota. */
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
          <p>{billing.status === 'none' ? messages.noPlanAbout : messages.planAbout}</p>
        </>
      }
      actions={
        mayChange && (
          <Button look={billing.status === 'none' ? 'primary' : 'secondary'} onClick={() => onChanging(true)}>
            {billing.status === 'none' ? messages.choosePlan : messages.changePlan}
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
        <p className="text-soft text-[0.8125rem]">{messages.utcMonths}</p>
      </div>
      {mayChange && isChanging && <ChangePlanDialog billing={billing} onClose={() => onChanging(false)} />}
    </Panel>
  )
}

function PastDue({ mayChange }: { readonly mayChange: boolean }) {
  const queries = useQueryClient()
  const toast = useToast()
  const settle = useMutation({
    mutationFn: () => changeBilling({ status: 'active' }),
    onSuccess: async () => {
      await refetchShown(queries, ['keys'])
      toast(messages.markedActive, messages.markedActiveAbout)
    },
  })
  return (
    <>
      <Note tone="warn">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <span>
            {messages.paymentOverdue}
            {!mayChange && ` ${messages.adminCanMark}`}
          </span>
          {mayChange && (
            <Button size="small" busy={settle.isPending} onClick={() => settle.mutate()}>
              {messages.markActive}
            </Button>
          )}
        </div>
      </Note>
      {settle.error !== null && <ProblemNote error={settle.error} />}
    </>
  )
}

type Plan = Billing['plans'][number]

/** Selects a plan, which activates billing. */
function ChangePlanDialog({ billing, onClose }: { readonly billing: Billing; readonly onClose: () => void }) {
  const [chosen, setChosen] = useState(billing.plan)
  const queries = useQueryClient()
  const toast = useToast()
  const change = useMutation({
    mutationFn: () => changeBilling({ plan: chosen, status: 'active' }),
    onSuccess: async ({ plan, plans }) => {
      await refetchShown(queries, ['keys'])
      toast(messages.planChanged(plans.find(({ name }) => name === plan)?.title ?? plan), messages.moreKeys)
      onClose()
    },
  })
  const isSame = chosen === billing.plan && billing.status === 'active'
  return (
    <Dialog
      open
      onClose={onClose}
      title={billing.status === 'none' ? messages.choosePlan : messages.changePlan}
      about={messages.planDialogAbout}
    >
      <fieldset className="flex flex-col gap-2">
        <legend className="sr-only">{messages.plan}</legend>
        {billing.plans.map((plan) => (
          <PlanChoice
            key={plan.name}
            plan={plan}
            isChosen={plan.name === chosen}
            isCurrent={plan.name === billing.plan && billing.status !== 'none'}
            onChoose={() => setChosen(plan.name)}
          />
        ))}
      </fieldset>
      <p className="text-soft mt-3 text-[0.8125rem]">{messages.smallerPlan}</p>
      {change.error !== null && (
        <div className="mt-4">
          <ProblemNote error={change.error} />
        </div>
      )}
      <DialogActions>
        <Button onClick={onClose}>{uiMessages.cancel}</Button>
        <Button look="primary" busy={change.isPending} disabled={isSame} onClick={() => change.mutate()}>
          {messages.usePlan}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function PlanChoice({
  plan,
  isChosen,
  isCurrent,
  onChoose,
}: {
  readonly plan: Plan
  readonly isChosen: boolean
  readonly isCurrent: boolean
  readonly onChoose: () => void
}) {
  const limits = QUOTAS.flatMap(({ quota, allows }) => {
    const allowed = plan.quotas[quota]
    return allowed === null ? [] : [allows(allowed)]
  })
  return (
    <RadioCard
      name="plan"
      title={
        <span className="flex flex-wrap items-center gap-2">
          {plan.title}
          {isCurrent && <Badge>{messages.current}</Badge>}
        </span>
      }
      about={limits.length === 0 ? messages.unlimited : limits.join(' · ')}
      checked={isChosen}
      onChoose={onChoose}
    />
  )
}

/** Limits of plans, in display order. */
const QUOTAS: readonly {
  readonly quota: keyof Quotas
  readonly title: string
  readonly format: (amount: number) => string
  /** The limits of a plan: `5,000 uploads a month`. */
  readonly allows: (amount: number) => string
}[] = [
  { quota: 'items', title: messages.items, format: formatCount, allows: messages.itemCount },
  { quota: 'storage_bytes', title: messages.storage, format: formatBytes, allows: formatBytes },
  monthly('uploads_per_month', messages.uploads, messages.uploadCount),
  monthly('recalls_per_month', messages.recalls, messages.recallCount),
  monthly('asks_per_month', messages.questions, messages.questionCount),
]

function monthly(quota: keyof Quotas, title: string, countOf: (amount: number) => string) {
  return {
    quota,
    title: messages.thisMonth(title),
    format: formatCount,
    allows: (most: number) => messages.aMonth(countOf(most)),
  }
}
