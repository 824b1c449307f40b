import { z } from 'zod'
import type { Answer } from './github-answer.ts'
import {
  type ChangedFile,
  changedFileAnswer,
  type Issue,
  type IssueComment,
  issueCommentAnswer,
  type Review,
  type ReviewComment,
  reviewAnswer,
  reviewCommentAnswer,
} from './github-answers.ts'
import type { Route } from './github-gateway.ts'
import { PAGE_SIZE } from './listing-pages.ts'
import { type RepositorySource, repositoryRoute } from './repository-source.ts'

/** The comments and reviews of an issue or pull request, in API order. */
export interface IssueThread {
  readonly comments: readonly IssueComment[]
  readonly reviews: readonly Review[]
  readonly reviewComments: readonly ReviewComment[]
  readonly files: readonly ChangedFile[]
  readonly hasMoreFiles: boolean
}

/** Data known without a request for this issue. */
export interface KnownThread {
  readonly comments: readonly IssueComment[]
  /** Absent when some may be missing. */
  readonly reviewComments?: readonly ReviewComment[]
}

/** Requests the missing data; `undefined` when the issue was deleted. */
export async function issueThread(
  source: RepositorySource,
  issue: Issue,
  known: KnownThread,
): Promise<IssueThread | undefined> {
  const { number } = issue
  const all = <T>(path: string, entry: z.ZodType<T>) => allPages(source, path, number, entry)
  // The listing states the number of comments; if all are known, no request is needed.
  const comments =
    known.comments.length === issue.comments
      ? known.comments
      : await all('/issues/{number}/comments', issueCommentAnswer)
  if (comments === undefined) return undefined
  if (!issue.pull_request) return { comments, reviews: [], reviewComments: [], files: [], hasMoreFiles: false }
  const reviews = await all('/pulls/{number}/reviews', reviewAnswer)
  if (reviews === undefined) return undefined
  // Every comment on a line belongs to a review.
  const reviewComments =
    reviews.length === 0 ? [] : (known.reviewComments ?? (await all('/pulls/{number}/comments', reviewCommentAnswer)))
  const files = await changedFiles(source, number)
  if (reviewComments === undefined || files === undefined) return undefined
  return { comments, reviews, reviewComments, ...files }
}

async function allPages<T>(
  source: RepositorySource,
  path: string,
  number: number,
  entry: z.ZodType<T>,
): Promise<T[] | undefined> {
  const schema = z.array(entry)
  const entries: T[] = []
  let route: Route | string | undefined = numbered(source, path, number)
  while (route !== undefined) {
    const answer: Answer<T[]> = await source.gateway.get(schema, route)
    if (answer.outcome !== 'found') return undefined
    entries.push(...answer.data)
    route = answer.next
  }
  return entries
}

/** Only the first hundred, in one request. */
async function changedFiles(source: RepositorySource, number: number) {
  const answer = await source.gateway.get(z.array(changedFileAnswer), numbered(source, '/pulls/{number}/files', number))
  if (answer.outcome !== 'found') return undefined
  return { files: answer.data, hasMoreFiles: answer.next !== undefined }
}

function numbered(source: RepositorySource, path: string, number: number) {
  return repositoryRoute(source, path, { number, per_page: PAGE_SIZE })
}
