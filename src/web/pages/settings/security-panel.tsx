import { useQuery } from '@tanstack/react-query'
import type { Security } from '../../../http/app/schemas/security.ts'
import { call } from '../../api/call.ts'
import { Panel } from '../../ui/card.tsx'
import { ProblemNote, Skeleton } from '../../ui/notices.tsx'
import { PasskeysPanel } from './passkeys-panel.tsx'
import { PasswordPanel } from './password-panel.tsx'
import { PersonPanel } from './person-panel.tsx'
import { SessionsPanel } from './sessions-panel.tsx'

/** What the person signs in with, and where they are signed in. */
export function SecurityPanel() {
  const { data, error, refetch } = useQuery({
    queryKey: ['people', 'security'],
    queryFn: () => call<Security>('/security'),
  })
  if (error !== null) return <ProblemNote error={error} onRetry={() => void refetch()} />
  if (data === undefined) {
    return (
      <Panel title="Security">
        <Skeleton lines={5} />
      </Panel>
    )
  }
  return (
    <div className="flex flex-col gap-6">
      <PersonPanel />
      <PasswordPanel hasPassword={data.has_password} />
      <PasskeysPanel passkeys={data.passkeys} />
      <SessionsPanel sessions={data.sessions} />
    </div>
  )
}
