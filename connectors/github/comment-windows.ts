import type { Change } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import type { Issue, IssueComment, ReviewComment } from './github-answers.ts'
import type { GithubCursor } from './github-config.ts'
import type { IssueListings } from './issue-listings.ts'
import {
  type AscendingPage,
  ascendingPages,
  type Begun,
  beginning,
  type Listing,
  type Stamped,
} from './listing-pages.ts'
import { githubItemId, type RepositorySource, takesPullRequests } from './repository-source.ts'

/** 30,000 comments are kept in memory at a time, some 30 MB. */
const MOST_COMMENT_PAGES = 300

/** The comments of a repository, of all of it or since a time. */
export interface Windows {
  readonly comments: CommentWindow<IssueComment>
  readonly reviewComments: CommentWindow<ReviewComment> | undefined
  /** Counted from the first comment, not from the watermark. */
  readonly fromTheBeginning: boolean
  readonly refused: readonly RefusedListing[]
}

interface RefusedListing {
  readonly name: string
  readonly error: SourceError
}

interface WindowOf<T> {
  readonly name: string
  readonly numberOf: (comment: T) => number
}

export interface BegunListings {
  readonly issues?: Begun<Issue>
  readonly comments?: Begun<IssueComment>
  readonly reviewComments?: Begun<ReviewComment>
}

/** Whether reading all comments of the repository is cheaper than requesting the comments of each remaining issue. */
export function affordablePages({ page }: Begun<Issue>): number {
  const withComments = page.data.taken.filter(({ comments }) => comments > 0).length
  const toCome = page.next === undefined ? withComments : (page.lastPage ?? MOST_COMMENT_PAGES) * page.data.count
  return Math.min(Math.max(1, toCome), MOST_COMMENT_PAGES)
}

export async function readWindows(
  source: RepositorySource,
  listings: IssueListings,
  { floor, begun, mostPages }: { floor: Date | undefined; begun: BegunListings; mostPages: number },
): Promise<Windows> {
  // Every page since the watermark is needed, because edited comments appear nowhere else.
  const most = floor === undefined ? mostPages : Number.POSITIVE_INFINITY
  const refused: RefusedListing[] = []
  const read = async <T extends Stamped>(listing: Listing<T>, first: Begun<T> | undefined, window: WindowOf<T>) => {
    try {
      const pages = ascendingPages(listing, first ?? (await beginning(listing, floor)))
      return await commentWindow(pages, window.numberOf, most)
    } catch (error) {
      // Pull requests can be disabled, or the token may lack the permission: the issues are read all the same.
      if (!(error instanceof SourceError) || error.remedy !== 'skip') throw error
      refused.push({ name: window.name, error })
      return NO_COMMENTS
    }
  }
  const reviewWindow = { name: 'review comments', numberOf: pullRequestNumber }
  const [comments, reviewComments] = await settled([
    read(listings.comments, begun.comments, { name: 'comments', numberOf: issueNumber }),
    takesPullRequests(source) ? read(listings.reviewComments, begun.reviewComments, reviewWindow) : undefined,
  ])
  return { comments, reviewComments, fromTheBeginning: floor === undefined, refused }
}

/** As `Promise.all`, but nothing is under way any more when it throws. */
async function settled<T extends readonly unknown[]>(work: T): Promise<{ -readonly [At in keyof T]: Awaited<T[At]> }> {
  await Promise.allSettled(work)
  return Promise.all(work)
}

/** Shows in `status` that a listing could not be read. */
export function refusal(source: RepositorySource, { name, error }: RefusedListing): Change<GithubCursor> {
  const itemId = githubItemId(source, { name: 'listing', value: name })
  const { full_name } = source.repository
  const reason = new SourceError('skip', `The ${name} of ${full_name} can't be listed, so they are missing.`, {
    cause: error,
  })
  return { type: 'failed', ref: { sourceType: 'github', itemId, title: `${full_name}: ${name}` }, error: reason }
}

export function touchedNumbers({ comments, reviewComments }: Windows, floor: Date): Set<number> {
  return new Set([...comments.changedSince(floor), ...(reviewComments?.changedSince(floor) ?? [])])
}

function issueNumber({ issue_url }: IssueComment): number {
  return lastNumber(issue_url)
}

function pullRequestNumber({ pull_request_url }: ReviewComment): number {
  return lastNumber(pull_request_url)
}

function lastNumber(url: string): number {
  return Number(url.slice(url.lastIndexOf('/') + 1))
}

/** Of a listing that GitHub refuses. */
const NO_COMMENTS: CommentWindow<never> = { complete: true, of: () => [], changedSince: () => [], tail: undefined }

/** Comments of a whole repository, by the number of their issue or pull request. */
interface CommentWindow<T> {
  /** Every comment was read. */
  readonly complete: boolean
  of(number: number): readonly T[]
  /** Numbers with a comment that changed at or after this. */
  changedSince(time: Date): readonly number[]
  readonly tail: AscendingPage<T>['tail']
}

/**
 * Reads a listing of comments to its end, or gives up when it has too many pages; then missing comments are
 * requested one by one.
 */
async function commentWindow<T extends Stamped>(
  pages: AsyncIterable<AscendingPage<T>>,
  numberOf: (comment: T) => number,
  mostPages: number,
): Promise<CommentWindow<T>> {
  const byNumber = new Map<number, Map<number, T>>()
  let tail: AscendingPage<T>['tail']
  let complete = false
  let read = 0
  for await (const page of pages) {
    if ((page.pages ?? 0) > mostPages) break
    for (const comment of page.items) {
      const number = numberOf(comment)
      const comments = byNumber.get(number) ?? new Map<number, T>()
      // The later version, when it was edited meanwhile.
      byNumber.set(number, comments.set(comment.id, comment))
    }
    read += 1
    tail = page.tail
    complete = page.isLast
    if (read >= mostPages) break
  }
  const of = (number: number) => [...(byNumber.get(number)?.values() ?? [])]
  const changedSince = (time: Date) =>
    [...byNumber].filter(([, comments]) => (lastChange([...comments.values()]) ?? 0) >= time).map(([number]) => number)
  return { complete, of, changedSince, tail }
}

export function lastChange(comments: readonly { readonly updated_at: Date }[]): Date | undefined {
  if (comments.length === 0) return undefined
  return new Date(comments.reduce((last, { updated_at }) => Math.max(last, updated_at.getTime()), 0))
}
