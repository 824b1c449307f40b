import { z } from 'zod'
import type { CheckContext } from '../../src/connector/connector.ts'
import { tolerantRow } from '../../src/connector/listed-rows.ts'
import { type Remedy, SourceError } from '../../src/connector/source-error.ts'
import { type GraphAccess, graphAccess } from './graph-access.ts'
import { belowRoot, type GraphQuery, graphPath } from './graph-address.ts'
import { downloaded } from './graph-download.ts'
import { answerData, connectionCode, exchange, type GraphAnswer } from './graph-exchange.ts'
import { GraphRefusal } from './graph-failure.ts'
import type { MicrosoftConfig } from './microsoft-config.ts'

export interface GraphOptions {
  readonly query?: GraphQuery
  readonly headers?: Readonly<Record<string, string>>
}

/** Path and query of a link from Graph; stored in a cursor unchanged. */
export interface GraphLink {
  readonly link: string
}

export interface GraphPage<T> {
  readonly values: readonly T[]
  /** Absent on the last page. */
  readonly nextLink: string | undefined
  /** Only on the last page of a delta. */
  readonly deltaLink: string | undefined
}

export interface GraphNeed {
  /** The rate limit that Microsoft applies: `outlook`, `teams`, `files`. */
  readonly workload: string
  /** Permissions without which the connection cannot work: `Mail.Read`. */
  readonly scopes: readonly string[]
}

/** Four requests to a mailbox at once, and 10,000 in ten minutes; mail and calendar share them. */
export const OUTLOOK_QUOTA = { outlook: { atOnce: 4, perMinute: 1_000 } } as const

interface Request<T> {
  readonly schema: z.ZodType<T>
  readonly at: string
  readonly isLink: boolean
  readonly headers: Readonly<Record<string, string>>
}

const collection = z.looseObject({
  value: z.array(z.unknown()),
  '@odata.nextLink': z.string().nullish(),
  '@odata.deltaLink': z.string().nullish(),
})

const named = z.looseObject({ id: z.string().min(1) })

/** Microsoft Graph as these connectors use it: plain data, parsed by a schema, or a `SourceError` (`GraphRefusal`). */
export class GraphGateway {
  readonly #context: CheckContext<MicrosoftConfig>
  readonly #need: GraphNeed
  #opened: Promise<GraphAccess> | undefined

  /** @param need the request and its permissions */
  constructor(context: CheckContext<MicrosoftConfig>, need: GraphNeed) {
    this.#context = context
    this.#need = need
  }

  /** The URL of Graph and the grant in use. */
  access(): Promise<GraphAccess> {
    this.#opened ??= graphAccess(this.#context, this.#need.scopes)
    return this.#opened
  }

  /** @param path relative to the root, with encoded parts: `/me/events/AAMk` */
  get<T>(schema: z.ZodType<T>, path: string, options?: GraphOptions): Promise<T> {
    return this.#ask(requestOf(schema, path, options))
  }

  /** As `get`; `undefined` when it does not exist (404, 410). */
  async find<T>(schema: z.ZodType<T>, path: string, options?: GraphOptions): Promise<T | undefined> {
    try {
      return await this.get(schema, path, options)
    } catch (error) {
      if (isNotThere(error)) return undefined
      throw error
    }
  }

  /**
   * A page of a collection. Entries are taken without the fields that do not fit the schema, because one that is left
   * out looks deleted; those that need such a field are counted in the log.
   *
   * @param at a path, or the `nextLink` or `deltaLink` of an earlier page
   * @throws GraphRefusal `restart` when Graph no longer accepts the link
   */
  async page<T>(entry: z.ZodType<T>, at: string | GraphLink, options?: GraphOptions): Promise<GraphPage<T>> {
    const raw = await this.#ask(requestOf(collection, at, options))
    const values = raw.value.flatMap((value) => {
      const taken = tolerantRow(entry, value)
      if (taken === undefined && !named.safeParse(value).success) throw incomplete(at)
      return taken ?? []
    })
    const count = raw.value.length - values.length
    const { workload } = this.#need
    if (count > 0) this.#context.log.warn({ workload, count }, 'records in an unknown format')
    const { root } = await this.access()
    const below = (link: string | null | undefined) => (link ? belowRoot(link, root) : undefined)
    return { values, nextLink: below(raw['@odata.nextLink']), deltaLink: below(raw['@odata.deltaLink']) }
  }

