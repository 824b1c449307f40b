import { createHash } from 'node:crypto'
import { Signer } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Log } from '../../../lib/log.ts'
import type { ApiServer } from '../../rest/server-types.ts'
import { createOidc, type OidcQuestion, type OidcSettings } from './oidc.ts'
import { beginSession, type SessionSettings } from './sessions.ts'
import type { SignInParts } from './sign-in-routes.ts'

const PATH = '/app/api/sign-in/oidc'
const CALLBACK = `${PATH}/callback`
/** Somebody may have to look for their second factor. */
const AWAY_SECONDS = 600

const question = z.object({ state: z.string(), nonce: z.string(), verifier: z.string(), until: z.number() })

export interface OidcRouteOptions extends SessionSettings {
  readonly settings: OidcSettings
  readonly log: Log
}

/**
 * Sign-in by a provider elsewhere. The cookie of the session is not sent along when another site sends a person back, so
 * what has to be remembered lies in a cookie of its own, which is, for ten minutes and for these paths only. The new
 * session begins with the answer, which leads to a page of ours: what that page asks for comes from this site again.
 */
export function oidcRoutes(scope: ApiServer, parts: SignInParts, options: OidcRouteOptions): void {
  const oidc = createOidc(options.settings)
  const redirectUri = () => `${parts.publicAddress()}${CALLBACK}`
  const memory = questionCookie(options)
  const { log } = options

  scope.get(PATH, { schema: { hide: true } }, async (_request, reply) => {
    try {
      const begun = await oidc.begin(redirectUri())
      memory.keep(reply, begun.question)
      return reply.redirect(begun.url)
    } catch (error) {
      log.warn({ err: error }, 'the provider of sign-in cannot be asked')
      return reply.redirect('/app/?sign_in=unavailable')
    }
  })

  scope.get(CALLBACK, { schema: { hide: true } }, async (request, reply) => {
    const asked = memory.take(request, reply)
    if (asked === undefined) return reply.redirect('/app/?sign_in=failed')
    try {
      const came = new URL(redirectUri())
      came.search = new URL(request.url, came).search
      const identity = await oidc.complete(came, asked)
      const personId = await parts.people.matchIdentity(identity)
      if (personId === undefined) {
        // Somebody has that name, and nobody vouched for it being theirs.
        const namesake = identity.confirmedEmail && (await parts.people.findLogin(identity.confirmedEmail))
        if (namesake) parts.noteFailure(namesake, request.ip, 'provider')
        return reply.redirect('/app/?sign_in=unknown')
      }
      await beginSession(request, { personId })
      await parts.noteSignIn(personId)
      return reply.redirect('/app/')
    } catch (error) {
      log.warn({ err: error }, 'sign-in by the provider failed')
      return reply.redirect('/app/?sign_in=failed')
    }
  })
}

function questionCookie({ secret, cookieName, baseUrl }: SessionSettings) {
  // A key of its own: what is signed here is no session.
  const signer = new Signer(createHash('sha256').update(`oidc ${secret}`).digest('base64url'))
  const name = `${cookieName}-away`
  const place = { path: PATH, httpOnly: true, sameSite: 'lax', secure: baseUrl.startsWith('https:') } as const
  return {
    keep(reply: FastifyReply, asked: OidcQuestion): void {
      const until = Date.now() + AWAY_SECONDS * 1_000
      const text = Buffer.from(JSON.stringify({ ...asked, until })).toString('base64url')
      reply.setCookie(name, signer.sign(text), { ...place, maxAge: AWAY_SECONDS })
    },
    /** Once. */
    take(request: FastifyRequest, reply: FastifyReply): OidcQuestion | undefined {
      const { valid, value } = signer.unsign(request.cookies[name] ?? '')
      reply.clearCookie(name, place)
      if (!valid || value === null) return undefined
      const asked = question.parse(JSON.parse(Buffer.from(value, 'base64url').toString()))
      return asked.until > Date.now() ? asked : undefined
    },
  }
}
