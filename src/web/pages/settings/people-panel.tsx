import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import type { Invitation, ShownLink } from '../../../http/app/schemas/people.ts'
import { call } from '../../api/call.ts'
import { refetchShown } from '../../api/refetching.ts'
import { useSendOnce } from '../../api/use-send-once.ts'
import { useViewer } from '../../shell/use-session.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/card.tsx'
import { TextField } from '../../ui/field.tsx'
import { focusIfLost } from '../../ui/focus.ts'
import { Note, ProblemNote, Skeleton } from '../../ui/notices.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { InviteDialog, LinkDialog } from './invite-dialog.tsx'
import { MemberRow } from './member-row.tsx'
import { messages } from './messages.ts'

/** People of the account; for administrators also all accounts. */
export function PeoplePanel() {
  const { person, account } = useViewer()
  if (account.role !== 'owner' && !person.is_admin) {
    return (
      <Panel title={messages.tabPeople}>
        <Note>{messages.ownersOnly(shownText(account.name))}</Note>
      </Panel>
    )
  }
  return (
    <div className="flex flex-col gap-6">
      <Members />
      {person.is_admin && <AccountsPanel />}
    </div>
  )
}

function Members() {
  const { person, account } = useViewer()
  const [isInviting, setInviting] = useState(false)
  const [link, setLink] = useState<{ readonly title: string; readonly shown: ShownLink }>()
  const lists = useRef<HTMLElement>(null)
  const { data, error, refetch } = useQuery({
    queryKey: ['people', account.id],
    queryFn: () => call('GET /people'),
  })
  return (
    <Panel
      title={messages.peopleOf(shownText(account.name))}
      about={messages.peopleAbout}
      actions={
        <Button look="primary" onClick={() => setInviting(true)}>
          <UserPlus aria-hidden />
          {messages.invite}
        </Button>
      }
    >
      {error !== null && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton />}
      {data !== undefined && (
        <section ref={lists} tabIndex={-1} aria-label={messages.peopleAndInvitations} className="outline-none">
          <ul aria-label={messages.tabPeople} className="divide-line -mx-5 divide-y">
            {data.people.map((member) => (
              <MemberRow
                key={member.id}
                member={member}
                isAdmin={person.is_admin}
                onLink={(shown) => setLink({ title: messages.resetLinkFor(shownText(member.name)), shown })}
              />
            ))}
          </ul>
          <InvitationList invitations={data.invitations} onGone={() => focusIfLost(lists.current)} />
        </section>
      )}
      {isInviting && (
        <InviteDialog
          isAdmin={person.is_admin}
          accountName={account.name}
          onClose={() => setInviting(false)}
          onInvited={(shown) => {
            setInviting(false)
            setLink({ title: messages.invitationLink, shown })
          }}
        />
      )}
      {link !== undefined && <LinkDialog title={link.title} link={link.shown} onClose={() => setLink(undefined)} />}
    </Panel>
  )
}

/** Pending invitations. */
function InvitationList({
  invitations,
  onGone,
}: {
  readonly invitations: readonly Invitation[]
  /** Called after revoking, when the button is gone. */
  readonly onGone: () => void
}) {
  const queries = useQueryClient()
  const takeBack = useMutation({
    mutationFn: (id: string) => call('DELETE /people/invitations/:id', { params: { id } }),
    onSettled: async () => {
      await refetchShown(queries, ['people'])
      onGone()
    },
  })
  if (invitations.length === 0) return null
  return (
    <div className="border-line -mx-5 border-t px-5 pt-4">
      <h3 className="text-sm font-semibold">{messages.pendingInvitations}</h3>
      {takeBack.error !== null && <ProblemNote error={takeBack.error} />}
      <ul aria-label={messages.pendingInvitations} className="divide-line divide-y">
        {invitations.map((invitation) => (
          <li key={invitation.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 text-sm">
            <span className="min-w-0">
              <bdi className="font-medium [overflow-wrap:anywhere]">
                {shownText(invitation.login ?? messages.anyoneWithLink)}
              </bdi>
              <span className="text-soft block text-[0.8125rem]">
                {invitation.own_account ? messages.ownMemory : messages.asRole(invitation.role)} · {messages.expires}{' '}
                <TimeAgo time={invitation.expires_at} />
              </span>
            </span>
            <Button
              size="small"
              busy={takeBack.isPending && takeBack.variables === invitation.id}
              aria-label={messages.revokeInvitation(shownText(invitation.login ?? 'anyone with the link'))}
              onClick={() => takeBack.mutate(invitation.id)}
            >
              {messages.revoke}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** All accounts of this server, and creating one. */
function AccountsPanel() {
  const { data, error, refetch } = useQuery({
    queryKey: ['people', 'accounts'],
    queryFn: () => call('GET /accounts'),
  })
  return (
    <Panel title={messages.accounts} about={messages.accountsAbout}>
      {error !== null && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton />}
      {data !== undefined && (
        <ul aria-label={messages.accountList} className="divide-line -mx-5 divide-y">
          {data.accounts.map((account) => (
            <li key={account.id} className="flex flex-wrap justify-between gap-x-6 gap-y-1 px-5 py-3 text-sm">
              <bdi className="min-w-0 font-medium [overflow-wrap:anywhere]">{shownText(account.name)}</bdi>
              <span className="text-soft">{messages.accountFacts(account.people, account.created_at)}</span>
            </li>
          ))}
        </ul>
      )}
      <NewAccountForm />
    </Panel>
  )
}

function NewAccountForm() {
  const queries = useQueryClient()
  const toast = useToast()
  const [name, setName] = useState('')
  const make = useMutation({
    mutationFn: () => call('POST /accounts', { body: { name } }),
    onSuccess: () => {
      toast(messages.accountCreated(name), messages.accountCreatedAbout)
      setName('')
      void queries.invalidateQueries({ queryKey: ['people'] })
      void queries.invalidateQueries({ queryKey: ['session'] })
    },
  })
  const send = useSendOnce(make)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send()
  }
  return (
    <form onSubmit={submit} className="border-line -mx-5 mt-1 flex flex-col gap-3 border-t px-5 pt-4">
      <div className="flex flex-wrap items-end gap-3">
        <TextField
          label={messages.newAccount}
          value={name}
          onValue={setName}
          required
          maxLength={200}
          className="min-w-0 flex-1 basis-60"
        />
        <Button type="submit" busy={make.isPending} disabled={name.trim() === ''}>
          {messages.createAccount}
        </Button>
      </div>
      {make.error !== null && <ProblemNote error={make.error} />}
    </form>
  )
}
