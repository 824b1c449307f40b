import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import type { SessionInfo } from '../../../http/app/schemas/session.ts'
import { call } from '../../api/call.ts'
import { useViewer } from '../../shell/use-session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/card.tsx'
import { TextField } from '../../ui/field.tsx'
import { focusIfLost } from '../../ui/focus.ts'
import { ProblemNote, Skeleton } from '../../ui/notices.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'
import { useToast } from '../../ui/toasts.tsx'
import { PasswordField } from '../sign-in/password-field.tsx'
import { messages } from './messages.ts'
import { PasskeysPanel } from './passkeys-panel.tsx'

/** Profile, password, passkeys and sessions. */
export function SecurityPanel() {
  const { data, error, refetch } = useQuery({
    queryKey: ['people', 'security'],
    queryFn: () => call('GET /security'),
  })
  if (error !== null) return <ProblemNote error={error} onRetry={() => void refetch()} />
  if (data === undefined) {
    return (
      <Panel title={messages.tabSecurity}>
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

/** The name of the signed-in person. */
function PersonPanel() {
  const { person } = useViewer()
  const queries = useQueryClient()
  const toast = useToast()
  const [name, setName] = useState(person.name)
  const rename = useMutation({
    mutationFn: () => call('PATCH /security/person', { body: { name } }),
    onSuccess: () => {
      toast(messages.nameSaved)
      void queries.invalidateQueries({ queryKey: ['session'] })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    rename.mutate()
  }
  return (
    <Panel title={messages.profile} about={messages.signInAs(shownText(person.login))}>
      <form onSubmit={submit} className="flex flex-wrap items-end gap-3">
        <TextField
          label={messages.yourName}
          value={name}
          onValue={setName}
          autoComplete="name"
          required
          maxLength={200}
          className="min-w-0 flex-1 basis-60"
        />
        <Button type="submit" busy={rename.isPending} disabled={name.trim() === '' || name === person.name}>
          {messages.save}
        </Button>
      </form>
      {rename.error !== null && <ProblemNote error={rename.error} />}
    </Panel>
  )
}

/** Changes the password, or sets the first one. */
function PasswordPanel({ hasPassword }: { readonly hasPassword: boolean }) {
  const { person } = useViewer()
  const queries = useQueryClient()
  const toast = useToast()
  const [old, setOld] = useState('')
  const [password, setPassword] = useState('')
  const change = useMutation({
    mutationFn: () => call('PUT /security/password', { body: { password, ...(hasPassword && { old_password: old }) } }),
    onSuccess: () => {
      setOld('')
      setPassword('')
      toast(messages.passwordChanged, messages.signedOutElsewhere)
      void queries.invalidateQueries({ queryKey: ['people', 'security'] })
    },
    gcTime: 0,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate()
  }
  return (
    <Panel title={messages.password} about={messages.passwordAbout}>
      <form onSubmit={submit} className="flex max-w-md flex-col gap-4">
        <input type="text" autoComplete="username" value={person.login} readOnly hidden />
        {hasPassword && (
          <TextField
            label={messages.currentPassword}
            type="password"
            value={old}
            onValue={setOld}
            autoComplete="current-password"
            required
          />
        )}
        <PasswordField label={messages.newPassword} value={password} onValue={setPassword} />
        {change.error !== null && <ProblemNote error={change.error} />}
        <Button type="submit" busy={change.isPending} className="self-start">
          {hasPassword ? messages.changePassword : messages.setPassword}
        </Button>
      </form>
    </Panel>
  )
}

/** The person's sessions, and ending them. */
function SessionsPanel({ sessions }: { readonly sessions: readonly SessionInfo[] }) {
  const queries = useQueryClient()
  const toast = useToast()
  const list = useRef<HTMLUListElement>(null)
  const refresh = () => queries.invalidateQueries({ queryKey: ['people', 'security'] })
  const end = useMutation({
    mutationFn: (id: string) => call('DELETE /security/sessions/:id', { params: { id } }),
    onSettled: () => refresh().then(() => focusIfLost(list.current)),
  })
  const endOthers = useMutation({
    mutationFn: () => call('POST /security/sessions/end-others'),
    onSuccess: ({ ended }) => toast(messages.signedOutOf(ended)),
    onSettled: refresh,
  })
  const problem = end.error ?? endOthers.error
  return (
    <Panel
      title={messages.sessions}
      about={messages.sessionsAbout}
      actions={
        sessions.length > 1 ? (
          <Button busy={endOthers.isPending} onClick={() => endOthers.mutate()}>
            {messages.signOutElsewhere}
          </Button>
        ) : undefined
      }
    >
      {problem !== null && <ProblemNote error={problem} />}
      <ul
        ref={list}
        tabIndex={-1}
        aria-label={messages.sessions}
        className="divide-line -mx-5 -mb-3 divide-y outline-none"
      >
        {sessions.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            isEnding={end.isPending && end.variables === session.id}
            onEnd={() => end.mutate(session.id)}
          />
        ))}
      </ul>
    </Panel>
  )
}

function SessionRow({
  session,
  isEnding,
  onEnd,
}: {
  readonly session: SessionInfo
  readonly isEnding: boolean
  readonly onEnd: () => void
}) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-5 py-3 text-sm">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {session.device}
          {session.is_this && <Badge tone="good">{messages.thisSession}</Badge>}
        </p>
        <p className="text-soft text-[0.8125rem]">
          {messages.lastUsed} <TimeAgo time={session.seen_at} />, {messages.signedInOn(session.created_at)}
        </p>
      </div>
      {!session.is_this && (
        <Button size="small" busy={isEnding} aria-label={messages.signOutOf(session.device)} onClick={onEnd}>
          {messages.signOut}
        </Button>
      )}
    </li>
  )
}
