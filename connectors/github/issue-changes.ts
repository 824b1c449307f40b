import { z } from 'zod'
import type { Change, ItemRef, SourceItem } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import type { Found } from './github-answer.ts'
import {
  type Issue,
  type IssueComment,
  issueAnswer,
  issueCommentAnswer,
  type ReviewComment,
  reviewCommentAnswer,
} from './github-answers.ts'
import type { CursorOf, GithubCursor } from './github-config.ts'
import { issueItems, issuePart, issueRefs, issueRevision } from './issue-item.ts'
import { issueThread } from './issue-thread.ts'
import {
  type AscendingPage,
  ascendingPages,
  type Begun,
  found,
  type Listing,
  PAGE_SIZE,
  type Stamped,
  type Tail,
} from './listing-pages.ts'
import { githubItemId, lostPartition, type RepositorySource, repositoryRoute } from './repository-source.ts'

/** Changes that GitHub lists later than their time says are still found. */
const OVERLAP_MS = 5 * 60_000
/** A new comment changes its issue; an edited one sometimes does not and can wait. */
const COMMENTS_EVERY_MS = 60 * 60_000
/** 30,000 comments are kept in memory at a time, some 30 MB. */
const MOST_COMMENT_PAGES = 300

type IssueCursor = CursorOf<'issues'> | CursorOf<'issues-walk'>
type Listings = ReturnType<typeof issueListings>

