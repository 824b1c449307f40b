import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'

/** What the provider says of whoever is in front of the browser. */
export interface OidcClaims {
  readonly sub: string
  readonly email?: string
  readonly email_verified?: boolean
  readonly name?: string
}

/** A provider of OpenID Connect on this machine: discovery, codes with PKCE, ID tokens signed by RS256. */
export interface OidcProvider extends AsyncDisposable {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Whoever signs in next. */
  person: OidcClaims
  /** Changes ID tokens before they are signed. */
  alter: (claims: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>
  /** With a key that it does not publish. */
  signsWrongly: boolean
  /** As a browser: opens the address, agrees, and follows to where it is sent back. */
  browse(url: string): Promise<string>
}

interface Code {
  readonly claims: OidcClaims
  readonly nonce: string
  readonly challenge: string
  readonly redirectUri: string
}

export async function oidcProvider(): Promise<OidcProvider> {
  const [key, wrongKey] = [rsaKey(), rsaKey()]
  const codes = new Map<string, Code>()
  const authorize = (query: URLSearchParams): string => {
    const redirectUri = query.get('redirect_uri') ?? ''
    const code = randomBytes(8).toString('hex')
    const [nonce, challenge] = [query.get('nonce') ?? '', query.get('code_challenge') ?? '']
    codes.set(code, { claims: self.person, nonce, challenge, redirectUri })
    const back = new URL(redirectUri)
    back.searchParams.set('code', code)
    back.searchParams.set('state', query.get('state') ?? '')
    return back.href
  }
  const redeem = (form: URLSearchParams): Readonly<Record<string, unknown>> | undefined => {
    const code = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const hash = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isClient = form.get('client_id') === self.clientId && form.get('client_secret') === self.clientSecret
    if (code?.challenge !== hash || code.redirectUri !== form.get('redirect_uri') || !isClient) return undefined
    const now = Math.floor(Date.now() / 1_000)
    const claims = self.alter({
      ...{ iss: self.issuer, aud: self.clientId, iat: now, exp: now + 60, nonce: code.nonce },
      ...code.claims,
    })
    const id_token = signed(claims, (self.signsWrongly ? wrongKey : key).privateKey)
    return { access_token: randomBytes(8).toString('hex'), token_type: 'Bearer', id_token }
  }
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', self.issuer)
    const send = (body: unknown, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (url.pathname === '/.well-known/openid-configuration') send(metadata(self.issuer))
    else if (url.pathname === '/jwks') send({ keys: [{ ...key.jwk, kid: 'one', alg: 'RS256', use: 'sig' }] })
    else if (url.pathname === '/authorize') response.writeHead(302, { location: authorize(url.searchParams) }).end()
    else {
      void bodyOf(request).then((body) => {
        const tokens = redeem(new URLSearchParams(body))
        send(tokens ?? { error: 'invalid_grant' }, tokens === undefined ? 400 : 200)
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  const self: OidcProvider = {
    issuer: `http://127.0.0.1:${address.port}`,
    clientId: 'recalld',
    clientSecret: 'made-up-client-secret',
    person: { sub: '1' },
    alter: (claims) => claims,
    signsWrongly: false,
    async browse(url) {
      const location = (await fetch(url, { redirect: 'manual' })).headers.get('location')
      if (location === null) throw new Error('The provider sent nobody back')
      return location
    },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
  return self
}

function metadata(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    code_challenge_methods_supported: ['S256'],
  }
}

function rsaKey() {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  return { privateKey, jwk: publicKey.export({ format: 'jwk' }) }
}

function signed(claims: object, key: ReturnType<typeof rsaKey>['privateKey']): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${part({ alg: 'RS256', kid: 'one' })}.${part(claims)}`
  return `${text}.${createSign('RSA-SHA256').update(text).sign(key, 'base64url')}`
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
