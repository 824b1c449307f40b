import type { Change, ItemRef, SourceItem } from '../../src/connector/connector.ts'
import { oneAhead } from '../../src/connector/one-ahead.ts'
import { recentStart } from '../../src/connector/recent-window.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import {
  affordablePages,
  type BegunListings,
  lastChange,
  readWindows,
  refusal,
  touchedNumbers,
  type Windows,
} from './comment-windows.ts'
import { type Issue, issueAnswer } from './github-answers.ts'
import type { CursorOf, GithubCursor } from './github-config.ts'
import { issueItems, issuePart, issueRefs, issueRevision } from './issue-item.ts'
import { type IssueListings, issueListings } from './issue-listings.ts'
import { issueThread, type KnownThread, wantedThread } from './issue-thread.ts'
import { ascendingPages, type Begun, beginning, type Listing, type Tail } from './listing-pages.ts'
import type { OddRow } from './listing-rows.ts'
import { githubItemId, type RepositorySource, repositoryRoute, takesPullRequests } from './repository-source.ts'
import { ThreadBatches } from './thread-batches.ts'

/** Changes that GitHub lists later than their time says are still found. */
const OVERLAP_MS = 5 * 60_000
/** A new comment changes its issue; an edited one sometimes does not and can wait. */
const COMMENTS_EVERY_MS = 60 * 60_000

type IssueCursor = CursorOf<'issues'> | CursorOf<'issues-walk'>

/**
 * Issues and pull requests by the time of their last change, and those on which only a comment was edited. An unchanged
 * repository costs one conditional request, and every hour one more for each listing of comments. The first full scan
 * begins with what has changed in the last weeks.
 */
export async function* issueChanges(
  source: RepositorySource,
  cursor: IssueCursor | undefined,
): AsyncGenerator<Change<GithubCursor>> {
  const listings = issueListings(source)
  if (cursor?.kind === 'issues') {
    const begun = await changedListing(source, listings, cursor)
    if ('kind' in begun) return yield { type: 'checkpoint', cursor: begun }
    const floor = new Date(cursor.watermark)
    const { startedAt, tail, windows } = yield* changesSince(source, listings, floor, begun)
    return yield { type: 'checkpoint', cursor: endCursor(floor, startedAt, tail, windows) }
  }
  const first = await beginning(listings.issues, scanStart(source, cursor?.reached))
  const startedAt = cursor === undefined ? first.page.at : new Date(cursor.startedAt)
  const recent = cursor === undefined ? recentStart(source.context, source.context.config.since) : undefined
  if (recent !== undefined && hasOlder(first, recent)) {
    yield* changesSince(source, listings, recent, {})
    const scan = { kind: 'issues-walk', startedAt: startedAt.toISOString() } as const
    yield { type: 'checkpoint', cursor: scan, recentSince: recent }
    // Other repositories may come in between, so the first page is not kept.
    return yield* fullScan(source, listings, await beginning(listings.issues, source.context.config.since), startedAt)
  }
  yield* fullScan(source, listings, first, startedAt)
}

function scanStart({ context }: RepositorySource, reached: string | undefined): Date | undefined {
  // Entries listed late during an interrupted full scan may be older than its position.
  return reached === undefined ? context.config.since : new Date(Date.parse(reached) - OVERLAP_MS)
}

/** Whether reading the recent part first brings it sooner. */
function hasOlder({ page }: Begun<Issue>, recent: Date): boolean {
  const oldest = page.data.taken[0]?.updated_at
  return page.next !== undefined && oldest !== undefined && oldest < recent
}

/** What has changed at or after `floor`. */
async function* changesSince(
  source: RepositorySource,
  listings: IssueListings,
  floor: Date,
  begun: BegunListings,
): AsyncGenerator<
  Change<GithubCursor>,
  { readonly startedAt: Date; readonly tail: Tail | undefined; readonly windows: Windows }
> {
  const first = begun.issues ?? (await beginning(listings.issues, floor))
  const windows = await readWindows(source, listings, { floor, begun, mostPages: affordablePages(first) })
  for (const listing of windows.refused) yield refusal(source, listing)
  const older = new Map<number, Issue>()
  const yielded = new Set<number>()
  let tail: Tail | undefined
  for await (const page of oneAhead(ascendingPages(listings.issues, first))) {
    for (const issue of page.items) if (issue.updated_at < floor) older.set(issue.number, issue)
    const changed = page.items.filter(({ updated_at }) => updated_at >= floor)
    for (const { number } of changed) yielded.add(number)
    yield* pageChanges(source, { items: changed, odd: page.odd }, windows)
    tail = page.tail
  }
  for (const number of touchedNumbers(windows, floor)) {
    if (!yielded.has(number)) yield* touchedChanges(source, number, older.get(number), windows)
  }
  return { startedAt: first.page.at, tail, windows }
}

