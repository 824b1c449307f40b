import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { MemberOfAccount, MemberRole, PersonChange, ShownLink } from '../../../http/app/schemas/people.ts'
import { call } from '../../api/call.ts'
import { useViewer } from '../../shell/use-session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { uiMessages } from '../../ui/messages.ts'
import { ProblemNote } from '../../ui/notices.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { messages } from './messages.ts'

/** One person of the account, with the possible actions. */
export function MemberRow({
  member,
  isAdmin,
  onLink,
}: {
  readonly member: MemberOfAccount
  /** Role of the viewer. */
  readonly isAdmin: boolean
  readonly onLink: (link: ShownLink) => void
}) {
  const queries = useQueryClient()
  const [isRemoving, setRemoving] = useState(false)
  const change = useMutation({
    mutationFn: (body: PersonChange) => call('PATCH /people/:id', { params: { id: member.id }, body }),
    onSettled: () => queries.invalidateQueries({ queryKey: [member.is_you ? 'session' : 'people'] }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['people'] }),
  })
  const reset = useMutation({
    mutationFn: () => call('POST /people/:id/reset-link', { params: { id: member.id } }),
    onSuccess: onLink,
    gcTime: 0,
  })
  const name = shownText(member.name)
  const problem = change.error ?? reset.error
  return (
    <li className="flex flex-col gap-3 px-5 py-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <PersonSummary member={member} />
        <div className="flex flex-wrap items-center gap-2">
          <SelectField
            compact
            label={messages.roleOf(name)}
            value={member.role}
            onValue={(role) => change.mutate({ role: role as MemberRole })}
            options={[
              { value: 'owner', label: messages.owner },
              { value: 'member', label: messages.member },
            ]}
          />
          {isAdmin && !member.is_you && (
            <AdminActions member={member} onAdmin={(is_admin) => change.mutate({ is_admin })} reset={reset} />
          )}
          <Button
            size="small"
            look="danger"
            aria-label={member.is_you ? messages.leaveAccount : messages.removeNamed(name)}
            onClick={() => setRemoving(true)}
          >
            {member.is_you ? messages.leave : messages.remove}
          </Button>
        </div>
      </div>
      {problem !== null && <ProblemNote error={problem} />}
      {isRemoving && <RemovePersonDialog member={member} onClose={() => setRemoving(false)} />}
    </li>
  )
}

/** Actions of administrators on other people. */
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
        aria-label={member.is_admin ? messages.removeAdminOf(name) : messages.makeAdminOf(name)}
        onClick={() => onAdmin(!member.is_admin)}
      >
        {member.is_admin ? messages.removeAdmin : messages.makeAdmin}
      </Button>
      <Button
        size="small"
        busy={reset.isPending}
        aria-label={messages.resetPasswordOf(name)}
        onClick={() => reset.mutate()}
      >
        {messages.resetPassword}
      </Button>
    </>
  )
}

function PersonSummary({ member }: { readonly member: MemberOfAccount }) {
  return (
    <div className="min-w-0">
      <h3 className="flex flex-wrap items-center gap-2 font-medium">
        <bdi className="[overflow-wrap:anywhere]">{shownText(member.name)}</bdi>
        {member.is_you && <Badge>{messages.you}</Badge>}
        {member.is_admin && <Badge tone="accent">{messages.administrator}</Badge>}
      </h3>
      <p className="text-soft text-[0.8125rem] [overflow-wrap:anywhere]">
        <bdi>{shownText(member.login)}</bdi>
        {' · '}
        {member.last_seen_at === null ? (
          messages.notSignedIn
        ) : (
          <>
            {messages.lastSeen} <TimeAgo time={member.last_seen_at} />
          </>
        )}
      </p>
    </div>
  )
}

function RemovePersonDialog({ member, onClose }: { readonly member: MemberOfAccount; readonly onClose: () => void }) {
  const { account } = useViewer()
  const queries = useQueryClient()
  const toast = useToast()
  const [name, accountName] = [shownText(member.name), shownText(account.name)]
  const remove = useMutation({
    mutationFn: () => call('DELETE /people/:id', { params: { id: member.id } }),
    onSuccess: () => {
      onClose()
      toast(member.is_you ? messages.youLeft(accountName) : messages.removedFrom(name, accountName))
      void queries.invalidateQueries({ queryKey: [member.is_you ? 'session' : 'people'] })
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={member.is_you ? messages.leaveTitle(accountName) : messages.removeTitle(name, accountName)}
      about={member.is_you ? messages.leaveAbout : messages.removePersonAbout}
    >
      {remove.error !== null && <ProblemNote error={remove.error} />}
      <DialogActions>
        <Button onClick={onClose}>{uiMessages.cancel}</Button>
        <Button look="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
          {member.is_you ? messages.leave : messages.remove}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