interface Windows {
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

interface BegunListings {
  readonly issues?: Begun<Issue>
  readonly comments?: Begun<IssueComment>
  readonly reviewComments?: Begun<ReviewComment>
}

/**
 * Issues and pull requests by the time of their last change, and those on which only a comment was edited. An unchanged
 * repository costs one conditional request, and every hour one more for each listing of comments.
 */
export async function* issueChanges(
  source: RepositorySource,
  cursor: IssueCursor | undefined,
): AsyncGenerator<Change<GithubCursor>> {
  const listings = issueListings(source)
  const begun = cursor?.kind === 'issues' ? await changedListing(source, listings, cursor) : {}
  if ('kind' in begun) return yield { type: 'checkpoint', cursor: begun }
  const floor = cursor?.kind === 'issues' ? new Date(cursor.watermark) : undefined
  const first = begun.issues ?? (await beginning(listings.issues, floor ?? scanStart(source, cursor)))
  const startedAt = cursor?.kind === 'issues-walk' ? new Date(cursor.startedAt) : first.page.at
  const windows = await readWindows(source, listings, { floor, begun, mostPages: affordablePages(first) })
  for (const listing of windows.refused) yield refusal(source, listing)
  const older = new Map<number, Issue>()
  const yielded = new Set<number>()
  let tail: Tail | undefined
  for await (const page of ascendingPages(listings.issues, first)) {
    for (const issue of page.items) {
      if (floor !== undefined && issue.updated_at < floor) {
        older.set(issue.number, issue)
        continue
      }
      yielded.add(issue.number)
      yield* itemChanges(source, issue, windows)
    }
    tail = page.tail
    if (floor === undefined && !page.isLast && page.reached !== undefined) {
      const progress = { startedAt: startedAt.toISOString(), reached: page.reached.toISOString() }
      yield { type: 'checkpoint', cursor: { kind: 'issues-walk', ...progress } }
    }
  }
  if (floor !== undefined) {
    for (const number of touchedNumbers(windows, floor)) {
      if (!yielded.has(number)) yield* touchedChanges(source, number, older.get(number), windows)
    }
  }
  yield { type: 'checkpoint', cursor: endCursor(floor, startedAt, tail, windows) }
}

function scanStart({ context }: RepositorySource, cursor: IssueCursor | undefined): Date | undefined {
  // Entries listed late during an interrupted full scan may be older than its position.
  return cursor?.kind === 'issues-walk' ? new Date(Date.parse(cursor.reached) - OVERLAP_MS) : context.config.since
}

async function beginning<T>(listing: Listing<T>, since: Date | undefined): Promise<Begun<T>> {
  return { since, page: await found(listing, listing.first(since)) }
}

/** The first listing that has changed; if none has, the cursor for the next run. */
async function changedListing(
  source: RepositorySource,
  listings: Listings,
  cursor: CursorOf<'issues'>,
): Promise<BegunListings | CursorOf<'issues'>> {
  const { tails, commentsAt } = cursor
  const issues = await changed(listings.issues, tails.issues)
  if (issues !== undefined) return issues === 'unknown' ? {} : { issues }
  const now = source.context.clock()
  if (Math.abs(now.getTime() - Date.parse(commentsAt)) < COMMENTS_EVERY_MS) return cursor
  const comments = await changed(listings.comments, tails.comments)
  if (comments !== undefined) return comments === 'unknown' ? {} : { comments }
  if (takesPullRequests(source)) {
    const reviewComments = await changed(listings.reviewComments, tails.reviewComments)
    if (reviewComments !== undefined) return reviewComments === 'unknown' ? {} : { reviewComments }
  }
  return { ...cursor, commentsAt: now.toISOString() }
}

async function changed<T>(
  listing: Listing<T>,
  tail: { readonly since?: string | undefined; readonly etag: string } | undefined,
): Promise<Begun<T> | 'unknown' | undefined> {
  if (tail === undefined) return 'unknown'
  const since = tail.since === undefined ? undefined : new Date(tail.since)
  const answer = await listing.first(since, tail.etag).catch((error: unknown) => {
    // The read that follows says what is refused.
    if (error instanceof SourceError && error.remedy === 'skip') return { outcome: 'missing' as const }
    throw error
  })
  if (answer.outcome === 'unchanged') return undefined
  return answer.outcome === 'found' ? { since, page: answer } : 'unknown'
}

/** Whether reading all comments of the repository is cheaper than requesting the comments of each remaining issue. */
function affordablePages({ page }: Begun<Issue>): number {
  const withComments = page.data.filter(({ comments }) => comments > 0).length
  const toCome = page.next === undefined ? withComments : (page.lastPage ?? MOST_COMMENT_PAGES) * page.data.length
  return Math.min(Math.max(1, toCome), MOST_COMMENT_PAGES)
}

async function readWindows(
  source: RepositorySource,
  listings: Listings,
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
  const comments = await read(listings.comments, begun.comments, { name: 'comments', numberOf: issueNumber })
  const reviewWindow = { name: 'review comments', numberOf: pullRequestNumber }
  const reviewComments = takesPullRequests(source)
    ? await read(listings.reviewComments, begun.reviewComments, reviewWindow)
    : undefined
  return { comments, reviewComments, fromTheBeginning: floor === undefined, refused }
}

/** Shows in `status` that a listing could not be read. */
function refusal(source: RepositorySource, { name, error }: RefusedListing): Change<GithubCursor> {
  const itemId = githubItemId(source, { name: 'listing', value: name })
  const { full_name } = source.repository
  const reason = new SourceError('skip', `The ${name} of ${full_name} can't be listed, so they are missing.`, {
    cause: error,
  })
  return { type: 'failed', ref: { sourceType: 'github', itemId, title: `${full_name}: ${name}` }, error: reason }
}

function* itemChanges(source: RepositorySource, issue: Issue, windows: Windows): Generator<Change<GithubCursor>> {
  if (!includesIssue(source, issue)) return
  const { comments, reviewComments, fromTheBeginning } = windows
  const allReviewComments = fromTheBeginning && reviewComments?.complete ? reviewComments.of(issue.number) : undefined
  const thread = () =>
    issueThread(source, issue, {
      comments: comments.of(issue.number),
      ...(allReviewComments && { reviewComments: allReviewComments }),
    })
  const changedAt = lastChange([...comments.of(issue.number), ...(reviewComments?.of(issue.number) ?? [])])
  for (const item of issueItems(source, issue, issueRevision(issue, changedAt), thread)) yield { type: 'item', item }
}

/** An issue that did not change itself. */
async function* touchedChanges(
  source: RepositorySource,
  number: number,
  known: Issue | undefined,
  windows: Windows,
): AsyncGenerator<Change<GithubCursor>> {
  const issue = known ?? (await readIssue(source, number))
  if (issue !== undefined) return yield* itemChanges(source, issue, windows)
  const isPullRequest = windows.comments.of(number).every(({ html_url }) => html_url.includes('/pull/'))
  const itemId = githubItemId(source, issuePart({ number, pull_request: isPullRequest ? {} : null }))
  yield { type: 'gone', ref: { sourceType: 'github', itemId } }
}

function touchedNumbers({ comments, reviewComments }: Windows, floor: Date): Set<number> {
  return new Set([...comments.changedSince(floor), ...(reviewComments?.changedSince(floor) ?? [])])
}

function endCursor(
  floor: Date | undefined,
  startedAt: Date,
  issues: Tail | undefined,
  { comments, reviewComments }: Windows,
): CursorOf<'issues'> {
  const overlapped = new Date(startedAt.getTime() - OVERLAP_MS)
  const watermark = floor !== undefined && floor > overlapped ? floor : overlapped
  // A listing that starts after the watermark misses entries that must be read again.
  const kept = (tail: Tail | undefined) =>
    tail && (tail.since === undefined || tail.since <= watermark)
      ? { etag: tail.etag, ...(tail.since && { since: tail.since.toISOString() }) }
      : undefined
  const tails = { issues: kept(issues), comments: kept(comments.tail), reviewComments: kept(reviewComments?.tail) }
  return { kind: 'issues', watermark: watermark.toISOString(), commentsAt: startedAt.toISOString(), tails }
}

async function readIssue(source: RepositorySource, number: number): Promise<Issue | undefined> {
  const answer = await source.gateway.get(issueAnswer, repositoryRoute(source, '/issues/{number}', { number }))
  return answer.outcome === 'found' ? answer.data : undefined
}

/** One document as it is now. @param segment 0 for the first */
export async function readIssueItem(
  source: RepositorySource,
  number: number,
  segment: number,
): Promise<SourceItem | undefined> {
  const issue = await readIssue(source, number)
  const thread = issue && (await issueThread(source, issue, { comments: [] }))
  if (issue === undefined || thread === undefined) return undefined
  const revision = issueRevision(issue, lastChange([...thread.comments, ...thread.reviewComments]))
  return issueItems(source, issue, revision, async () => thread)[segment]
}

/** Every issue and pull request; by time, because a page number would skip one when another is deleted meanwhile. */
export async function* issueInventory(source: RepositorySource): AsyncGenerator<ItemRef> {
  const { issues } = issueListings(source)
  const first = await beginning(issues, source.context.config.since)
  for await (const { items } of ascendingPages(issues, first)) {
    for (const issue of items) if (includesIssue(source, issue)) yield* issueRefs(source, issue)
  }
}

function takesPullRequests({ context }: RepositorySource): boolean {
  return context.config.kinds.includes('pull_requests')
}

function includesIssue({ context }: RepositorySource, { pull_request }: Issue): boolean {
  return context.config.kinds.includes(pull_request ? 'pull_requests' : 'issues')
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

function lastChange(comments: readonly Stamped[]): Date | undefined {
  if (comments.length === 0) return undefined
  return new Date(comments.reduce((last, { updated_at }) => Math.max(last, updated_at.getTime()), 0))
}

/** The three listings in which every change of an issue or pull request shows, but new reviews without a comment. */
function issueListings(source: RepositorySource) {
  return {
    issues: listing(source, '/issues', issueAnswer, { state: 'all' }),
    comments: listing(source, '/issues/comments', issueCommentAnswer),
    reviewComments: listing(source, '/pulls/comments', reviewCommentAnswer),
  }
}

function listing<T>(source: RepositorySource, path: string, entry: z.ZodType<T>, params = {}): Listing<T> {
  const { gateway, context } = source
  const schema = z.array(entry)
  const order = { ...params, sort: 'updated', direction: 'asc', per_page: PAGE_SIZE }
  return {
    first: (since, etag) =>
      gateway.get(schema, repositoryRoute(source, path, { ...order, since: since && seconds(since) }), etag),
    next: (url) => gateway.get(schema, url),
    absent(status): Found<readonly T[]> {
      // Issues are turned off.
      if (status !== 410) throw lostPartition(source, status)
      return {
        outcome: 'found',
        data: [],
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
