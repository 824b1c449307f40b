import { SourceError } from '../../src/connector/source-error.ts'
import { CLOUD_HOSTS, type MicrosoftCloud } from './microsoft-config.ts'

export type GraphQuery = Readonly<Record<string, string | number | boolean | undefined>>

const GRAPH_ORIGINS: ReadonlySet<string> = new Set(Object.values(CLOUD_HOSTS).map(({ graph }) => graph))
const VERSION = /\/(v1\.0|beta)$/

/**
 * Root of the API, without a trailing slash.
 *
 * @param apiUrl with or without /v1.0; defaults to that of the cloud
 */
export function graphRoot(apiUrl: string | undefined, cloud: MicrosoftCloud): string {
  const root = (apiUrl ?? CLOUD_HOSTS[cloud].graph).replace(/\/+$/, '')
  return VERSION.test(root) ? root : `${root}/v1.0`
}

/** A path with its query, both relative to the root. Parameter names such as `$select` are not encoded. */
export function graphPath(path: string, query: GraphQuery = {}): string {
  const written = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value)).replaceAll('%2C', ',')}`)
  if (written.length === 0) return path
  return `${path}${path.includes('?') ? '&' : '?'}${written.join('&')}`
}

/** A name in a path, decoded for people. */
export function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch (error) {
    // A name with a percent sign that was not encoded.
    if (error instanceof URIError) return part
    throw error
  }
}

/**
 * Path and query of a link from Graph (`@odata.nextLink`, `Location`), relative to the root. Only these are stored in
 * cursors and requested, so the token is never sent to another origin. Links to a Graph host are accepted when api_url
 * is a proxy for it.
 *
 * @throws SourceError `reconfigure` when the link leads elsewhere
 */
export function belowRoot(link: string, root: string): string {
  const base = new URL(root)
  const url = URL.parse(link, `${root}/`)
  if (url !== null) {
    const rest = url.origin === base.origin ? withoutPrefix(url, base.pathname) : withoutVersion(url)
    if (rest !== undefined) return rest
  }
  throw new SourceError(
    'reconfigure',
    `Graph continues at ${url?.origin ?? 'an invalid address'}, where the token is not sent. If that is your server, set api_url to it.`,
  )
}

function withoutPrefix({ pathname, search }: URL, prefix: string): string | undefined {
  return pathname.startsWith(`${prefix}/`) ? `${pathname.slice(prefix.length)}${search}` : undefined
}

function withoutVersion({ origin, pathname, search }: URL): string | undefined {
  if (!GRAPH_ORIGINS.has(origin)) return undefined
  const rest = /^\/(?:v1\.0|beta)(\/.*)$/.exec(pathname)?.[1]
  return rest === undefined ? undefined : `${rest}${search}`
}

/** For every mailbox and calendar request: other ids change when an item is moved. */
export const IMMUTABLE = 'IdType="ImmutableId"'

/** A time from Graph; `undefined` when it is invalid, so that one odd record stops nothing. */
export function graphTime(time: string | null | undefined): Date | undefined {
  const at = new Date(time ?? '')
  return Number.isNaN(at.getTime()) ? undefined : at
}
