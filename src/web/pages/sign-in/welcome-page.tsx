import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { LinkInfo, LinkUse, Session, SignedIn } from '../../../http/app/schemas/session.ts'
import { CallError, call, keepCsrfToken } from '../../api/call.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { ProblemNote, Skeleton } from '../../ui/notices.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { PasswordField } from './password-field.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { SignInFrame } from './sign-in-frame.tsx'
import { useEnter } from './use-enter.ts'

/** Where a link that works once leads: its token stands behind the `#`. */
export function WelcomePage({ session }: { readonly session: Session }) {
  // Read once: it goes from the address, and so from the history, when the link was used.
  const [token] = useState(() => window.location.hash.slice(1))
  const link = useQuery({
    queryKey: ['sign-in-link'],
    queryFn: () => readLink(token),
    retry: false,
    gcTime: 0,
  })
  if (link.isPending) {
    return (
      <SignInFrame title="One moment">
        <Skeleton />
      </SignInFrame>
    )
  }
  if (link.error !== null) return <LinkProblem error={link.error} onRetry={() => void link.refetch()} />
  return <Welcome session={session} link={link.data} token={token} />
}

async function readLink(token: string): Promise<LinkInfo> {
  keepCsrfToken((await call<Session>('/session')).csrf_token)
  return call<LinkInfo>('/sign-in/link/check', { method: 'POST', body: { token } })
}

function LinkProblem({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  if (!(error instanceof CallError) || error.status !== 404) {
    return (
      <SignInFrame title="The link could not be checked">
        <ProblemNote error={error} onRetry={onRetry} />
      </SignInFrame>
    )
  }
  return (
    <SignInFrame title="This link is over" about="Each link works once, and only for a while.">
      <ul className="list-disc space-y-2 pl-5 text-sm">
        <li>You have used it already? Then sign in with what you chose.</li>
        <li>Somebody sent it to you? Ask them for a new one.</li>
        <li>
          You run this server? The next <code className="bg-raised rounded px-1">recalld up</code> prints a new first
          link, and <code className="bg-raised rounded px-1">recalld people link</code> one to a new password.
        </li>
      </ul>
      <Link href="/" className={buttonClass('primary')}>
        Go to sign in
      </Link>
    </SignInFrame>
  )
}

function Welcome({
  session,
  link,
  token,
}: {
  readonly session: Session
  readonly link: LinkInfo
  readonly token: string
}) {
  const [, navigate] = useLocation()
  const done = () => navigate('/', { replace: true })
  if (link.purpose === 'reset') {
    const about = `For ${shownText(link.login ?? '')}. You are signed out everywhere else.`
    return (
      <SignInFrame title="Choose a new password" about={about}>
        <NewPasswordForm token={token} login={link.login ?? ''} onDone={done} />
      </SignInFrame>
    )
  }
  if (link.purpose === 'first') {
    return (
      <SignInFrame
        title="Welcome to recalld"
        about="You are the first one here. What you choose now is what you sign in with, as administrator of this server."
      >
        <SignUpForm token={token} login="" onDone={done} />
      </SignInFrame>
    )
  }
  return <Invitation session={session} link={link} token={token} onDone={done} />
}

function Invitation({
  session,
  link,
  token,
  onDone,
}: {
  readonly session: Session
  readonly link: LinkInfo
  readonly token: string
  readonly onDone: () => void
}) {
  const [hasAccount, setHasAccount] = useState(false)
  const account = link.account_name === null ? undefined : shownText(link.account_name)
  const title = account === undefined ? 'You were invited to recalld' : `Join ${account}`
  const about =
    account === undefined
      ? 'You get a memory of your own here.'
      : link.role === 'owner'
        ? 'You were invited as an owner: you may use this memory, and manage its keys and people.'
        : 'You were invited as a member: you may recall, upload and forget.'
  return (
    <SignInFrame title={title} about={about}>
      {session.signed_in ? (
        <JoinAs session={session} token={token} onDone={onDone} />
      ) : hasAccount ? (
        <SignInForm oidc={null} />
      ) : (
        <SignUpForm token={token} login={link.login ?? ''} onDone={onDone} />
      )}
      {!session.signed_in && (
        <Button look="quiet" size="small" onClick={() => setHasAccount(!hasAccount)}>
          {hasAccount ? 'I am new here' : 'I sign in here already'}
        </Button>
      )}
    </SignInFrame>
  )
}

/** Somebody who is here already. */
function JoinAs({
  session: { person },
  token,
  onDone,
}: {
  readonly session: SignedIn
  readonly token: string
  readonly onDone: () => void
}) {
  const join = useEnter(() => call<Session>('/sign-in/link', { method: 'POST', body: { token } }), onDone)
  return (
    <>
      {join.error !== null && <ProblemNote error={join.error} />}
      <Button look="primary" busy={join.isPending} onClick={() => join.mutate(undefined)}>
        Join as {person.name}
      </Button>
      <Link href="/" className={buttonClass('quiet')}>
        Not now
      </Link>
    </>
  )
}

/** For a password that was forgotten. */
function NewPasswordForm({
  token,
  login,
  onDone,
}: {
  readonly token: string
  readonly login: string
  readonly onDone: () => void
}) {
  const [password, setPassword] = useState('')
  const enter = useEnter((body: LinkUse) => call<Session>('/sign-in/link', { method: 'POST', body }), onDone)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    enter.mutate({ token, password })
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      {/* For the password manager of the browser, which keeps it under this name. */}
      <input type="text" autoComplete="username" value={login} readOnly hidden />
      <PasswordField label="New password" value={password} onValue={setPassword} autoFocus />
      {enter.error !== null && <ProblemNote error={enter.error} />}
      <Button type="submit" look="primary" busy={enter.isPending}>
        Set the password and sign in
      </Button>
    </form>
  )
}

/** Name, login and password of somebody who is new. */
function SignUpForm({
  token,
  login: invited,
  onDone,
}: {
  readonly token: string
  readonly login: string
  readonly onDone: () => void
}) {
  const [name, setName] = useState('')
  const [login, setLogin] = useState(invited)
  const [password, setPassword] = useState('')
  const enter = useEnter((body: LinkUse) => call<Session>('/sign-in/link', { method: 'POST', body }), onDone)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    enter.mutate({ token, name, login, password })
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <TextField
        label="Your name"
        about="As others see it."
        value={name}
        onValue={setName}
        autoComplete="name"
        autoFocus
        required
        maxLength={200}
      />
      <TextField
        label="E-mail or name to sign in with"
        value={login}
        onValue={setLogin}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        maxLength={200}
      />
      <PasswordField label="Password" value={password} onValue={setPassword} />
      {enter.error !== null && <ProblemNote error={enter.error} />}
      <Button type="submit" look="primary" busy={enter.isPending}>
        Sign up
      </Button>
    </form>
  )
}
