import { KeyRound } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { Session } from '../../../http/app/schemas/session.ts'
import { call } from '../../api/call.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { ProblemNote } from '../../ui/notices.tsx'
import { messages } from './messages.ts'
import { passkeySupport } from './passkey-support.ts'
import { useEnter } from './use-enter.ts'

/** Sign-in by name and password, a passkey, or the provider of this server. */
export function SignInForm({ oidc }: { readonly oidc: string | null }) {
  const [login, setLogin] = useState('')
  const [password, setPassword] = useState('')
  const enter = useEnter((body: { login: string; password: string }) => call('POST /sign-in/password', { body }))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    enter.mutate({ login, password })
  }
  return (
    <>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label={messages.login}
          value={login}
          onValue={setLogin}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          required
        />
        <TextField
          label={messages.password}
          type="password"
          value={password}
          onValue={setPassword}
          autoComplete="current-password"
          required
        />
        {enter.error !== null && <ProblemNote error={enter.error} />}
        <Button type="submit" look="primary" busy={enter.isPending}>
          {messages.signIn}
        </Button>
      </form>
      <div className="text-soft flex items-center gap-3 text-xs before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {messages.or}
      </div>
      <div className="flex flex-col gap-3">
        <PasskeyButton />
        {oidc !== null && (
          <a href="/app/api/sign-in/oidc" className={buttonClass('secondary')}>
            {messages.signInWith(oidc)}
          </a>
        )}
      </div>
      <details className="text-soft text-sm">
        <summary>{messages.forgotPassword}</summary>
        <p className="mt-2">
          {messages.askForReset} <code className="bg-raised rounded px-1">recalld people link</code>.
        </p>
      </details>
    </>
  )
}

/** Sign-in by passkey; where browsers do not support it, a link to an address where they do. */
function PasskeyButton() {
  const support = passkeySupport()
  const enter = useEnter(signInByPasskey)
  if (!support.works && support.url === undefined) return null
  if (!support.works) {
    return (
      <p className="text-soft text-center text-sm">
        {messages.passkeyElsewhere} <a href={support.url}>{support.url}</a>
      </p>
    )
  }
  return (
    <>
      {enter.error !== null && <ProblemNote error={enter.error} />}
      <Button onClick={() => enter.mutate(undefined)} busy={enter.isPending} className="w-full">
        {!enter.isPending && <KeyRound aria-hidden />}
        {messages.signInWithPasskey}
      </Button>
    </>
  )
}

async function signInByPasskey(): Promise<Session> {
  const { startAuthentication, WebAuthnError } = await import('@simplewebauthn/browser')
  const optionsJSON = await call('POST /sign-in/passkey/options')
  const response = await startAuthentication({ optionsJSON }).catch((error: unknown) => {
    const wasCancelled = error instanceof WebAuthnError || (error instanceof Error && error.name === 'NotAllowedError')
    throw wasCancelled ? new Error(messages.noPasskeyUsed) : error
  })
  return call('POST /sign-in/passkey', { body: { response } })
}
