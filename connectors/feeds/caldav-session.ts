import { resolveSrv } from 'node:dns/promises'
import {
  createAccount,
  type DAVCalendar,
  type DAVResponse,
  davRequest,
  fetchCalendars,
  propfind,
  syncCollection,
} from 'tsdav'
import { configuredToken } from '../../src/connector/connection-fields.ts'
import type { CheckContext } from '../../src/connector/connector.ts'
import { perRun } from '../../src/connector/per-run.ts'
import { hasNoServer, SourceError } from '../../src/connector/source-error.ts'
import { retryTime } from '../../src/connector/source-time.ts'
import type { CaldavConfig } from './caldav-config.ts'

/** Largest response; a hundred events with long descriptions have some MiB. */
const MOST_BYTES = 32 * 1024 * 1024
const TIMEOUT_MS = 60_000

/** Servers of large providers, by the domain of the address: not all announce them. */
const SERVERS: Readonly<Record<string, string>> = {
  'fastmail.com': 'caldav.fastmail.com',
  'fastmail.fm': 'caldav.fastmail.com',
  'icloud.com': 'caldav.icloud.com',
  'me.com': 'caldav.icloud.com',
  'mac.com': 'caldav.icloud.com',
}

/** What changed in a calendar: paths of event files. */
export interface ListedEvents {
  readonly changed: readonly string[]
  readonly removed: readonly string[]
  /** For the next run; absent: the server has none. */
  readonly token?: string
  /** ETags by path, where the server has no tokens. */
  readonly etags?: Readonly<Record<string, string>>
}

/** The calendars of the account with events; found once in a run. @throws SourceError */
export const calendarsOf = perRun(async (context: CheckContext<CaldavConfig>): Promise<readonly DAVCalendar[]> => {
  const { user } = context.config
  const serverUrl = await serverOf(context.config)
  const credentials = { username: user, password: configuredToken(context.config) }
  const request = requestOf(context, serverUrl)
  try {
    const search = { ...request, fetch: limitedFetch(context, new URL(serverUrl)) }
    const account = await createAccount({ account: { accountType: 'caldav', serverUrl, credentials }, ...search })
    const calendars = await fetchCalendars({ account, ...request })
    if (calendars.length === 0) await expectNoCalendars(account.homeUrl ?? serverUrl, request)
    return calendars.filter(({ components = [] }) => components.length === 0 || components.includes('VEVENT'))
  } catch (error) {
    if (error instanceof SourceError) throw error
    const message = `No calendars were found at ${new URL(serverUrl).host}. Check server: it must offer CalDAV.`
    throw new SourceError('reconfigure', message, { cause: error })
  }
})

/** tsdav finds no calendars in what it can't read, too. @throws SourceError `retry` */
async function expectNoCalendars(url: string, request: ReturnType<typeof requestOf>): Promise<void> {
  const asked = { url, depth: '1', props: { 'd:displayname': {}, 'd:resourcetype': {} } } as const
  const found = readable(await propfind({ ...asked, ...request }), url)
  if (found.some(({ props }) => Object.hasOwn(Object(props?.resourcetype), 'calendar'))) throw unknownForm(url)
}

/** @throws SourceError `restart` when the server no longer accepts the token */
export async function listEvents(
  { url, reports = [] }: DAVCalendar,
  known: { readonly token?: string | undefined; readonly etags?: Readonly<Record<string, string>> | undefined },
  context: CheckContext<CaldavConfig>,
): Promise<ListedEvents> {
  const request = requestOf(context, url)
  if (known.etags === undefined && reports.includes('syncCollection')) return changesSince(url, known.token, request)
  const responses = await propfind({ url, depth: '1', props: { 'd:getetag': {} }, ...request })
  const found = pathsOf(readable(responses, url), url)
  const etags = Object.fromEntries(found.map(({ path, response }) => [path, String(response.props?.getetag ?? '')]))
  const before = known.etags ?? {}
  return {
    changed: Object.keys(etags).filter((path) => etags[path] === '' || before[path] !== etags[path]),
    removed: Object.keys(before).filter((path) => !Object.hasOwn(etags, path)),
    etags,
  }
}