/** Everything, from the beginning or from where an earlier scan was interrupted. */
async function* fullScan(
  source: RepositorySource,
  listings: IssueListings,
  first: Begun<Issue>,
  startedAt: Date,
): AsyncGenerator<Change<GithubCursor>> {
  const mostPages = affordablePages(first)
  const windows = await readWindows(source, listings, { floor: undefined, begun: {}, mostPages })
  for (const listing of windows.refused) yield refusal(source, listing)
  yield { type: 'expected', items: (first.page.lastPage ?? 1) * first.page.data.count }
  let tail: Tail | undefined
  for await (const page of oneAhead(ascendingPages(listings.issues, first))) {
    yield* pageChanges(source, page, windows)
    tail = page.tail
    if (!page.isLast && page.reached !== undefined) {
      const progress = { startedAt: startedAt.toISOString(), reached: page.reached.toISOString() }
      yield { type: 'checkpoint', cursor: { kind: 'issues-walk', ...progress } }
    }
  }
  yield { type: 'checkpoint', cursor: endCursor(undefined, startedAt, tail, windows) }
}

/** The first listing that has changed; if none has, the cursor for the next run. */
async function changedListing(
  source: RepositorySource,
  listings: IssueListings,
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

/** The issues and pull requests of one page; what their listings lack is requested of many at once. */
function* pageChanges(
  source: RepositorySource,
  { items, odd }: { readonly items: readonly Issue[]; readonly odd: readonly OddRow[] },
  windows: Windows,
): Generator<Change<GithubCursor>> {
  const issues = items.filter((issue) => includesIssue(source, issue))
  const known = new Map(issues.map((issue) => [issue, knownThread(issue, windows)]))
  const wanted = [...known].flatMap(([issue, thread]) => wantedThread(issue, thread) ?? [])
  const batches = new ThreadBatches(source, wanted)
  for (const [issue, thread] of known) yield* itemChanges(source, issue, { windows, thread, batches })
  for (const row of odd) yield oddChange(source, row)
}

function knownThread({ number }: Issue, { comments, reviewComments, fromTheBeginning }: Windows): KnownThread {
  const allReviewComments = fromTheBeginning && reviewComments?.complete ? reviewComments.of(number) : undefined
  return { comments: comments.of(number), ...(allReviewComments && { reviewComments: allReviewComments }) }
}

interface ThreadParts {
  readonly windows: Windows
  readonly thread: KnownThread
  readonly batches: ThreadBatches
}

function* itemChanges(
  source: RepositorySource,
  issue: Issue,
  { windows, thread, batches }: ThreadParts,
): Generator<Change<GithubCursor>> {
  const { comments, reviewComments } = windows
  const whole = () => issueThread(source, issue, { known: thread, batches })
  const changedAt = lastChange([...comments.of(issue.number), ...(reviewComments?.of(issue.number) ?? [])])
  for (const item of issueItems(source, issue, issueRevision(issue, changedAt), whole)) yield { type: 'item', item }
}

/** An issue that did not change itself. */
async function* touchedChanges(
  source: RepositorySource,
  number: number,
  known: Issue | undefined,
  windows: Windows,
): AsyncGenerator<Change<GithubCursor>> {
  const issue = known ?? (await readIssue(source, number))
  if (issue !== undefined) return yield* pageChanges(source, { items: [issue], odd: [] }, windows)
  const isPullRequest = windows.comments.of(number).every(({ html_url }) => html_url.includes('/pull/'))
  const itemId = githubItemId(source, issuePart({ number, pull_request: isPullRequest ? {} : null }))
  yield { type: 'gone', ref: { sourceType: 'github', itemId } }
}

function oddChange(source: RepositorySource, row: OddRow): Change<GithubCursor> {
  const title = `${source.repository.full_name}#${row.number}`
  return { type: 'failed', ref: { ...oddRef(source, row), title }, error: new SourceError('skip', `${row.problem}.`) }
}

function oddRef(source: RepositorySource, { number, isPullRequest }: OddRow): ItemRef {
  const part = issuePart({ number, pull_request: isPullRequest ? {} : null })
  return { sourceType: 'github', itemId: githubItemId(source, part) }
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
  const thread = issue && (await issueThread(source, issue, { known: { comments: [] } }))
  if (issue === undefined || thread === undefined) return undefined
  const revision = issueRevision(issue, lastChange([...thread.comments, ...thread.reviewComments]))
  return issueItems(source, issue, revision, async () => thread)[segment]
}

/** Every issue and pull request; by time, because a page number would skip one when another is deleted meanwhile. */
export async function* issueInventory(source: RepositorySource): AsyncGenerator<ItemRef> {
  const { issues } = issueListings(source)
  const first = await beginning(issues, source.context.config.since)
  for await (const { items, odd } of ascendingPages(issues, first)) {
    for (const issue of items) if (includesIssue(source, issue)) yield* issueRefs(source, issue)
    for (const row of odd) yield oddRef(source, row)
  }
}

function includesIssue({ context }: RepositorySource, { pull_request }: Issue): boolean {
  return context.config.kinds.includes(pull_request ? 'pull_requests' : 'issues')
}
