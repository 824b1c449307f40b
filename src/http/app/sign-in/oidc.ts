import { createHash } from 'node:crypto'
import { Signer } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as client from 'openid-client'
import { z } from 'zod'
import type { Log } from '../../../lib/log.ts'
import type { ApiServer } from '../../rest/server-types.ts'
import { beginSession, type SessionSettings } from './sessions.ts'
import type { SignInParts } from './sign-in-parts.ts'

/** An OpenID Connect provider for sign-in. */
export interface OidcSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Display name. */
  readonly title: string
}

/** State that must come back unchanged; kept in a cookie while the person is at the provider. */
interface OidcQuestion {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

interface OidcPerson {
  readonly issuer: string
  readonly subject: string
  /** Only a verified one. */
  readonly confirmedEmail?: string
  readonly name?: string
}

interface Oidc {
  /** The address at the provider, and the state to keep. */
  begin(redirectUri: string): Promise<{ readonly url: string; readonly question: OidcQuestion }>
  /** @param url the full address after the redirect */
  complete(url: URL, question: OidcQuestion): Promise<OidcPerson>
}

const WAIT_SECONDS = 10

/** Authorization code flow with PKCE and a nonce. The provider is discovered at the first sign-in, not at the start. */
function createOidc({ issuer, clientId, clientSecret }: OidcSettings): Oidc {
  let found: Promise<client.Configuration> | undefined
  const provider = () => {
    found ??= discover()
    found.catch(() => {
      found = undefined
    })
    return found
  }
  const discover = () => {
    const server = new URL(issuer)
    const onThisMachine = server.protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(server.hostname)
    return client.discovery(server, clientId, undefined, client.ClientSecretPost(clientSecret), {
      timeout: WAIT_SECONDS,
      // Otherwise signatures of ID tokens received over TLS are not verified.
      execute: [client.enableNonRepudiationChecks, ...(onThisMachine ? [client.allowInsecureRequests] : [])],
    })
  }
  return {
    async begin(redirectUri) {
      const question = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      }
      const url = client.buildAuthorizationUrl(await provider(), {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state: question.state,
        nonce: question.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(question.verifier),
        code_challenge_method: 'S256',
      })
      return { url: url.href, question }
    },
    async complete(url, { state, nonce, verifier }) {
      const configuration = await provider()
      const tokens = await client.authorizationCodeGrant(configuration, url, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (claims === undefined) throw new Error('The provider sent no ID token')
      const hasUserinfo = configuration.serverMetadata().userinfo_endpoint !== undefined
      const more =
        claims.email === undefined && hasUserinfo
          ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
          : claims
      const isConfirmed = more.email_verified === true && typeof more.email === 'string'
      return {
        issuer: claims.iss,
        subject: claims.sub,
        ...(isConfirmed && { confirmedEmail: String(more.email) }),
        ...(typeof more.name === 'string' && { name: more.name }),
      }
    },
  }
}

const PATH = '/app/api/sign-in/oidc'
const CALLBACK = `${PATH}/callback`
/** Time to find a second factor. */
const AWAY_SECONDS = 600

const question = z.object({ state: z.string(), nonce: z.string(), verifier: z.string(), until: z.number() })

interface OidcRouteOptions extends SessionSettings {
  readonly settings: OidcSettings
  readonly log: Log
}

/**
 * Sign-in with an external provider. Browsers do not send the session cookie with a cross-site redirect, so the state
 * is in a separate cookie, for ten minutes and only for these paths. The new session starts with the response, which
 * loads a page of the app: its requests come from the same site.
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
      log.warn({ err: error }, 'the sign-in provider is unreachable')
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
        // Somebody has that name, and nobody else confirmed that it is theirs.
        const namesake = identity.confirmedEmail && (await parts.people.findLogin(identity.confirmedEmail))
        if (namesake) parts.noteFailure(namesake, request.ip, 'provider')
        return reply.redirect('/app/?sign_in=unknown')
      }
      await beginSession(request, { personId })
      await parts.noteSignIn(personId)
      return reply.redirect('/app/')
    } catch (error) {
      log.warn({ err: error }, 'sign-in with the provider failed')
      return reply.redirect('/app/?sign_in=failed')
    }
  })
}

function questionCookie({ secret, cookieName, baseUrl }: SessionSettings) {
  // A separate key: data signed with it is never a session.
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