/** RFC 6578. A server that limits its answers gives a token for the rest. */
async function changesSince(
  url: string,
  given: string | undefined,
  request: ReturnType<typeof requestOf>,
): Promise<ListedEvents> {
  const changed = new Set<string>()
  const removed = new Set<string>()
  let token = given
  for (let isCut = true; isCut; ) {
    const asked = { url, syncLevel: 1, syncToken: token ?? '', props: { 'd:getetag': {} } }
    const responses = readable(await syncCollection({ ...asked, ...request }), url)
    const next = tokenIn(responses)
    if (next === undefined) {
      throw given === undefined ? unknownForm(url) : unknownToken()
    }
    for (const { path, response } of pathsOf(responses, url)) {
      const [to, from] = response.status === 404 ? [removed, changed] : [changed, removed]
      to.add(path)
      from.delete(path)
    }
    isCut = next !== token && responses.some(({ status }) => status === 507)
    token = next
  }
  return { changed: [...changed], removed: [...removed], ...(token !== undefined && { token }) }
}

/** The files of events by path: `null` for one that was deleted, none for one that the server did not send. */
export async function readEvents(
  { url }: DAVCalendar,
  paths: readonly string[],
  context: CheckContext<CaldavConfig>,
): Promise<ReadonlyMap<string, string | null>> {
  const body = {
    'calendar-multiget': {
      _attributes: { 'xmlns:d': 'DAV:', 'xmlns:c': 'urn:ietf:params:xml:ns:caldav' },
      'd:prop': { 'd:getetag': {}, 'c:calendar-data': {} },
      'd:href': [...paths],
    },
  }
  const init = { method: 'REPORT', namespace: 'c', headers: { depth: '1' }, body } as const
  const { headers, fetch } = requestOf(context, url)
  const responses = await davRequest({ url, init: { ...init, headers: { ...headers, depth: '1' } }, fetch })
  const files = pathsOf(readable(responses, url), url).flatMap(({ path, response }): [string, string | null][] => {
    if (response.status === 404) return [[path, null]]
    const text = xmlText(response.props?.calendarData)
    return text === undefined ? [] : [[path, text]]
  })
  return new Map(files)
}

/** tsdav makes one response of whatever it can't read. @throws SourceError `retry` */
function readable(responses: readonly DAVResponse[], url: string): readonly DAVResponse[] {
  if (responses.some(({ raw }) => raw?.multistatus === undefined)) throw unknownForm(url)
  return responses
}

function unknownForm(url: string): SourceError {
  return new SourceError('retry', `${new URL(url).host} answered in an unknown form.`)
}

function unknownToken(): SourceError {
  return new SourceError('restart', 'The server no longer knows what it sent before.')
}

function pathsOf(responses: readonly DAVResponse[], url: string) {
  return responses.flatMap((response) => {
    const path = URL.parse(response.href ?? '', url)?.pathname
    return path === undefined || path.endsWith('/') || path === new URL(url).pathname ? [] : [{ path, response }]
  })
}

function tokenIn([first]: readonly DAVResponse[]): string | undefined {
  const token = xmlText(first?.raw?.multistatus?.syncToken)
  return token === '' ? undefined : token
}

/** The parser gives numbers for what looks like one, and an object for a section of character data. */
export function xmlText(value: unknown): string | undefined {
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  const data: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, '_cdata') : undefined
  return typeof data === 'string' ? data : undefined
}

/* ---------------------------------------------------------------- requests */

