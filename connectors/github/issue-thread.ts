import type { z } from 'zod'
import { SourceError } from '../../src/connector/source-error.ts'
import type { Answer } from './github-answer.ts'
import {
  type ChangedFile,
  changedFilesAnswer,
  type Issue,
  issueAnswer,
  issueCommentAnswer,
  type Review,
  reviewAnswer,
  reviewCommentAnswer,
  type ThreadComment,
  type ThreadLineComment,
} from './github-answers.ts'
import type { Route } from './github-gateway.ts'
import { PAGE_SIZE } from './listing-pages.ts'
import { type Rows, rowsOf } from './listing-rows.ts'
import { type RepositorySource, repositoryRoute } from './repository-source.ts'
import type { ThreadBatches } from './thread-batches.ts'
import type { FoundThread, WantedThread } from './thread-query.ts'

/** The comments and reviews of an issue or pull request, in API order. */
export interface IssueThread {
  readonly comments: readonly ThreadComment[]
  readonly reviews: readonly Review[]
  readonly reviewComments: readonly ThreadLineComment[]
  readonly files: readonly ChangedFile[]
  readonly hasMoreFiles: boolean
}

/** Data known without a request for this issue. */
export interface KnownThread {
  readonly comments: readonly ThreadComment[]
  /** Absent when some may be missing. */
  readonly reviewComments?: readonly ThreadLineComment[]
}

/** What is missing; `undefined` when the listings have all of it. */
export function wantedThread(issue: Issue, known: KnownThread): WantedThread | undefined {
  const comments = !hasAllComments(issue, known)
  const isPullRequest = Boolean(issue.pull_request)
  if (!comments && !isPullRequest) return undefined
  const lineComments = isPullRequest && known.reviewComments === undefined
  return { number: issue.number, isPullRequest, comments, lineComments }
}

/** The listing states the number of comments; if all are known, no request is needed. */
function hasAllComments(issue: Issue, known: KnownThread): boolean {
  return known.comments.length === issue.comments
}

interface ThreadSources {
  readonly known: KnownThread
  readonly batches?: ThreadBatches
}

/**
 * Requests the missing data, from the batch first, and from REST what that lacks; `undefined` when the issue was deleted.
 * @throws SourceError `skip` when it exists, but not a part of it: owners can switch parts off, and tokens lack rights
 */
export async function issueThread(
  source: RepositorySource,
  issue: Issue,
  sources: ThreadSources,
): Promise<IssueThread | undefined> {
  const thread = await threadParts(source, issue, sources)
  if (thread !== undefined) return thread
  const { number } = issue
  const answer = await source.gateway.get(issueAnswer, repositoryRoute(source, '/issues/{number}', { number }))
  if (answer.outcome === 'missing') return undefined
  const asked = `comments or reviews of ${source.repository.full_name}#${number}`
  throw new SourceError('skip', `GitHub has no ${asked} (HTTP 404).`)
}

async function threadParts(
  source: RepositorySource,
  issue: Issue,
  { known, batches }: ThreadSources,
): Promise<IssueThread | undefined> {
  const { number } = issue
  const batch: FoundThread = (await batches?.read(number)) ?? {}
  const all = <T>(path: string, entry: z.ZodType<T>) => allPages(source, path, number, entry)
  const comments = hasAllComments(issue, known)
    ? known.comments
    : (batch.comments ?? (await all('/issues/{number}/comments', issueCommentAnswer)))
  if (comments === undefined) return undefined
  if (!issue.pull_request) return { comments, reviews: [], reviewComments: [], files: [], hasMoreFiles: false }
  const reviews = batch.reviews ?? (await all('/pulls/{number}/reviews', reviewAnswer))
  if (reviews === undefined) return undefined
  // Every comment on a line belongs to a review.
  const reviewComments =
    reviews.length === 0
      ? []
      : (known.reviewComments ?? batch.reviewComments ?? (await all('/pulls/{number}/comments', reviewCommentAnswer)))
  const files = batch.files ?? (await changedFiles(source, number))
  if (reviewComments === undefined || files === undefined) return undefined
  return { comments, reviews, reviewComments, ...files }
}

async function allPages<T>(
  source: RepositorySource,
  path: string,
  number: number,
  entry: z.ZodType<T>,
): Promise<T[] | undefined> {
  const schema = rowsOf(entry)
  const entries: T[] = []
  let route: Route | string | undefined = numbered(source, path, number)
  while (route !== undefined) {
    const answer: Answer<Rows<T>> = await source.gateway.get(schema, route)
    if (answer.outcome !== 'found') return undefined
    entries.push(...answer.data.taken)
    route = answer.next
  }
  return entries
}

/** Only the first hundred, in one request. */
async function changedFiles(source: RepositorySource, number: number) {
  const answer = await source.gateway.get(changedFilesAnswer, numbered(source, '/pulls/{number}/files', number))
  if (answer.outcome !== 'found') return undefined
  return { files: answer.data, hasMoreFiles: answer.next !== undefined }
}

function numbered(source: RepositorySource, path: string, number: number) {
  return repositoryRoute(source, path, { number, per_page: PAGE_SIZE })
}
