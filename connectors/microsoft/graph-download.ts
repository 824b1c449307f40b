import type { CheckContext } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import type { GraphAccess } from './graph-access.ts'
import { graphFailure } from './graph-failure.ts'
import type { MicrosoftConfig } from './microsoft-config.ts'

interface Downloading {
  readonly context: CheckContext<MicrosoftConfig>
  readonly workload: string
  access(): Promise<GraphAccess>
}

/** Longer than for other responses, because files are larger. */
const TIMEOUT_MS = 10 * 60_000
const ABSENT: ReadonlySet<number> = new Set([404, 410])
const EXPIRED: ReadonlySet<number> = new Set([401, 403])

/**
 * The content of a file; `undefined` when it does not exist or its pre-signed URL has expired.
 *
 * @param at a pre-signed URL, which is requested without a token; or a path that returns the content or redirects to it
 * @throws SourceError `skip` when it is larger than `mostBytes`
 */
export function downloaded(
  at: string,
  mostBytes: number,
  { context, workload, access }: Downloading,
): Promise<Uint8Array | undefined> {
  context.signal.throwIfAborted()
  return context.requests.call(workload, async (given) => {
    const signal = AbortSignal.any([given, context.signal])
    try {
      const response = await opened(at, await access(), AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]))
      const isExpired = !at.startsWith('/') && EXPIRED.has(response.status)
      if (isExpired || ABSENT.has(response.status)) return await ended(response, undefined)
      if (response.status !== 200) {
        const retryAfter = response.headers.get('retry-after') ?? undefined
        const failure = { status: response.status, code: '', message: '', retryAfter }
        throw await ended(response, graphFailure(failure, { asked: 'a file', isLink: false, now: context.clock() }))
      }
      return await bytesOf(response, mostBytes)
    } catch (cause) {
      signal.throwIfAborted()
      if (cause instanceof SourceError) throw cause
      throw new SourceError('retry', 'A file was not downloaded completely.', { cause })
    }
  })
}

async function opened(at: string, { root, token, replacement }: GraphAccess, signal: AbortSignal): Promise<Response> {
  if (!at.startsWith('/')) return fetched(at, root, signal)
  const send = (bearer: string) =>
    fetch(`${root}${at}`, { headers: { authorization: `Bearer ${bearer}` }, redirect: 'manual', signal })
  const first = await token(signal)
  let response = await send(first)
  const other = response.status === 401 ? await replacement(first, signal) : undefined
  if (other !== undefined) response = await ended(response, await send(other))
  const target = response.headers.get('location')
  if (response.status < 300 || response.status >= 400 || target === null) return response
  const redirected = await ended(response, await fetched(URL.parse(target, `${root}${at}`)?.href ?? '', root, signal))
  // The URL was just issued, so the path returns a different one.
  if (!EXPIRED.has(redirected.status)) return redirected
  throw await ended(redirected, new SourceError('retry', 'The address of a file has expired.'))
}

/** Sent without a token, because the URL itself grants access. */
async function fetched(url: string, root: string, signal: AbortSignal): Promise<Response> {
  // The error for an invalid URL would contain it, with its secret.
  if (!URL.canParse(url)) throw new SourceError('skip', 'Its address is invalid.')
  if (root.startsWith('https:') && !url.startsWith('https:')) {
    throw new SourceError('skip', 'Its address does not use https.')
  }
  return fetch(url, { signal })
}

async function bytesOf(response: Response, mostBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > mostBytes)
      throw new SourceError('skip', `It is larger than ${Math.floor(mostBytes / 1_000_000)} MB.`, { tooLarge: true })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Releases the connection. */
async function ended<T>(response: Response, value: T): Promise<T> {
  await response.body?.cancel()
  return value
}
