import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { MemberOfAccount, MemberRole, PersonChange, ShownLink } from '../../../http/app/schemas/people.ts'
import { call } from '../../api/call.ts'
import { useViewer } from '../../shell/use-session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { ProblemNote } from '../../ui/notices.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'
import { useTell } from '../../ui/toasts.tsx'

/** One person of the account, and what may be changed about them. */
export function MemberRow({
  member,
  isAdmin,
  onLink,
}: {
  readonly member: MemberOfAccount
  /** Of whoever looks. */
  readonly isAdmin: boolean
  readonly onLink: (link: ShownLink) => void
}) {
  const queries = useQueryClient()
  const [isRemoving, setRemoving] = useState(false)
  const path = `/people/${encodeURIComponent(member.id)}`
  const change = useMutation({
    mutationFn: (body: PersonChange) => call(path, { method: 'PATCH', body }),
    onSettled: () => queries.invalidateQueries({ queryKey: [member.is_you ? 'session' : 'people'] }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['people'] }),
  })
  const reset = useMutation({
    mutationFn: () => call<ShownLink>(`${path}/reset-link`, { method: 'POST' }),
    onSuccess: onLink,
    gcTime: 0,
  })
  const name = shownText(member.name)
  const problem = change.error ?? reset.error
  return (
    <li className="flex flex-col gap-3 px-5 py-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <WhoItIs member={member} />
        <div className="flex flex-wrap items-center gap-2">
          <SelectField
            compact
            label={`Role of ${name}`}
            value={member.role}
            onValue={(role) => change.mutate({ role: role as MemberRole })}
            options={[
              { value: 'owner', label: 'Owner' },
              { value: 'member', label: 'Member' },
            ]}
          />
          {isAdmin && !member.is_you && (
            <AdminActions member={member} onAdmin={(is_admin) => change.mutate({ is_admin })} reset={reset} />
          )}
          <Button
            size="small"
            look="danger"
            aria-label={member.is_you ? 'Leave the account' : `Remove ${name}`}
            onClick={() => setRemoving(true)}
          >
            {member.is_you ? 'Leave' : 'Remove'}
          </Button>
        </div>
      </div>
      {problem !== null && <ProblemNote error={problem} />}
      {isRemoving && <RemovePersonDialog member={member} onClose={() => setRemoving(false)} />}
    </li>
  )
}

/** What only administrators may do about somebody else. */
function AdminActions({
  member,
  onAdmin,
  reset,
}: {
  readonly member: MemberOfAccount
  readonly onAdmin: (isAdmin: boolean) => void
  readonly reset: { readonly isPending: boolean; readonly mutate: () => void }
}) {
  const name = shownText(member.name)
  return (
    <>
      <Button
        size="small"
        aria-label={member.is_admin ? `No administrator: ${name}` : `Make administrator: ${name}`}
        onClick={() => onAdmin(!member.is_admin)}
      >
        {member.is_admin ? 'No administrator' : 'Make administrator'}
      </Button>
      <Button
        size="small"
        busy={reset.isPending}
        aria-label={`Reset password of ${name}`}
        onClick={() => reset.mutate()}
      >
        Reset password
      </Button>
    </>
  )
}

function WhoItIs({ member }: { readonly member: MemberOfAccount }) {
  return (
    <div className="min-w-0">
      <h3 className="flex flex-wrap items-center gap-2 font-medium">
        <bdi className="[overflow-wrap:anywhere]">{shownText(member.name)}</bdi>
        {member.is_you && <Badge>You</Badge>}
        {member.is_admin && <Badge tone="accent">Administrator</Badge>}
      </h3>
      <p className="text-soft text-[0.8125rem] [overflow-wrap:anywhere]">
        <bdi>{shownText(member.login)}</bdi>
        {' · '}
        {member.last_seen_at === null ? (
          'not signed in anywhere'
        ) : (
          <>
            seen <TimeAgo time={member.last_seen_at} />
          </>
        )}
      </p>
    </div>
  )
}

function RemovePersonDialog({ member, onClose }: { readonly member: MemberOfAccount; readonly onClose: () => void }) {
  const { account } = useViewer()
  const queries = useQueryClient()
  const tell = useTell()
  const [name, place] = [shownText(member.name), shownText(account.name)]
  const remove = useMutation({
    mutationFn: () => call(`/people/${encodeURIComponent(member.id)}`, { method: 'DELETE' }),
    onSuccess: () => {
      onClose()
      tell(member.is_you ? `You left ${place}` : `${name} was removed from ${place}`)
      void queries.invalidateQueries({ queryKey: [member.is_you ? 'session' : 'people'] })
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={member.is_you ? `Leave ${place}?` : `Remove ${name} from ${place}?`}
      about={
        member.is_you
          ? 'You do not see this memory any more. If you belong to no other one, you are removed from this server.'
          : 'They do not see this memory any more, from this moment on. If they belong to no other one, they are removed from this server, and signed out everywhere. What they uploaded stays.'
      }
    >
      {remove.error !== null && <ProblemNote error={remove.error} />}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
          {member.is_you ? 'Leave' : 'Remove'}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
