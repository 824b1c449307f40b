import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/** What a request gets instead of its answer. */
export type OAuthFault =
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: number }
  | { readonly kind: 'error'; readonly answer: Readonly<Record<string, unknown>>; readonly status?: number }
  | { readonly kind: 'malformed' }
  | { readonly kind: 'redirect'; readonly to: string }
  /** The request has its effect, and the connection ends before the answer. */
  | { readonly kind: 'cut' }

export type OAuthEndpoint = 'token' | 'device' | 'revoke' | 'identity'

export interface OAuthServer extends AsyncDisposable {
  /** `http://127.0.0.1:port`, for `place.authUrl` and `place.apiUrl`. */
  readonly url: string
  /** Every request, oldest first. */
  readonly log: { readonly path: string; readonly endpoint: string; readonly form: Readonly<Record<string, string>> }[]
  /** Every secret that was ever given or made up; none of them may appear anywhere. */
  readonly secrets: ReadonlySet<string>
  /** What the next person in front of a browser does. */
  person: { readonly account: string; readonly title: string; refuses?: string }
  /** The next request of this endpoint, or the one after `after` others, fails. */
  fault(endpoint: OAuthEndpoint, fault: OAuthFault, after?: number): void
  /** Called before each answer of the token endpoint, as to let another process come first. */
  onToken: (() => unknown) | undefined
  count(endpoint: OAuthEndpoint, grantType?: string): number
  /** As a browser: opens the address, agrees (or not), and follows to where it is sent back. */
  browse(url: string): Promise<string>
  /** The person types the code. */
  typeCode(code: string, decision?: 'agree' | 'refuse' | 'expire'): void
  /** Nothing of what was granted until now is taken any more. */
  withdrawAll(): void
  /** Whether an API would take it. */
  accepts(accessToken: string): boolean
}

export interface OAuthServerOptions {
  readonly clock: () => Date
  readonly clientId?: string
  readonly clientSecret?: string
  /** Seconds; 0: access tokens do not end, and there are no refresh tokens. */
  readonly expiresIn?: number
  /** `kept`: one for the life of the grant, left out of renewals; `rotated`: single use. */
  readonly refreshTokens?: 'kept' | 'rotated' | 'none'
  /** How long one that was used is taken again, as by those who forgive a lost answer; until what it gave is used. */
  readonly graceMs?: number
  /** Seconds. */
  readonly refreshTokenExpiresIn?: number
  /** Of what was asked for, what the person allows; all when absent. */
  readonly allows?: readonly string[]
  /** Seconds between two questions of the device flow. */
  readonly interval?: number
  /** What the API says about the owner of a token, by path. */
  readonly identity?: (grant: OAuthGrant, path: string) => Readonly<Record<string, unknown>>
  /** The answer of the token endpoint in a form of its own. */
  readonly shape?: (answer: Readonly<Record<string, unknown>>, grant: OAuthGrant) => Readonly<Record<string, unknown>>
}

export interface OAuthGrant {
  readonly account: string
  readonly title: string
  readonly scopes: readonly string[]
  ended: boolean
}

interface Code {
  readonly grant: OAuthGrant
  readonly redirectUri: string
  readonly challenge: string | undefined
  isUsed: boolean
}

interface Refresh {
  readonly grant: OAuthGrant
  /** The one that it was given for. */
  readonly replaces: string | undefined
  usedAt?: Date
}

interface Device {
  readonly userCode: string
  readonly scopes: readonly string[]
  decision?: 'agree' | 'refuse' | 'expire'
}

/** A provider of OAuth 2 on this machine: codes with PKCE, device codes, rotation, revocation. Paths by their ends. */
export async function oauthServer(options: OAuthServerOptions): Promise<OAuthServer> {
  const provider = oauthState(options)
  const { log, faults } = provider

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '', self.url)
    const form = Object.fromEntries(
      request.method === 'POST' ? new URLSearchParams(await bodyOf(request)) : searchParams,
    )
    const endpoint = endpointOf(pathname)
    log.push({ path: pathname, endpoint, form })
    if (endpoint === 'token') await self.onToken?.()
    const fault = provider.takeFault(endpoint)
    if (fault !== undefined && fault.kind !== 'cut') return failAs(fault, response)
    const authorization = request.headers.authorization ?? ''
    const { status, body, location } = provider.answer(endpoint, form, {
      person: self.person,
      authorization,
      path: pathname,
    })
    if (fault !== undefined) return void response.destroy()
    if (location !== undefined) return void response.writeHead(302, { location }).end()
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  const self: OAuthServer = {
    url: `http://127.0.0.1:${address.port}`,
    log,
    secrets: provider.secrets,
    person: { account: '1001', title: 'ada@acme.test' },
    fault: (endpoint, fault, after = 0) => faults.push({ endpoint, fault, after }),
    onToken: undefined,
    count: (endpoint, grantType) =>
      log.filter((one) => one.endpoint === endpoint && (!grantType || one.form.grant_type === grantType)).length,
    async browse(url) {
      const response = await fetch(url, { redirect: 'manual' })
      const location = response.headers.get('location')
      if (location === null) throw new Error(`The authorization endpoint answered ${response.status}`)
      return location
    },
    typeCode: provider.typeCode,
    withdrawAll: provider.withdrawAll,
    accepts: provider.accepts,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
  return self
}

