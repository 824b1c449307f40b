import type { Grants } from '../../../http/app/schemas/grants.ts'
import type { ConnectionDetail } from '../../../http/app/schemas/sources.ts'
import { formatDay } from '../../ui/formats.ts'
import { ProblemNote } from '../../ui/notices.tsx'
import { RadioCard } from '../../ui/radio-card.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { fittingGrants } from './chosen-grant.ts'
import { useChangeConnection } from './use-change-connection.ts'

export interface GrantSwitchProps {
  readonly detail: ConnectionDetail
  readonly grants: Grants
  readonly editable: boolean
}

/** Which of several grants a connection uses, where config.yaml does not say. */
export function GrantSwitch({ detail, grants, editable }: GrantSwitchProps) {
  const change = useChangeConnection(detail, 'The account was chosen')
  const fitting = fittingGrants(grants, detail.connector)
  if (fitting.length === 0) return <p className="text-soft text-sm">Nobody has signed in for it yet.</p>
  return (
    <fieldset className="flex flex-col gap-2" disabled={!editable || change.isPending}>
      <legend className="mb-2 text-sm font-medium">Choose whose access it uses</legend>
      {fitting.map((grant) => (
        <RadioCard
          key={grant.id}
          name="grant"
          checked={change.isPending && change.variables.settings?.account === grant.account_setting}
          onChoose={() => change.mutate({ settings: { account: grant.account_setting } })}
          title={<bdi>{shownText(grant.title)}</bdi>}
          about={grant.refusal ?? `${grant.family_title}, granted on ${formatDay(grant.granted_at)}`}
        />
      ))}
      {change.error !== null && <ProblemNote error={change.error} />}
    </fieldset>
  )
}
