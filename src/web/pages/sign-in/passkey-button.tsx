import { KeyRound } from 'lucide-react'
import type { Session } from '../../../http/app/schemas/session.ts'
import { call } from '../../api/call.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemNote } from '../../ui/notices.tsx'
import { passkeyPlace } from './passkey-place.ts'
import { useEnter } from './use-enter.ts'

/** Sign-in by a passkey; where browsers have none, the way to where they do. */
export function PasskeyButton() {
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
