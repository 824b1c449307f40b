import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Billing } from '../../../http/app/schemas/billing.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { ProblemNote } from '../../ui/notices.tsx'
import { RadioCard } from '../../ui/radio-card.tsx'
import { useTell } from '../../ui/toasts.tsx'
import { QUOTAS } from './quotas.ts'
import { changeBilling } from './usage-calls.ts'

type Plan = Billing['plans'][number]

/** Chooses one of the plans there are; that makes the account's billing active. */
export function ChangePlanDialog({ billing, onClose }: { readonly billing: Billing; readonly onClose: () => void }) {
  const [chosen, setChosen] = useState(billing.plan)
  const queries = useQueryClient()
  const tell = useTell()
  const change = useMutation({
    mutationFn: () => changeBilling({ plan: chosen, status: 'active' }),
    onSuccess: async ({ plan, plans }) => {
      await queries.invalidateQueries({ queryKey: ['keys'] })
      tell(`The plan is ${plans.find(({ name }) => name === plan)?.title ?? plan}`, 'Further keys can be made.')
      onClose()
    },
  })
  const isSame = chosen === billing.plan && billing.status === 'active'
  return (
    <Dialog
      open
      onClose={onClose}
      title={billing.status === 'none' ? 'Choose a plan' : 'Change plan'}
      about="This server charges nothing. A plan says how much the account may use, and an account with a plan may have further keys."
    >
      <fieldset className="flex flex-col gap-2">
        <legend className="sr-only">Plan</legend>
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
      <p className="text-soft mt-3 text-[0.8125rem]">What is beyond a smaller plan is kept; only more is refused.</p>
      {change.error !== null && (
        <div className="mt-4">
          <ProblemNote error={change.error} />
        </div>
      )}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" busy={change.isPending} disabled={isSame} onClick={() => change.mutate()}>
          Use this plan
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
          {isCurrent && <Badge>Current</Badge>}
        </span>
      }
      about={limits.length === 0 ? 'Everything is unlimited.' : limits.join(' · ')}
      checked={isChosen}
      onChoose={onChoose}
    />
  )
}
