import { type AppRoutesOptions, appRoutes } from '../../src/http/app/app-routes.ts'
import type { Session, SignedIn } from '../../src/http/app/schemas/session.ts'
import { packagePath } from '../../src/lib/files.ts'
import { createLiveEvents, type LiveEvents } from '../../src/service/live-events.ts'
import { type Answer, httpCall } from './http-call.ts'
import { recordingLog } from './recording-log.ts'
import { retryOverload } from './retry-overload.ts'
import { type RunningService, type StartOptions, startService } from './start-service.ts'

export interface AppCall {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Sent as JSON. */
  readonly body?: unknown
  readonly form?: readonly (readonly [name: string, value: string | File])[]
  /** Sent as they are. */
  readonly bytes?: Uint8Array<ArrayBuffer>
  readonly query?: Readonly<Record<string, string | number | boolean>>
  readonly headers?: Readonly<Record<string, string>>
}

/** A browser, as much of it as a test needs: it keeps one cookie and the token against forged requests. */
export interface Visitor {
  /** Path below /app/api. */
  call(path: string, options?: AppCall): Promise<Answer>
  /** As `call`; throws unless the answer is 2xx. */
  get<Body>(path: string, query?: AppCall['query']): Promise<Body>
  send<Body>(method: NonNullable<AppCall['method']>, path: string, body?: unknown): Promise<Body>
  /** Reads the session, and keeps its token. */
  session(): Promise<Session>
  /** `name=value`, as browsers send it; empty before the first answer that sets one. */
  readonly cookie: string
}

export interface SignedInVisitor extends Visitor {
  readonly personId: string
  readonly accountId: string
  readonly login: string
}

/** A running service with the app, and its first person signed in: administrator, and owner of its account. */
export interface AppVisit extends SignedInVisitor, AsyncDisposable {
  readonly baseUrl: string
  readonly running: RunningService
  readonly service: RunningService['service']
  readonly store: RunningService['store']
  readonly live: LiveEvents
  /** Somebody who has not signed in. */
  visitor(): Visitor
  /** A further person, signed in; of the account of the first one unless another is named. */
  personFor(person: { role: 'owner' | 'member'; login?: string; accountId?: string }): Promise<SignedInVisitor>
}

type DoorParts = Pick<AppVisit, 'service' | 'store' | 'live'>

/** Of everybody whom this file signs up. */
export const PASSWORD = 'correct horse battery'

/**
 * Starts a real service with the real app door.
 *
 * @param door what the routes under test need beside the service; others answer 500
 */
export async function appVisit(
  options: StartOptions & { readonly door?: (parts: DoorParts) => Partial<AppRoutesOptions> } = {},
): Promise<AppVisit> {
  const live = createLiveEvents()
  const { door, ...start } = options
  const running = await startService({
    ...start,
    live,
    routes: (server, service, store) => {
      start.routes?.(server, service, store)
      const standard: Partial<AppRoutesOptions> = {
        service,
        live,
        log: recordingLog().log,
        folder: packagePath('dist/web'),
        version: '1.0.0',
        baseUrl: 'http://127.0.0.1:0',
        sessions: { secret: 'a secret of 32 characters or more', cookieName: 'recalld-test' },
      }
      appRoutes(server, { ...standard, ...door?.({ service, store, live }) } as AppRoutesOptions)
    },
  })
  const { baseUrl, service, store, accountId } = running
  const signUp = async (token: string, login: string): Promise<SignedInVisitor> => {
    const visitor = newVisitor(baseUrl)
    await visitor.session()
    const body = { token, name: login, login, password: PASSWORD }
    const signedIn = await visitor.send<SignedIn>('POST', '/sign-in/link', body)
    await visitor.session()
    return Object.defineProperties(
      { ...visitor, personId: signedIn.person.id, accountId: signedIn.account.id, login },
      { cookie: { get: () => visitor.cookie, enumerable: true } },
    )
  }
  const link = await service.people.links.first(accountId)
  if (link === undefined) throw new Error('Somebody has signed up already')
  const first = await signUp(link.token, 'ada@example.com')
  let people = 1
  return Object.defineProperties(
    {
      ...first,
      baseUrl,
      running,
      service,
      store,
      live,
      visitor: () => newVisitor(baseUrl),
      async personFor({ role, login = `person-${++people}@example.com`, accountId: theirs = accountId }) {
        const { token } = await service.people.links.invite({ accountId: theirs, role })
        return signUp(token, login)
      },
      [Symbol.asyncDispose]: () => running.stop(),
    },
    { cookie: { get: () => first.cookie, enumerable: true } },
  )
}

/** Somebody with a browser who has not signed in. */
export function newVisitor(baseUrl: string): Visitor {
  let cookie = ''
  let csrf = ''
  const visitor: Visitor = {
    async call(path, { method = 'GET', body, form, bytes, query, headers } = {}) {
      const search = new URLSearchParams()
      for (const [name, value] of Object.entries(query ?? {})) search.set(name, String(value))
      const url = `${baseUrl}/app/api${path}${search.size === 0 ? '' : `?${search}`}`
      const ask = () =>
        httpCall(url, {
          method,
          headers: {
            ...(cookie === '' ? {} : { cookie }),
            ...(method === 'GET' ? {} : { 'x-csrf-token': csrf }),
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            ...(bytes === undefined ? {} : { 'content-type': 'application/octet-stream' }),
            ...headers,
          },
          ...(form && { form }),
          ...(body !== undefined && { body: JSON.stringify(body) }),
          ...(bytes !== undefined && { body: bytes }),
        })
      const answer = await retryOverload(ask, overloadSeconds)
      for (const set of answer.headers.getSetCookie()) cookie = set.split(';', 1)[0] ?? ''
      return answer
    },
    get: async <Body>(path: string, query?: AppCall['query']) =>
      checked<Body>(path, await visitor.call(path, query && { query })),
    send: async <Body>(method: NonNullable<AppCall['method']>, path: string, body?: unknown) =>
      checked<Body>(path, await visitor.call(path, { method, ...(body !== undefined && { body }) })),
    async session() {
      const session = await visitor.get<Session>('/session')
      csrf = session.csrf_token
      return session
    },
    get cookie() {
      return cookie
    },
  }
  return visitor
}

/** The seconds after which a service that refused a call for its load takes it again. */
function overloadSeconds({ status, text, headers }: Answer): number | undefined {
  return status === 503 && text.includes('overloaded') ? Number(headers.get('retry-after')) : undefined
}

function checked<Body>(path: string, { status, text }: Answer): Body {
  if (status < 200 || status > 299) throw new Error(`${path}: ${status} ${text}`)
  return (text === '' ? undefined : JSON.parse(text)) as Body
}
