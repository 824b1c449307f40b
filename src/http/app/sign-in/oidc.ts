import * as client from 'openid-client'

/** A provider of OpenID Connect that vouches for people. */
export interface OidcSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** As people know it. */
  readonly title: string
}

/** What has to come back unchanged; kept by the browser of the person for as long as they are away. */
export interface OidcQuestion {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

export interface OidcPerson {
  readonly issuer: string
  readonly subject: string
  /** Only one that the provider has confirmed. */
  readonly confirmedEmail?: string
  readonly name?: string
}

export interface Oidc {
  /** Where the person is sent, and what is to be remembered of it. */
  begin(redirectUri: string): Promise<{ readonly url: string; readonly question: OidcQuestion }>
  /** @param url that the person came back to, with everything in it */
  complete(url: URL, question: OidcQuestion): Promise<OidcPerson>
}

const WAIT_SECONDS = 10

/** Authorization code with PKCE and a nonce. The provider is asked about itself at the first sign-in, not at the start. */
export function createOidc({ issuer, clientId, clientSecret }: OidcSettings): Oidc {
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
      // Without it, signatures of ID tokens that came by TLS are not looked at.
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
