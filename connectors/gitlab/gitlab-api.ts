import { z } from 'zod'
import type { CheckContext } from '../../src/connector/connector.ts'
import { type JsonApi, type JsonRequest, requestJson } from '../../src/connector/json-requests.ts'
import { type ListedRows, listedRows } from '../../src/connector/listed-rows.ts'
import { perRun } from '../../src/connector/per-run.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { tokenAccess } from '../../src/connector/token-access.ts'
import type { GitlabConfig } from './gitlab-config.ts'

const text = z.string().nullish().catch(undefined)
const time = z.iso.datetime({ offset: true }).transform((value) => new Date(value))
const person = z.looseObject({ name: text }).nullish().catch(undefined)
const people = z
  .array(z.looseObject({ name: text }))
  .nullish()
  .catch(undefined)

export const userAnswer = z.looseObject({ id: z.number(), username: text, name: text })
export const projectAnswer = z.looseObject({
  id: z.number(),
  path_with_namespace: z.string(),
  visibility: text,
  issues_enabled: z.boolean().optional().catch(undefined),
  merge_requests_enabled: z.boolean().optional().catch(undefined),
})
export type GitlabProject = z.infer<typeof projectAnswer>

/** An issue or a merge request. */
export const threadAnswer = z.looseObject({
  iid: z.number(),
  title: z.string().catch('(no title)'),
  description: text,
  state: text,
  web_url: text,
  created_at: time,
  updated_at: time,
  due_date: text,
  author: person,
  assignees: people,
  reviewers: people,
  labels: z.array(z.string()).nullish().catch(undefined),
  milestone: z.looseObject({ title: text }).nullish().catch(undefined),
  source_branch: text,
  target_branch: text,
  confidential: z.boolean().nullish().catch(undefined),
})
export type GitlabThread = z.infer<typeof threadAnswer>

export const noteAnswer = z.looseObject({
  body: text,
  author: person,
  created_at: time.optional().catch(undefined),
  /** Written by GitLab: `changed the milestone`. */
  system: z.boolean().optional().catch(undefined),
})

type Ask = <T>(
  request: Pick<JsonRequest<T>, 'answer' | 'asked' | 'absent'> & {
    readonly path: string
    readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  },
) => Promise<{ readonly answer: T; readonly headers: Headers } | undefined>

/** The requests of a run; `undefined` for what does not exist. Each throws a `SourceError`. */
export const gitlabRequests = perRun((context: CheckContext<GitlabConfig>): Ask => {
  const access = tokenAccess(context, { provider: 'gitlab', family: 'gitlab', scopes: [] }, 'GitLab')
  const api: JsonApi = {
    title: 'GitLab',
    api: 'rest',
    access,
    headers: (token) => ({ 'private-token': token }),
    limitedUntil({ status, headers }) {
      const reset = Number(headers.get('ratelimit-reset') ?? Number.NaN)
      return status === 429 && headers.get('retry-after') === null && reset > 0 ? new Date(reset * 1000) : undefined
    },
  }
  return ({ path, query = {}, ...request }) => {
    const url = new URL(`api/v4/${path}`, `${context.config.site}/`)
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value))
    return requestJson(api, { ...request, url }, context)
  }
})

const PER_PAGE = 100

interface Listing<T> {
  readonly path: string
  readonly element: z.ZodType<T>
  /** The field that identifies a row. */
  readonly id: string
  readonly asked: string
  readonly absent?: readonly number[]
}

type Query = Readonly<Record<string, string | number | boolean | undefined>>

interface Page<T> {
  readonly found: ListedRows<T>
  /** The number of the page after it. */
  readonly next: number | undefined
}

export function firstPage<T>(listing: Listing<T>, query: Query, context: CheckContext<GitlabConfig>): Promise<Page<T>> {
  return pageOf(listing, query, context, 1)
}

/** The pages of a listing from one on. */
export async function* listingPages<T>(
  listing: Listing<T>,
  query: Query,
  context: CheckContext<GitlabConfig>,
  from = 1,
): AsyncGenerator<Page<T>> {
  for (let page: number | undefined = from; page !== undefined; ) {
    const answer: Page<T> = await pageOf(listing, query, context, page)
    yield answer
    page = answer.next
  }
}

async function pageOf<T>(
  { path, element, id, asked, absent = [] }: Listing<T>,
  query: Query,
  context: CheckContext<GitlabConfig>,
  page: number,
): Promise<Page<T>> {
  const answer = listedRows(element, id)
  const pages = { ...query, per_page: PER_PAGE, page }
  const response = await gitlabRequests(context)({ path, query: pages, answer, asked, absent })
  if (response === undefined) return { found: { taken: [], odd: [] }, next: undefined }
  const stated = response.headers.get('x-next-page')
  // Proxies may drop the header. Then only a page that isn't full is the last; an empty header always is.
  const isCut = stated === null && response.answer.taken.length + response.answer.odd.length >= PER_PAGE
  const next = isCut ? page + 1 : Number(stated || Number.NaN)
  if (!Number.isInteger(next)) return { found: response.answer, next: undefined }
  if (next <= page) throw repeatedPage(asked)
  return { found: response.answer, next }
}

export function repeatedPage(asked: string): SourceError {
  return new SourceError('retry', `GitLab repeats a page of ${asked}.`)
}
