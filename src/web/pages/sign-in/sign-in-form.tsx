import { KeyRound } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import type { Session } from '../../../http/app/schemas/session.ts'
import { call } from '../../api/call.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { ProblemNote } from '../../ui/notices.tsx'
import { passkeyPlace } from './passkey-support.ts'
import { useEnter } from './use-enter.ts'

/** Name and password, a passkey, or the provider of this server. */
export function SignInForm({ oidc }: { readonly oidc: string | null }) {
  const [login, setLogin] = useState('')
  const [password, setPassword] = useState('')
  const enter = useEnter((body: { login: string; password: string }) =>
    call<Session>('/sign-in/password', { method: 'POST', body }),
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    enter.mutate({ login, password })
  }
  return (
    <>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label="E-mail or name"
          value={login}
          onValue={setLogin}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          required
        />
        <TextField
          label="Password"
          type="password"
          value={password}
          onValue={setPassword}
          autoComplete="current-password"
          required
        />
        {enter.error !== null && <ProblemNote error={enter.error} />}
        <Button type="submit" look="primary" busy={enter.isPending}>
          Sign in
        </Button>
      </form>
      <div className="text-soft flex items-center gap-3 text-xs before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or
      </div>
      <div className="flex flex-col gap-3">
        <PasskeyButton />
        {oidc !== null && (
          <a href="/app/api/sign-in/oidc" className={buttonClass('secondary')}>
            Sign in with {oidc}
          </a>
        )}
      </div>
      <details className="text-soft text-sm">
        <summary>Forgot your password?</summary>
        <p className="mt-2">
          An administrator can give you a link to a new one: in the app under Settings, People, or on the server with{' '}
          <code className="bg-raised rounded px-1">recalld people link</code> and your name.
        </p>
      </details>
    </>
  )
}

/** Sign-in by a passkey; where browsers have none, the way to where they do. */
function PasskeyButton() {
  const place = passkeyPlace()
  const enter = useEnter(signInByPasskey)
  if (!place.works && place.url === undefined) return null
  if (!place.works) {
    return (
      <p className="text-soft text-center text-sm">
        To sign in with a passkey, open <a href={place.url}>{place.url}</a>
      </p>
    )
  }
  return (
    <>
      {enter.error !== null && <ProblemNote error={enter.error} />}
      <Button onClick={() => enter.mutate(undefined)} busy={enter.isPending} className="w-full">
        {!enter.isPending && <KeyRound aria-hidden />}
        Sign in with a passkey
      </Button>
    </>
  )
}

async function signInByPasskey(): Promise<Session> {
  const { startAuthentication, WebAuthnError } = await import('@simplewebauthn/browser')
  const optionsJSON = await call<Parameters<typeof startAuthentication>[0]['optionsJSON']>('/sign-in/passkey/options', {
    method: 'POST',
  })
  const response = await startAuthentication({ optionsJSON }).catch((error: unknown) => {
    const wasCancelled = error instanceof WebAuthnError || (error instanceof Error && error.name === 'NotAllowedError')
    throw wasCancelled ? new Error('No passkey was used. Try again, or sign in with your password.') : error
  })
  return call<Session>('/sign-in/passkey', { method: 'POST', body: { response } })
}
