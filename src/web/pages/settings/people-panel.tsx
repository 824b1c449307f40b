import { useQuery } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { useRef, useState } from 'react'
import type { PeopleList, ShownLink } from '../../../http/app/schemas/people.ts'
import { call } from '../../api/call.ts'
import { useViewer } from '../../shell/use-session.ts'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/card.tsx'
import { focusIfLost } from '../../ui/focus-if-lost.ts'
import { Note, ProblemNote, Skeleton } from '../../ui/notices.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { AccountsPanel } from './accounts-panel.tsx'
import { InvitationList } from './invitation-list.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { LinkDialog } from './link-dialog.tsx'
import { MemberRow } from './member-row.tsx'

/** Who may look at the account, and for administrators the accounts of the server. */
export function PeoplePanel() {
  const { person, account } = useViewer()
  if (account.role !== 'owner' && !person.is_admin) {
    return (
      <Panel title="People">
        <Note>Only owners of {shownText(account.name)} see and manage its people.</Note>
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
    queryFn: () => call<PeopleList>('/people'),
  })
  return (
    <Panel
      title={`People of ${shownText(account.name)}`}
      about="Owners manage keys and people; members recall, upload and forget."
      actions={
        <Button look="primary" onClick={() => setInviting(true)}>
          <UserPlus aria-hidden />
          Invite
        </Button>
      }
    >
      {error !== null && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton />}
      {data !== undefined && (
        <section ref={lists} tabIndex={-1} aria-label="People and invitations" className="outline-none">
          <ul aria-label="People" className="divide-line -mx-5 divide-y">
            {data.people.map((member) => (
              <MemberRow
                key={member.id}
                member={member}
                isAdmin={person.is_admin}
                onLink={(shown) => setLink({ title: `New password for ${shownText(member.name)}`, shown })}
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
            setLink({ title: 'The invitation', shown })
          }}
        />
      )}
      {link !== undefined && <LinkDialog title={link.title} link={link.shown} onClose={() => setLink(undefined)} />}
    </Panel>
  )
}
