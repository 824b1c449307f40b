import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { LinkInfo, LinkUse, Session, SignedIn } from '../../../http/app/schemas/session.ts'
import { CallError, call, setCsrfToken } from '../../api/call.ts'
import { useSendOnce } from '../../api/use-send-once.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { ProblemNote, Skeleton } from '../../ui/notices.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { messages } from './messages.ts'
import { PasswordField } from './password-field.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { SignInFrame } from './sign-in-frame.tsx'
import { useEnter } from './use-enter.ts'

/** The page of one-time links. The token is after the `#`. */
export function WelcomePage({ session }: { readonly session: Session }) {
  // Read once: it is removed from the URL and the history after use.
  const [token] = useState(() => window.location.hash.slice(1))
  const link = useQuery({
    queryKey: ['sign-in-link'],
    queryFn: () => readLink(token),
    retry: false,
    gcTime: 0,
  })
  if (link.isPending) {
    return (
      <SignInFrame title={messages.oneMoment}>
        <Skeleton />
      </SignInFrame>
    )
  }
  if (link.error !== null) return <LinkProblem error={link.error} onRetry={() => void link.refetch()} />
  return <Welcome session={session} link={link.data} token={token} />
}

async function readLink(token: string): Promise<LinkInfo> {
  setCsrfToken((await call('GET /session')).csrf_token)
  return call('POST /sign-in/link/check', { body: { token } })
}

function LinkProblem({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  if (!(error instanceof CallError) || error.status !== 404) {
    return (
      <SignInFrame title={messages.linkNotChecked}>
        <ProblemNote error={error} onRetry={onRetry} />
      </SignInFrame>
    )
  }
  return (
    <SignInFrame title={messages.linkExpired} about={messages.linkExpiredAbout}>
      <ul className="list-disc space-y-2 pl-5 text-sm">
        <li>{messages.linkUsed}</li>
        <li>{messages.linkSent}</li>
        <li>
          {messages.linkOwnServer} <code className="bg-raised rounded px-1">recalld up</code> {messages.linkFirst}{' '}
          <code className="bg-raised rounded px-1">recalld people link</code> {messages.linkReset}
        </li>
      </ul>
      <Link href="/" className={buttonClass('primary')}>
        {messages.goToSignIn}
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
    const about = messages.newPasswordFor(shownText(link.login ?? ''))
    return (
      <SignInFrame title={messages.choosePassword} about={about}>
        <NewPasswordForm token={token} login={link.login ?? ''} onDone={done} />
      </SignInFrame>
    )
  }
  if (link.purpose === 'first') {
    return (
      <SignInFrame title={messages.welcome} about={messages.welcomeAbout}>
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
  const title = account === undefined ? messages.invited : messages.joinAccount(account)
  const about =
    account === undefined
      ? messages.invitedOwnMemory
      : link.role === 'owner'
        ? messages.invitedAsOwner
        : messages.invitedAsMember
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
          {hasAccount ? messages.iAmNew : messages.iSignInHere}
        </Button>
      )}
    </SignInFrame>
  )
}

/** A person who already has an account here. */
function JoinAs({
  session: { person },
  token,
  onDone,
}: {
  readonly session: SignedIn
  readonly token: string
  readonly onDone: () => void
}) {
  const join = useEnter(() => call('POST /sign-in/link', { body: { token } }), onDone)
  const send = useSendOnce(join)
  return (
    <>
      {join.error !== null && <ProblemNote error={join.error} />}
      <Button look="primary" busy={join.isPending} onClick={() => send(undefined)}>
        {messages.joinAs(person.name)}
      </Button>
      <Link href="/" className={buttonClass('quiet')}>
        {messages.notNow}
      </Link>
    </>
  )
}

/** Sets a new password with a reset link. */
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
  const enter = useEnter((body: LinkUse) => call('POST /sign-in/link', { body }), onDone)
  const send = useSendOnce(enter)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send({ token, password })
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      {/* For the password manager of the browser, which keeps it under this name. */}
      <input type="text" autoComplete="username" value={login} readOnly hidden />
      <PasswordField label={messages.newPassword} value={password} onValue={setPassword} autoFocus />
      {enter.error !== null && <ProblemNote error={enter.error} />}
      <Button type="submit" look="primary" busy={enter.isPending}>
        {messages.setPassword}
      </Button>
    </form>
  )
}

/** Name, login and password of a new person. */
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
  const enter = useEnter((body: LinkUse) => call('POST /sign-in/link', { body }), onDone)
  const send = useSendOnce(enter)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send({ token, name, login, password })
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <TextField
        label={messages.yourName}
        about={messages.yourNameAbout}
        value={name}
        onValue={setName}
        autoComplete="name"
        autoFocus
        required
        maxLength={200}
      />
      <TextField
        label={messages.loginToChoose}
        value={login}
        onValue={setLogin}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        maxLength={200}
      />
      <PasswordField label={messages.password} value={password} onValue={setPassword} />
      {enter.error !== null && <ProblemNote error={enter.error} />}
      <Button type="submit" look="primary" busy={enter.isPending}>
        {messages.signUp}
      </Button>
    </form>
  )
}
