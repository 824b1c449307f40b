import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import type { Security, SessionInfo } from '../../../http/app/schemas/security.ts'
import { call } from '../../api/call.ts'
import { useViewer } from '../../shell/use-session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/card.tsx'
import { TextField } from '../../ui/field.tsx'
import { focusIfLost } from '../../ui/focus.ts'
import { formatNoun, formatTime } from '../../ui/formats.ts'
import { ProblemNote, Skeleton } from '../../ui/notices.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { TimeAgo } from '../../ui/time-ago.tsx'
import { useTell } from '../../ui/toasts.tsx'
import { PasswordField } from '../sign-in/password-field.tsx'
import { PasskeysPanel } from './passkeys-panel.tsx'

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

/** The name of whoever is signed in. */
function PersonPanel() {
  const { person } = useViewer()
  const queries = useQueryClient()
  const tell = useTell()
  const [name, setName] = useState(person.name)
  const rename = useMutation({
    mutationFn: () => call('/security/person', { method: 'PATCH', body: { name } }),
    onSuccess: () => {
      tell('Your name was changed')
      void queries.invalidateQueries({ queryKey: ['session'] })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    rename.mutate()
  }
  return (
    <Panel title="You" about={`You sign in as ${shownText(person.login)}.`}>
      <form onSubmit={submit} className="flex flex-wrap items-end gap-3">
        <TextField
          label="Your name"
          value={name}
          onValue={setName}
          autoComplete="name"
          required
          maxLength={200}
          className="min-w-0 flex-1 basis-60"
        />
        <Button type="submit" busy={rename.isPending} disabled={name.trim() === '' || name === person.name}>
          Save
        </Button>
      </form>
      {rename.error !== null && <ProblemNote error={rename.error} />}
    </Panel>
  )
}

/** Changes the password, or sets the first one of somebody who came in another way. */
function PasswordPanel({ hasPassword }: { readonly hasPassword: boolean }) {
  const { person } = useViewer()
  const queries = useQueryClient()
  const tell = useTell()
  const [old, setOld] = useState('')
  const [password, setPassword] = useState('')
  const change = useMutation({
    mutationFn: () =>
      call('/security/password', { method: 'PUT', body: { password, ...(hasPassword && { old_password: old }) } }),
    onSuccess: () => {
      setOld('')
      setPassword('')
      tell('Your password was changed', 'You are signed out everywhere but here.')
      void queries.invalidateQueries({ queryKey: ['people', 'security'] })
    },
    gcTime: 0,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate()
  }
  return (
    <Panel title="Password" about="A new one signs you out everywhere but here.">
      <form onSubmit={submit} className="flex max-w-md flex-col gap-4">
        <input type="text" autoComplete="username" value={person.login} readOnly hidden />
        {hasPassword && (
          <TextField
            label="Old password"
            type="password"
            value={old}
            onValue={setOld}
            autoComplete="current-password"
            required
          />
        )}
        <PasswordField label="New password" value={password} onValue={setPassword} />
        {change.error !== null && <ProblemNote error={change.error} />}
        <Button type="submit" busy={change.isPending} className="self-start">
          {hasPassword ? 'Change password' : 'Set a password'}
        </Button>
      </form>
    </Panel>
  )
}

/** Where the person is signed in, and the way to end it there. */
function SessionsPanel({ sessions }: { readonly sessions: readonly SessionInfo[] }) {
  const queries = useQueryClient()
  const tell = useTell()
  const list = useRef<HTMLUListElement>(null)
  const refresh = () => queries.invalidateQueries({ queryKey: ['people', 'security'] })
  const end = useMutation({
    mutationFn: (id: string) => call(`/security/sessions/${encodeURIComponent(id)}`, { method: 'DELETE' }),
    onSettled: () => refresh().then(() => focusIfLost(list.current)),
  })
  const endOthers = useMutation({
    mutationFn: () => call<{ ended: number }>('/security/sessions/end-others', { method: 'POST' }),
    onSuccess: ({ ended }) => tell(`You were signed out in ${formatNoun(ended, 'other place')}`),
    onSettled: refresh,
  })
  const problem = end.error ?? endOthers.error
  return (
    <Panel
      title="Where you are signed in"
      about="A place that was not used for 30 days is signed out by itself."
      actions={
        sessions.length > 1 ? (
          <Button busy={endOthers.isPending} onClick={() => endOthers.mutate()}>
            Sign out everywhere else
          </Button>
        ) : undefined
      }
    >
      {problem !== null && <ProblemNote error={problem} />}
      <ul ref={list} tabIndex={-1} aria-label="Sessions" className="divide-line -mx-5 -mb-3 divide-y outline-none">
        {sessions.map((session) => (
          <li
            key={session.id}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-5 py-3 text-sm"
          >
            <div className="min-w-0">
              <p className="flex flex-wrap items-center gap-2 font-medium">
                {session.device}
                {session.is_this && <Badge tone="good">This one</Badge>}
              </p>
              <p className="text-soft text-[0.8125rem]">
                used <TimeAgo time={session.seen_at} />, signed in {formatTime(session.created_at)}
              </p>
            </div>
            {!session.is_this && (
              <Button
                size="small"
                busy={end.isPending && end.variables === session.id}
                aria-label={`Sign out ${session.device}`}
                onClick={() => end.mutate(session.id)}
              >
                Sign out
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
