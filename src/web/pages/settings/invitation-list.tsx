import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Invitation } from '../../../http/app/schemas/people.ts'
import { call } from '../../api/call.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemNote } from '../../ui/notices.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'

/** Invitations that nobody has used yet. */
export function InvitationList({
  invitations,
  onGone,
}: {
  readonly invitations: readonly Invitation[]
  /** One was taken back, and its button is gone with it. */
  readonly onGone: () => void
}) {
  const queries = useQueryClient()
  const takeBack = useMutation({
    mutationFn: (id: string) => call(`/people/invitations/${encodeURIComponent(id)}`, { method: 'DELETE' }),
    onSettled: async () => {
      await queries.invalidateQueries({ queryKey: ['people'] })
      onGone()
    },
  })
  if (invitations.length === 0) return null
  return (
    <div className="border-line -mx-5 border-t px-5 pt-4">
      <h3 className="text-sm font-semibold">Open invitations</h3>
      {takeBack.error !== null && <ProblemNote error={takeBack.error} />}
      <ul aria-label="Open invitations" className="divide-line divide-y">
        {invitations.map((invitation) => (
          <li key={invitation.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 text-sm">
            <span className="min-w-0">
              <bdi className="font-medium [overflow-wrap:anywhere]">
                {shownText(invitation.login ?? 'Anybody with the link')}
              </bdi>
              <span className="text-soft block text-[0.8125rem]">
                {invitation.own_account ? 'To a memory of their own' : `As ${invitation.role}`}; over{' '}
                <TimeAgo time={invitation.expires_at} />
              </span>
            </span>
            <Button
              size="small"
              busy={takeBack.isPending && takeBack.variables === invitation.id}
              aria-label={`Take back the invitation of ${shownText(invitation.login ?? 'anybody with the link')}`}
              onClick={() => takeBack.mutate(invitation.id)}
            >
              Take back
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}