function endpointOf(path: string): string {
  if (/(token|access|oauth_token)$/.test(path)) return 'token'
  if (/(devicecode|device\/code)$/.test(path)) return 'device'
  if (/revoke$/.test(path)) return 'revoke'
  return /(authorize|auth)$/.test(path) ? 'authorize' : 'identity'
}

interface Answer {
  readonly status: number
  readonly body?: Readonly<Record<string, unknown>>
  readonly location?: string
}

const refuse = (error: string, status = 400): Answer => ({ status, body: { error } })

function oauthState(options: OAuthServerOptions) {
  const { clock, clientId = 'client-1', clientSecret, expiresIn = 3_600, graceMs = 0 } = options
  const refreshTokens = options.refreshTokens ?? (expiresIn === 0 ? 'none' : 'rotated')
  const secrets = new Set<string>(clientSecret === undefined ? [] : [clientSecret])
  const codes = new Map<string, Code>()
  const devices = new Map<string, Device>()
  const access = new Map<string, { readonly grant: OAuthGrant; readonly until: number }>()
  const refresh = new Map<string, Refresh>()
  const log: OAuthServer['log'] = []
  const faults: { endpoint: string; fault: OAuthFault; after: number }[] = []

  const make = (prefix: string) => {
    const secret = `${prefix}-${randomBytes(12).toString('hex')}`
    secrets.add(secret)
    return secret
  }
  const grantTo = (person: OAuthServer['person'], asked: readonly string[]): OAuthGrant => ({
    account: person.account,
    title: person.title,
    scopes: asked.filter((scope) => options.allows?.includes(scope) ?? true),
    ended: false,
  })
  const now = () => clock().getTime()

  function tokens(grant: OAuthGrant, used?: string): Answer {
    const accessToken = make('access')
    access.set(accessToken, { grant, until: expiresIn === 0 ? Number.POSITIVE_INFINITY : now() + expiresIn * 1_000 })
    const isNew = refreshTokens === 'rotated' || (refreshTokens === 'kept' && used === undefined)
    const refreshToken = isNew ? make('refresh') : undefined
    if (refreshToken !== undefined) refresh.set(refreshToken, { grant, replaces: used })
    const answer = {
      access_token: accessToken,
      token_type: 'Bearer',
      scope: grant.scopes.join(' '),
      ...(expiresIn > 0 && { expires_in: expiresIn }),
      ...(refreshToken !== undefined && { refresh_token: refreshToken }),
      ...(options.refreshTokenExpiresIn !== undefined && { refresh_token_expires_in: options.refreshTokenExpiresIn }),
      ...(grant.scopes.includes('openid') && { id_token: idToken(grant) }),
    }
    return { status: 200, body: options.shape?.(answer, grant) ?? answer }
  }

  function redeem(form: Readonly<Record<string, string>>): Answer {
    const code = codes.get(form.code ?? '')
    if (code === undefined || code.isUsed || code.redirectUri !== form.redirect_uri) return refuse('invalid_grant')
    code.isUsed = true
    const hash = createHash('sha256')
      .update(form.code_verifier ?? '')
      .digest('base64url')
    if (code.challenge !== undefined && code.challenge !== hash) return refuse('invalid_grant')
    return tokens(code.grant)
  }

  function renew(form: Readonly<Record<string, string>>): Answer {
    const known = refresh.get(form.refresh_token ?? '')
    if (known === undefined || known.grant.ended) return refuse('invalid_grant')
    if (refreshTokens === 'kept') return tokens(known.grant, form.refresh_token)
    if (known.usedAt !== undefined && now() - known.usedAt.getTime() >= graceMs) return refuse('invalid_grant')
    known.usedAt ??= clock()
    if (known.replaces !== undefined) refresh.delete(known.replaces)
    return tokens(known.grant, form.refresh_token)
  }

  function poll(form: Readonly<Record<string, string>>, person: OAuthServer['person']): Answer {
    const device = devices.get(form.device_code ?? '')
    if (device?.decision === undefined) return refuse(device === undefined ? 'invalid_grant' : 'authorization_pending')
    if (device.decision === 'agree') return tokens(grantTo(person, device.scopes))
    return refuse(device.decision === 'refuse' ? 'access_denied' : 'expired_token')
  }

  function authorize(form: Readonly<Record<string, string>>, person: OAuthServer['person']): Answer {
    if (form.client_id !== clientId || form.response_type !== 'code') return refuse('invalid_request')
    const back = new URL(form.redirect_uri ?? '')
    back.searchParams.set('state', form.state ?? '')
    if (person.refuses !== undefined) back.searchParams.set('error', person.refuses)
    else {
      const code = make('code')
      back.searchParams.set('code', code)
      const asked = (form.user_scope ?? form.scope ?? '').split(/[ ,]/).filter(Boolean)
      const redirectUri = form.redirect_uri ?? ''
      codes.set(code, { grant: grantTo(person, asked), redirectUri, challenge: form.code_challenge, isUsed: false })
    }
    return { status: 302, location: back.href }
  }

  function device(form: Readonly<Record<string, string>>): Answer {
    const [deviceCode, userCode] = [make('device'), randomBytes(4).toString('hex').toUpperCase()]
    devices.set(deviceCode, { userCode, scopes: (form.scope ?? '').split(' ').filter(Boolean) })
    const { interval = 0.002 } = options
    const body = { device_code: deviceCode, user_code: userCode, verification_uri: 'https://auth.test/device' }
    return { status: 200, body: { ...body, expires_in: 900, interval } }
  }

  function revoke(form: Readonly<Record<string, string>>): Answer {
    const grant = (refresh.get(form.token ?? '') ?? access.get(form.token ?? ''))?.grant
    if (grant !== undefined) grant.ended = true
    return { status: 200, body: {} }
  }

  function identity(authorization: string, path: string): Answer {
    const known = access.get(authorization.replace(/^Bearer /, ''))
    if (known === undefined || known.grant.ended) return refuse('invalid_token', 401)
    const { account, title } = known.grant
    return { status: 200, body: options.identity?.(known.grant, path) ?? { account, title } }
  }

  const isClient = (form: Readonly<Record<string, string>>) =>
    form.client_id === clientId && form.client_secret === clientSecret

  return {
    log,
    faults,
    secrets,
    takeFault(endpoint: string): OAuthFault | undefined {
      const at = faults.findIndex((planned) => planned.endpoint === endpoint)
      const planned = faults[at]
      if (planned === undefined) return undefined
      if (planned.after > 0) {
        planned.after -= 1
        return undefined
      }
      faults.splice(at, 1)
      return planned.fault
    },
    answer(
      endpoint: string,
      form: Readonly<Record<string, string>>,
      { person, authorization, path }: { person: OAuthServer['person']; authorization: string; path: string },
    ): Answer {
      if (endpoint === 'identity') return identity(authorization, path)
      if (endpoint === 'authorize') return authorize(form, person)
      if (endpoint === 'device') return device(form)
      if (!isClient(form)) return refuse('invalid_client', 401)
      if (endpoint === 'revoke') return revoke(form)
      if (form.grant_type === 'authorization_code') return redeem(form)
      if (form.grant_type === 'refresh_token') return renew(form)
      if (form.grant_type === 'urn:ietf:params:oauth:grant-type:device_code') return poll(form, person)
      return refuse('unsupported_grant_type')
    },
    typeCode(userCode: string, decision: Device['decision'] = 'agree') {
      const found = [...devices.values()].find((one) => one.userCode === userCode)
      if (found === undefined || decision === undefined) throw new Error(`There is no code ${userCode}`)
      found.decision = decision
    },
    withdrawAll() {
      for (const { grant } of [...refresh.values(), ...access.values()]) grant.ended = true
    },
    accepts(accessToken: string) {
      const known = access.get(accessToken)
      return known !== undefined && !known.grant.ended && known.until > now()
    },
  }
}

/** Nobody checks its signature, nor its issuer, which some providers have one of per tenant. */
function idToken({ account, title }: OAuthGrant): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return [part({ alg: 'RS256' }), part({ iss: 'https://tenant.test', sub: account, email: title }), 'signature'].join(
    '.',
  )
}

function failAs(fault: Exclude<OAuthFault, { kind: 'cut' }>, response: ServerResponse): void {
  switch (fault.kind) {
    case 'status':
      response.writeHead(
        fault.status,
        fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) },
      )
      response.end('<html>out of order</html>')
      return
    case 'redirect':
      response.writeHead(307, { location: fault.to }).end()
      return
    case 'malformed':
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"access_token": ')
      return
    default:
      response.writeHead(fault.status ?? 400, { 'content-type': 'application/json' }).end(JSON.stringify(fault.answer))
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
