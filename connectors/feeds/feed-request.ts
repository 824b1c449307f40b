import { lookup as resolve } from 'node:dns/promises'
import { isIP } from 'node:net'
import { privateNetworks } from '../../src/connector/private-networks.ts'
import { SourceError } from '../../src/connector/source-error.ts'

/** All addresses of a name, as `dns.promises.lookup` gives them. */
type Lookup = (name: string) => Promise<readonly { readonly address: string }[]>

/** Whether an address, or a name with one of its addresses, lies in a network that is not the internet. */
export async function isPrivateHost({ hostname }: URL, lookup: Lookup): Promise<boolean> {
  const host = hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) === 0 ? (await lookup(host)).map(({ address }) => address) : [host]
  const list = privateNetworks()
  return addresses.some((address) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4'))
}

interface FeedRequest {
  readonly url: string
  /** For messages: the address may hold a password. */
  readonly title: string
  /** Content types, for the `accept` header. */
  readonly accept: string
  /** Of an earlier answer. */
  readonly validators: Validators
  readonly signal: AbortSignal
}

/** Validators for a conditional request. */
export interface Validators {
  readonly etag?: string | undefined
  readonly lastModified?: string | undefined
}

export interface FeedAnswer {
  readonly bytes: Uint8Array
  readonly contentType: string
  /** The final address after redirects; links are relative to it. */
  readonly url: string
  readonly validators: Validators
}

/** Largest response; the largest podcast feeds have a few MiB. */
const MOST_BYTES = 10 * 1024 * 1024
const TIMEOUT_MS = 30_000
const MOST_REDIRECTS = 5
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** `limited`: the rate limit of the server was reached. */
type FeedReply = FeedAnswer | 'unchanged' | 'limited'

/**
 * Reads a feed; `unchanged` when the server says so. Errors have no retry time, because a failing feed must not
 * delay the others.
 *
 * @param lookup how names are resolved
 * @throws SourceError `skip` when there is no feed, `retry` when there may be one later
 */
export async function requestFeed(request: FeedRequest, lookup: Lookup = allAddresses): Promise<FeedReply> {
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(TIMEOUT_MS)])
  let url = request.url
  for (let hop = 0; hop <= MOST_REDIRECTS; hop += 1) {
    const response = await connected(request, () => send(url, request, signal))
    const location = REDIRECTS.has(response.status) ? response.headers.get('location') : null
    if (location === null) return answerOf(response, url, request)
    await response.body?.cancel()
    url = await connected(request, () => redirected(request, location, url, lookup))
  }
  throw new SourceError('skip', `${request.title} redirects in a loop.`)
}

function allAddresses(name: string) {
  return resolve(name, { all: true })
}

function send(url: string, { validators, accept }: FeedRequest, signal: AbortSignal): Promise<Response> {
  const { etag, lastModified } = validators
  const headers = {
    accept,
    'user-agent': 'recalld',
    ...(etag !== undefined && { 'if-none-match': etag }),
    ...(lastModified !== undefined && { 'if-modified-since': lastModified }),
  }
  return fetch(url, { headers, signal, redirect: 'manual' })
}

/**
 * A feed on the internet must not make this machine send requests to its private network. `fetch` resolves the name again;
 * an attacker who can redirect it at that moment can also redirect the configured name, which is trusted.
 */
async function redirected(
  { url: configured, title }: FeedRequest,
  location: string,
  from: string,
  lookup: Lookup,
): Promise<string> {
  const target = URL.parse(location, from)
  if (target === null || !/^https?:$/.test(target.protocol) || target.username !== '') {
    throw new SourceError('skip', `${title} redirects to an invalid address.`)
  }
  if (!(await isPrivateHost(new URL(configured), lookup)) && (await isPrivateHost(target, lookup))) {
    throw new SourceError('skip', `${title} redirects to a private network (${target.hostname}), so it was not read.`)
  }
  return target.href
}

async function answerOf(response: Response, url: string, request: FeedRequest): Promise<FeedReply> {
  const { status, headers } = response
  if (status !== 200) await response.body?.cancel()
  if (status === 304) return 'unchanged'
  if (status === 429) return 'limited'
  if (status !== 200) throw failure(status, request)
  const bytes = await connected(request, () => limitedBytes(response, request))
  const [etag, lastModified] = [headers.get('etag') ?? undefined, headers.get('last-modified') ?? undefined]
  return { bytes, contentType: headers.get('content-type') ?? '', url, validators: { etag, lastModified } }
}

async function limitedBytes({ body }: Response, { title }: FeedRequest): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.length
    // Leaving the loop ends the connection.
    if (length > MOST_BYTES) throw new SourceError('skip', `${title} is larger than 10 MiB.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function connected<T>({ title, signal }: FeedRequest, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    signal.throwIfAborted()
    if (cause instanceof SourceError) throw cause
    const problem = `${title} did not respond. If this persists, check its address.`
    throw new SourceError('retry', problem, { cause })
  }
}

function failure(status: number, { title }: FeedRequest): SourceError {
  if (status >= 500 || status === 408) return new SourceError('retry', `${title} returned an error (HTTP ${status}).`)
  if (status === 410) return new SourceError('skip', `${title} no longer exists (HTTP 410). Remove it from urls.`)
  if (status === 404) return new SourceError('skip', `${title} was not found (HTTP 404). Check its address.`)
  return new SourceError('skip', `${title} can't be read (HTTP ${status}).`)
}