  /**
   * All pages, one after another.
   *
   * @throws GraphRefusal `restart` as in `page`, and when a page repeats, which a cursor would never get past
   */
  pages<T>(entry: z.ZodType<T>, at: string | GraphLink, options?: GraphOptions): AsyncGenerator<GraphPage<T>> {
    return this.#pages(entry, at, options, 'restart')
  }

  /** All entries of a collection; throws rather than return a part. */
  async *list<T>(entry: z.ZodType<T>, path: string, options?: GraphOptions): AsyncGenerator<T> {
    for await (const { values } of this.#pages(entry, path, options, 'retry')) yield* values
  }

  /**
   * The content of a file; `undefined` when it does not exist or its pre-signed URL has expired.
   *
   * @param at a pre-signed URL, which is requested without a token; or a path that returns the content or redirects to
   * it
   * @throws SourceError `skip` when it is larger than `mostBytes`
   */
  download(at: string, mostBytes: number): Promise<Uint8Array | undefined> {
    const { workload } = this.#need
    return downloaded(at, mostBytes, { context: this.#context, workload, access: () => this.access() })
  }

  async *#pages<T>(
    entry: z.ZodType<T>,
    first: string | GraphLink,
    options: GraphOptions | undefined,
    remedy: Remedy,
  ): AsyncGenerator<GraphPage<T>> {
    const seen = new Set<string>()
    for (let at = first; ; ) {
      const found = await this.page(entry, at, options)
      yield found
      const { nextLink } = found
      if (nextLink === undefined) return
      if (seen.has(nextLink)) {
        throw new SourceError(remedy, `Graph keeps returning the same page of ${askedFor(nextLink)}.`)
      }
      seen.add(nextLink)
      at = { link: nextLink }
    }
  }

  #ask<T>({ schema, at, isLink, headers }: Request<T>): Promise<T> {
    const { signal: ofContext, requests, clock } = this.#context
    ofContext.throwIfAborted()
    const asked = askedFor(at)
    return requests.call(this.#need.workload, async (ofCall) => {
      const signal = AbortSignal.any([ofCall, ofContext])
      try {
        const answer = await sent(await this.access(), at, headers, signal)
        return schema.parse(answerData(answer, { asked, isLink, now: clock() }))
      } catch (cause) {
        signal.throwIfAborted()
        if (cause instanceof SourceError) throw cause
        const sentence =
          cause instanceof z.ZodError
            ? `Graph sent an incomplete response for ${asked} (the format is unexpected).`
            : `Couldn't reach Microsoft (${connectionCode(cause)}). Check the network of this server.`
        throw new SourceError('retry', sentence, { cause })
      }
    })
  }
}

/**
 * The link with which a delta continues after this page.
 *
 * @param what for people: the name of a channel or drive
 */
export function linkAfter({ nextLink, deltaLink }: GraphPage<unknown>, what: string): string {
  const link = nextLink ?? deltaLink
  if (link === undefined) throw new SourceError('retry', `Graph returned no continuation for the changes of ${what}.`)
  return link
}

function incomplete(at: string | GraphLink): SourceError {
  const asked = askedFor(typeof at === 'string' ? at : at.link)
  return new SourceError('retry', `Graph sent an incomplete response for ${asked} (a record without its id).`)
}

/** Whether Graph reports that the resource does not exist. */
export function isNotThere(error: unknown): boolean {
  return error instanceof GraphRefusal && error.remedy === 'skip' && (error.status === 404 || error.status === 410)
}

function requestOf<T>(
  schema: z.ZodType<T>,
  at: string | GraphLink,
  { query, headers = {} }: GraphOptions = {},
): Request<T> {
  return typeof at === 'string'
    ? { schema, at: graphPath(at, query), isLink: false, headers }
    : { schema, at: at.link, isLink: true, headers }
}

/** For messages: the path without its query and without the token that some links have in brackets. */
function askedFor(at: string): string {
  return (at.split(/\?|\(token/)[0] ?? '').slice(1)
}

/** Sends a request, and retries with a new token if the first one is rejected. */
async function sent(
  { root, token, replacement }: GraphAccess,
  at: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<GraphAnswer> {
  const first = await token(signal)
  const answer = await exchange(`${root}${at}`, first, headers, signal)
  if (answer.status !== 401) return answer
  const other = await replacement(first, signal)
  return other === undefined ? answer : exchange(`${root}${at}`, other, headers, signal)
}
