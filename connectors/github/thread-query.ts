import { z } from 'zod'
import type { ChangedFile, Person, Review } from './github-answers.ts'
import { instant, lastHunkLine, type ThreadComment, type ThreadLineComment } from './github-answers.ts'

/** What is missing of an issue or pull request. */
export interface WantedThread {
  readonly number: number
  readonly isPullRequest: boolean
  readonly comments: boolean
  readonly lineComments: boolean
}

/** What one query found of an issue or pull request; what is absent was not asked for, or is longer than a page. */
export interface FoundThread {
  readonly comments?: readonly ThreadComment[]
  readonly reviews?: readonly Review[]
  readonly reviewComments?: readonly ThreadLineComment[]
  readonly files?: { readonly files: readonly ChangedFile[]; readonly hasMoreFiles: boolean }
}

// A query may return 500,000 nodes, and costs a point for every hundred connections: 25 pull requests with these pages are
// at most 31,000 nodes and 13 points, and usually far less work than that.
const SAID = 'fullDatabaseId body createdAt updatedAt author { login type: __typename }'
const COMMENTS = `comments(first: 100) { pageInfo { hasNextPage } nodes { ${SAID} } }`
const LINE_COMMENTS = `reviewThreads(first: 50) { pageInfo { hasNextPage } nodes { comments(first: 20) { pageInfo { hasNextPage } nodes { ${SAID} state path line originalLine diffHunk } } } }`
const REVIEWS =
  'reviews(first: 50) { pageInfo { hasNextPage } nodes { fullDatabaseId body state submittedAt author { login type: __typename } } }'
const FILES = 'files(first: 100) { pageInfo { hasNextPage } nodes { path changeType additions deletions } }'

export function threadsQuery(wanted: readonly WantedThread[]): string {
  const fields = wanted.map(({ number, isPullRequest, comments, lineComments }) => {
    const parts = [
      ...(comments ? [COMMENTS] : []),
      ...(isPullRequest ? [REVIEWS, FILES] : []),
      ...(lineComments ? [LINE_COMMENTS] : []),
    ]
    return `${alias(number)}: ${isPullRequest ? 'pullRequest' : 'issue'}(number: ${number}) { ${parts.join(' ')} }`
  })
  return `query Threads($owner: String!, $name: String!) {
  repository(owner: $owner, name: $name) {
    ${fields.join('\n    ')}
  }
}`
}

function alias(number: number): string {
  return `n${number}`
}

const page = <T>(node: z.ZodType<T>) =>
  z
    .object({ pageInfo: z.object({ hasNextPage: z.boolean() }), nodes: z.array(node.nullable()) })
    .transform(({ pageInfo, nodes }) => ({
      isWhole: !pageInfo.hasNextPage && !nodes.includes(null),
      hasMore: pageInfo.hasNextPage,
      nodes: nodes.filter((entry) => entry !== null),
    }))

const databaseId = z.coerce.number().int()
const said = z.object({
  fullDatabaseId: databaseId,
  body: z.string(),
  createdAt: instant,
  updatedAt: instant,
  author: z.object({ login: z.string(), type: z.string() }).nullable(),
})
const lineComment = said.extend({
  state: z.string(),
  path: z.string(),
  line: z.int().nullable(),
  originalLine: z.int().nullable(),
  diffHunk: lastHunkLine,
})
const review = said
  .pick({ fullDatabaseId: true, body: true, author: true })
  .extend({ state: z.string(), submittedAt: instant.nullable() })
const file = z.object({ path: z.string(), changeType: z.string(), additions: z.int(), deletions: z.int() })

const thread = z.object({
  comments: page(said).optional(),
  reviews: page(review).nullish(),
  reviewThreads: page(z.object({ comments: page(lineComment) })).optional(),
  files: page(file).nullish(),
})

/** By alias; null for what GitHub could not answer. */
export const threadsAnswer = z.object({ repository: z.record(z.string(), z.unknown()) })

/** What the answer has of an issue or pull request; nothing when GitHub answered in another form. */
export function foundThread({ repository }: z.infer<typeof threadsAnswer>, number: number): FoundThread {
  const answer = thread.safeParse(repository[alias(number)]).data
  if (answer === undefined) return {}
  const { comments, reviews, reviewThreads, files } = answer
  const lineComments = reviewThreads?.nodes.map((one) => one.comments)
  return {
    ...(comments?.isWhole && { comments: comments.nodes.map(commentOf) }),
    ...(reviews?.isWhole && { reviews: reviews.nodes.map(reviewOf) }),
    ...(reviewThreads?.isWhole &&
      lineComments?.every(({ isWhole }) => isWhole) && {
        reviewComments: lineComments.flatMap(({ nodes }) => nodes.filter(isSubmitted).map(lineCommentOf)),
      }),
    ...(files &&
      (files.isWhole || files.hasMore) && {
        files: { files: files.nodes.map(fileOf), hasMoreFiles: files.hasMore },
      }),
  }
}

/** REST does not list what its author has not submitted yet. */
function isSubmitted({ state }: { readonly state: string }): boolean {
  return state !== 'PENDING'
}

/** REST names bots `dependabot[bot]`. */
function personOf(author: { readonly login: string; readonly type: string } | null): Person {
  if (author?.type !== 'Bot') return author
  return { type: 'Bot', login: author.login.endsWith('[bot]') ? author.login : `${author.login}[bot]` }
}

function commentOf({ fullDatabaseId, body, createdAt, updatedAt, author }: z.infer<typeof said>): ThreadComment {
  return { id: fullDatabaseId, user: personOf(author), body, created_at: createdAt, updated_at: updatedAt }
}

function lineCommentOf(comment: z.infer<typeof lineComment>): ThreadLineComment {
  const { path, line, originalLine, diffHunk } = comment
  return { ...commentOf(comment), path, line, original_line: originalLine, diff_hunk: diffHunk }
}

function reviewOf({ fullDatabaseId, body, state, submittedAt, author }: z.infer<typeof review>): Review {
  return { id: fullDatabaseId, user: personOf(author), body, state, submitted_at: submittedAt }
}

function fileOf({ path, changeType, additions, deletions }: z.infer<typeof file>): ChangedFile {
  const status = changeType === 'DELETED' ? 'removed' : changeType.toLowerCase()
  return { filename: path, status, additions, deletions }
}
