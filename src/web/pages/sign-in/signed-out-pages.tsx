import { useLocation, useSearchParams } from 'wouter'
import type { Session, SignedOut } from '../../../http/app/schemas/session.ts'
import { Note, ProblemNote } from '../../ui/notices.tsx'
import { messages } from './messages.ts'
import { SignInForm } from './sign-in-form.tsx'
import { SignInFrame } from './sign-in-frame.tsx'
import { WelcomePage } from './welcome-page.tsx'

/** The sign-in pages; one-time links lead here even when somebody is signed in. */
export function SignedOutPages({ session }: { readonly session: Session }) {
  const [location] = useLocation()
  if (location === '/welcome') return <WelcomePage session={session} />
  return session.signed_in ? null : <SignInPage session={session} />
}

const PROBLEMS: Readonly<Record<string, string>> = {
  failed: messages.providerFailed,
  unknown: messages.notInvited,
  unavailable: messages.providerUnreachable,
}

function SignInPage({ session }: { readonly session: SignedOut }) {
  const [search] = useSearchParams()
  const problem = PROBLEMS[search.get('sign_in') ?? '']
  if (session.options.first_run) return <FirstRun />
  return (
    <SignInFrame title={messages.signIn}>
      {problem !== undefined && <ProblemNote error={new Error(problem)} />}
      <SignInForm oidc={session.options.oidc} />
    </SignInFrame>
  )
}

function FirstRun() {
  return (
    <SignInFrame title={messages.noAccounts} about={messages.noAccountsAbout}>
      <ol className="list-decimal space-y-2 pl-5 text-sm">
        <li>
          {messages.findLink} <strong>Open the app</strong>.
        </li>
        <li>{messages.openLink}</li>
      </ol>
      <Note>
        {messages.linkExpires} <code className="bg-sheet rounded px-1">recalld up</code>.
      </Note>
    </SignInFrame>
  )
}
