import { useLocation, useSearchParams } from 'wouter'
import type { Session, SignedOut } from '../../../http/app/schemas/session.ts'
import { Note, ProblemNote } from '../../ui/notices.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { SignInFrame } from './sign-in-frame.tsx'
import { WelcomePage } from './welcome-page.tsx'

/** The ways in; links that work once lead here also when somebody is signed in. */
export function SignedOutPages({ session }: { readonly session: Session }) {
  const [location] = useLocation()
  if (location === '/welcome') return <WelcomePage session={session} />
  return session.signed_in ? null : <SignInPage session={session} />
}

const PROBLEMS: Readonly<Record<string, string>> = {
  failed: 'Signing in there did not work, or took too long. Try again.',
  unknown:
    'You are known there, but nobody here has invited the address that was confirmed. Ask an administrator for an invitation to it; if you sign in here with a password, do so before you open it.',
  unavailable: 'The service that signs you in does not answer. Try again later, or use your password.',
}

function SignInPage({ session }: { readonly session: SignedOut }) {
  const [search] = useSearchParams()
  const problem = PROBLEMS[search.get('sign_in') ?? '']
  if (session.options.first_run) return <FirstRun />
  return (
    <SignInFrame title="Sign in">
      {problem !== undefined && <ProblemNote error={new Error(problem)} />}
      <SignInForm oidc={session.options.oidc} />
    </SignInFrame>
  )
}

function FirstRun() {
  return (
    <SignInFrame title="Nobody has signed up yet" about="The first person signs up by a link that works once.">
      <ol className="list-decimal space-y-2 pl-5 text-sm">
        <li>
          Look where recalld was started: it printed a line that begins with <strong>Open the app</strong>.
        </li>
        <li>Open the link behind it in this browser.</li>
      </ol>
      <Note>
        The link is over after 24 hours. Starting recalld again with{' '}
        <code className="bg-sheet rounded px-1">recalld up</code> prints a new one.
      </Note>
    </SignInFrame>
  )
}
