import { UserRound } from 'lucide-react'
import { EmptyState, ProblemNote, Skeleton } from '../../ui/notices.tsx'
import { messages } from './messages.ts'
import { useProfile } from './people-calls.ts'
import { StatementList } from './statement-list.tsx'

/** The profile of the owner, in their own words. */
export function ProfilePanel() {
  const { data, error, refetch } = useProfile()
  if (error !== null) return <ProblemNote error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton lines={6} label={messages.loading} />
  const { preferences, roles, routines, open_promises: promises } = data
  if ([preferences, roles, routines, promises].every((list) => list.length === 0)) {
    return (
      <EmptyState icon={<UserRound aria-hidden />} title={messages.noProfile}>
        {messages.noProfileAbout}
      </EmptyState>
    )
  }
  return (
    <>
      <p className="text-soft text-sm">
        {messages.profileAbout}
        {!data.is_complete && ` ${messages.newestOnly(data.looked_at)}`}
      </p>
      <StatementList title={messages.openPromises} statements={promises} />
      <StatementList title={messages.preferences} statements={preferences} />
      <StatementList title={messages.roles} statements={roles} />
      <StatementList title={messages.routines} statements={routines} />
    </>
  )
}
