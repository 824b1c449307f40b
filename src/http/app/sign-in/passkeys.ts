import { isIP } from 'node:net'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../../domain/errors.ts'
import type { PeopleUseCases } from '../../../service/people.ts'
import type { Viewer } from '../../../service/principal.ts'
import type { ApiServer } from '../../rest/server-types.ts'
import type { AnswerOf } from '../schemas/routes.ts'
import { passkeySignIn } from '../schemas/session.ts'
import { beginSession } from './sessions.ts'
import { type SignInParts, sessionAnswer } from './sign-in-parts.ts'

/** The browser gives up earlier. */
const CHALLENGE_MS = 300_000

/** Loaded on first use, because loading takes 180 ms. */
const library = () => import('@simplewebauthn/server')

/**
 * For `startRegistration` in the browser. Requires user verification, so that possession of the device is not enough.
 */
export async function registrationOptions(request: FastifyRequest, viewer: Viewer, people: PeopleUseCases) {
  const rpID = passkeyHost(request)
  const known = await people.passkeys.list(viewer.personId)
  const { generateRegistrationOptions } = await library()
  const options = await generateRegistrationOptions({
    rpName: 'recalld',
    rpID,
    userName: viewer.login,
    userDisplayName: viewer.name,
    userID: new TextEncoder().encode(viewer.personId),
    attestationType: 'none',
    excludeCredentials: known.map(({ credentialId, transports }) => ({
      id: credentialId,
      transports: [...transports],
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  await keepChallenge(request, options.challenge, rpID)
  return options
}

/**
 * @throws AppError `invalid` when it does not match the challenge; `invalid` and `conflict` as `addPasskey` of people
 */
export async function addPasskey(
  request: FastifyRequest,
  { viewer, name, response }: { viewer: Viewer; name: string; response: unknown },
  people: PeopleUseCases,
): Promise<void> {
  const asked = await takeChallenge(request)
  const { verifyRegistrationResponse } = await library()
  const verified = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    expectedChallenge: asked.value,
    expectedOrigin: asked.origin,
    expectedRPID: asked.rpId,
    requireUserVerification: true,
  }).catch((cause: unknown) => {
    throw notRight(cause)
  })
  if (!verified.verified) throw notRight()
  const { id, publicKey, counter, transports = [] } = verified.registrationInfo.credential
  await people.addPasskey({
    credentialId: id,
    personId: viewer.personId,
    name,
    publicKey,
    rpId: asked.rpId,
    counter,
    transports,
  })
}

/** For `startAuthentication` in the browser, which offers its passkeys for this host. */
async function authenticationOptions(request: FastifyRequest) {
  const rpID = passkeyHost(request)
  const { generateAuthenticationOptions } = await library()
  const options = await generateAuthenticationOptions({ rpID, userVerification: 'required' })
  await keepChallenge(request, options.challenge, rpID)
  return options
}

/** The owner of the passkey that signed the challenge. @throws AppError `unauthenticated` */
async function personOfPasskey(
  request: FastifyRequest,
  answer: { readonly id: string },
  people: PeopleUseCases,
): Promise<string> {
  const asked = await takeChallenge(request)
  const passkey = await people.passkeys.find(answer.id)
  if (passkey === undefined) throw unknownPasskey()
  const { credentialId, publicKey, counter, transports } = passkey
  const { verifyAuthenticationResponse } = await library()
  const verified = await verifyAuthenticationResponse({
    response: answer as AuthenticationResponseJSON,
    expectedChallenge: asked.value,
    expectedOrigin: asked.origin,
    expectedRPID: asked.rpId,
    requireUserVerification: true,
    credential: { id: credentialId, publicKey: new Uint8Array(publicKey), counter, transports: [...transports] },
  }).catch((cause: unknown) => {
    throw unknownPasskey(cause)
  })
  const { newCounter } = verified.authenticationInfo
  if (!verified.verified || !(await people.passkeys.used(credentialId, newCounter))) throw unknownPasskey()
  return passkey.personId
}

async function keepChallenge(request: FastifyRequest, value: string, rpId: string): Promise<void> {
  const origin = String(request.headers.origin ?? `${request.protocol}://${request.headers.host}`)
  request.session.challenge = { value, rpId, origin, until: Date.now() + CHALLENGE_MS }
  await request.session.save()
}

/** Each challenge is used once. */
async function takeChallenge({ session }: FastifyRequest) {
  const { challenge } = session
  if (challenge === undefined || challenge.until < Date.now()) {
    throw new AppError('invalid', 'This took too long. Try again.')
  }
  delete session.challenge
  await session.save()
  return challenge
}

/** The host name that passkeys are bound to. @throws AppError `conflict` for hosts without passkeys */
function passkeyHost({ hostname }: FastifyRequest): string {
  if (isIP(hostname.replace(/^\[|\]$/g, '')) === 0) return hostname
  throw new AppError('conflict', 'Passkeys need a host name, not an address such as 127.0.0.1.')
}

function notRight(cause?: unknown): AppError {
  return new AppError('invalid', "The passkey couldn't be added: its response doesn't match the request. Try again.", {
    cause,
  })
}

function unknownPasskey(cause?: unknown): AppError {
  return new AppError('unauthenticated', 'Unknown passkey. Sign in another way, then add it again.', {
    cause,
  })
}

/** Sign-in without a name and a password. */
export function passkeyRoutes(scope: ApiServer, parts: SignInParts): void {
  const { people } = parts
  scope.post(
    '/app/api/sign-in/passkey/options',
    { schema: { hide: true } },
    (request): Promise<AnswerOf<'POST /sign-in/passkey/options'>> => authenticationOptions(request),
  )

  scope.post('/app/api/sign-in/passkey', { schema: { hide: true, body: passkeySignIn } }, async (request, reply) => {
    const { response } = request.body
    const personId = await personOfPasskey(request, response, people).catch(async (error: unknown) => {
      await noteRefused(parts, response.id, request.ip)
      throw error
    })
    await beginSession(request, { personId })
    await parts.noteSignIn(personId)
    return sessionAnswer(parts, request, reply)
  })
}

async function noteRefused({ people, noteFailure }: SignInParts, passkeyId: string, address: string): Promise<void> {
  const passkey = await people.passkeys.find(passkeyId)
  const owner = passkey && (await people.look(passkey.personId))?.person
  if (owner !== undefined) noteFailure(owner, address, 'passkey')
}
