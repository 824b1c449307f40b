import { z } from 'zod'
import { SourceError } from '../../src/connector/source-error.ts'
import { type Asked, graphqlFailure, type Headers, type RawAnswer } from './github-failure.ts'

export type Answer<T> =
  | Found<T>
  | { readonly outcome: 'unchanged' }
  /** 301: it moved to another repository; 404, 409 (empty repository), 410 (deleted or turned off). */
  | { readonly outcome: 'missing'; readonly status: number }

export interface Found<T> {
  readonly outcome: 'found'
  readonly data: T
  readonly etag: string | undefined
  /** Address of the next page, on the requested server. */
  readonly next: string | undefined
  /** Number of the last page, if GitHub states it. */
  readonly lastPage: number | undefined
  /** The server's time. */
  readonly at: Date
  readonly headers: Headers
}

const graphqlAnswer = z.object({
  data: z.unknown().optional(),
  errors: z
    .array(
      z.object({
        type: z.string().nullish(),
        message: z.string(),
        path: z.array(z.union([z.string(), z.number()])).nullish(),
        extensions: z.object({ code: z.string().nullish() }).nullish(),
      }),
    )
    .optional(),
})

/** @param about with the requested address */
export function answerOf<T>(
  schema: z.ZodType<T>,
  { status, headers, data }: RawAnswer,
  about: Asked & { readonly url: string },
): Answer<T> {
  if (status === 304) return { outcome: 'unchanged' }
  if (status >= 300) return { outcome: 'missing', status }
  return {
    outcome: 'found',
    data: parseAnswer(schema, data, about.asked),
    etag: headers.etag,
    next: nextPage(headers, about.url),
    lastPage: lastPage(headers),
    at: serverTime(headers, about),
    headers,
  }
}

export interface QueryAnswer<T> {
  readonly data: T
  /** The server's time. */
  readonly at: Date
}

/** The data of a query; `undefined` when its object does not exist. */
export function graphqlData<T>(
  schema: z.ZodType<T>,
  { status, headers, data }: RawAnswer,
  about: Asked,
): QueryAnswer<T> | undefined {
  if (status >= 300) return undefined
  const answer = parseAnswer(graphqlAnswer, data, about.asked)
  if (answer.errors === undefined || answer.errors.length === 0) {
    return { data: parseAnswer(schema, answer.data, about.asked), at: serverTime(headers, about) }
  }
  const error = graphqlFailure(answer.errors, headers, about)
  if (error !== undefined) throw error
  return undefined
}

/**
 * The data of a query over many objects: null where GitHub answers one of them with an error, such as a deleted one.
 * `undefined` when their repository does not exist.
 */
export function graphqlPart<T>(schema: z.ZodType<T>, { status, headers, data }: RawAnswer, about: Asked) {
  if (status >= 300) throw new SourceError('skip', `The server has no GraphQL (${status}).`)
  const { data: found, errors = [] } = parseAnswer(graphqlAnswer, data, about.asked)
  const isOfOne = errors.every(({ path, type }) => (path?.length ?? 0) > 1 && type !== 'RATE_LIMITED')
  const part = isOfOne ? schema.safeParse(found).data : undefined
  if (part !== undefined) return part
  const error = graphqlFailure(errors, headers, about)
  if (error !== undefined) throw error
  return undefined
}

function parseAnswer<T>(schema: z.ZodType<T>, data: unknown, asked: string): T {
  const result = schema.safeParse(data)
  if (result.success) return result.data
  const field = result.error.issues[0]?.path.join('.') ?? ''
  throw new SourceError('retry', `GitHub sent an unexpected response for ${asked}${field && ` (at ${field})`}.`)
}

function serverTime({ date }: Headers, { now }: Asked): Date {
  const parsed = Date.parse(date ?? '')
  return Number.isNaN(parsed) ? now : new Date(parsed)
}

/**
 * Uses only the query of the returned address, so that the token is not sent elsewhere, and Enterprise servers behind a
 * proxy can return other host names.
 */
function nextPage(headers: Headers, asked: string): string | undefined {
  const next = link(headers, 'next')
  if (next === undefined) return undefined
  const url = new URL(asked)
  url.search = next.split('?')[1] ?? ''
  return url.href
}

function lastPage(headers: Headers): number | undefined {
  const page = Number(/[?&]page=(\d+)/.exec(link(headers, 'last') ?? '')?.[1])
  return Number.isInteger(page) && page > 0 ? page : undefined
}

function link({ link }: Headers, rel: 'next' | 'last'): string | undefined {
  return link?.match(new RegExp(`<([^<>]+)>;\\s*rel="${rel}"`))?.[1]
}
