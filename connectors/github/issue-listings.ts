import type { z } from 'zod'
import type { Found } from './github-answer.ts'
import { issueAnswer, issueCommentAnswer, reviewCommentAnswer } from './github-answers.ts'
import { type Listing, PAGE_SIZE } from './listing-pages.ts'
import { type Rows, rowsOf } from './listing-rows.ts'
import { lostPartition, type RepositorySource, repositoryRoute } from './repository-source.ts'

export type IssueListings = ReturnType<typeof issueListings>

/** The three listings in which every change of an issue or pull request shows, but new reviews without a comment. */
export function issueListings(source: RepositorySource) {
  return {
    issues: listing(source, '/issues', issueAnswer, { state: 'all' }),
    comments: listing(source, '/issues/comments', issueCommentAnswer),
    reviewComments: listing(source, '/pulls/comments', reviewCommentAnswer),
  }
}

function listing<T>(source: RepositorySource, path: string, entry: z.ZodType<T>, params = {}): Listing<T> {
  const { gateway, context } = source
  const schema = rowsOf(entry)
  const order = { ...params, sort: 'updated', direction: 'asc', per_page: PAGE_SIZE }
  return {
    first: (since, etag) =>
      gateway.get(schema, repositoryRoute(source, path, { ...order, since: since && seconds(since) }), etag),
    next: (url) => gateway.get(schema, url),
    absent(status): Found<Rows<T>> {
      // Issues are turned off.
      if (status !== 410) throw lostPartition(source, status)
      return {
        outcome: 'found',
        data: { taken: [], odd: [], count: 0 },
        etag: undefined,
        next: undefined,
        lastPage: undefined,
        at: context.clock(),
        headers: {},
      }
    },
  }
}

/** As GitHub formats it. */
function seconds(time: Date): string {
  return time.toISOString().replace(/\.\d+Z$/, 'Z')
}