/** `caldav.example.org`, an address with a path, or that of the domain of the user's mail address. */
export async function serverOf({ server, user }: Pick<CaldavConfig, 'server' | 'user'>): Promise<string> {
  if (server !== undefined) return new URL(/^https?:\/\//i.test(server) ? server : `https://${server}`).href
  const domain = /@([^@\s]+)$/.exec(user)?.[1]?.toLowerCase()
  if (domain === undefined) {
    throw new SourceError('reconfigure', 'No server is set, and user is not a mail address that names one. Set server.')
  }
  return `https://${SERVERS[domain] ?? (await announced(domain)) ?? domain}/`
}

/** RFC 6764, 3. */
async function announced(domain: string): Promise<string | undefined> {
  const [first] = await resolveSrv(`_caldavs._tcp.${domain}`).catch(() => [])
  return first === undefined ? undefined : `${first.name}:${first.port}`
}

function requestOf(context: CheckContext<CaldavConfig>, from: string) {
  const { config } = context
  const secret = Buffer.from(`${config.user}:${configuredToken(config)}`).toString('base64')
  return { headers: { authorization: `Basic ${secret}` }, fetch: multistatusFetch(context, new URL(from)) }
}

/** Any other answer would read as a calendar without events, such as the page of a login. */
function multistatusFetch(context: CheckContext<CaldavConfig>, from: URL): typeof fetch {
  const send = limitedFetch(context, from)
  return async (input, init) => {
    const response = await send(input, init)
    const { status, headers } = response
    const { host, href } = new URL(input instanceof Request ? input.url : input)
    const text = await response.clone().text()
    if (status === 207 && isMultistatus(headers.get('content-type'), text)) return response
    // RFC 6578, 3.2.
    if (status >= 400 && /[<:]valid-sync-token[\s/>]/.test(text)) throw unknownToken()
    if (status < 400) throw unknownForm(href)
    throw new SourceError('retry', `${host} refused to send calendars (HTTP ${status}).`)
  }
}

/** Complete, too: an answer that was cut has no end. */
function isMultistatus(type: string | null, text: string): boolean {
  if (type?.toLowerCase().includes('xml') !== true) return false
  return /<\/(?:[\w.-]+:)?multistatus\s*>|<(?:[\w.-]+:)?multistatus\b[^<>]*\/>/.test(text)
}

/** One request of the run; a password never goes over a connection that is less safe than that to the server. */
function limitedFetch({ requests, signal, config }: CheckContext<CaldavConfig>, from: URL): typeof fetch {
  return (input, init) =>
    requests.call('caldav', async (own) => {
      signal.throwIfAborted()
      const url = new URL(input instanceof Request ? input.url : input)
      if (from.protocol === 'https:' && url.protocol !== 'https:') {
        throw new SourceError('reconfigure', `${from.host} leads to ${url.host} without encryption. Check server.`)
      }
      const limits = AbortSignal.any([own, signal, AbortSignal.timeout(TIMEOUT_MS)])
      try {
        const response = await fetch(url, { ...init, signal: limits })
        refuse(response, url, config)
        return await bounded(response)
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof SourceError) throw error
        throw new SourceError('retry', `Couldn't reach ${url.host}. Check the network of this server.`, {
          cause: error,
        })
      }
    })
}

/** @throws SourceError for what is no answer */
function refuse({ status, headers }: Response, { host }: URL, { user }: CaldavConfig): void {
  if (status === 401) {
    const advice = 'Many providers need an app password.'
    throw new SourceError('reauthorize', `${host} refused the user name ${user} or its password. ${advice}`)
  }
  if (status !== 429 && status < 500) return
  const retryAt = retryTime(headers.get('retry-after') ?? undefined, new Date())
  const limited = status === 429
  // Of a collection that is too large for one answer.
  if (status === 507) return
  throw new SourceError('retry', `${host} is busy (HTTP ${status}).`, {
    limited,
    ...(retryAt && { retryAt }),
  })
}

async function bounded(response: Response): Promise<Response> {
  if (response.body === null) return response
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body) {
    length += chunk.byteLength
    if (length > MOST_BYTES)
      throw new SourceError('skip', 'The calendar server sent too much at once.', { tooLarge: true })
    chunks.push(chunk)
  }
  const { status, statusText, headers } = response
  return new Response(Buffer.concat(chunks), { status, statusText, headers })
}

/** A mistyped server is no reason to try again later. */
export function withoutServer(error: unknown, host: string): unknown {
  if (!(error instanceof SourceError) || !hasNoServer(error)) return error
  return new SourceError('reconfigure', `No server answers at ${host}. Check server.`, { cause: error })
}
