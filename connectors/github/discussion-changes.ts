import type { Change, ItemRef, SourceItem } from '../../src/connector/connector.ts'
import { recentStart } from '../../src/connector/recent-window.ts'
import {
  type Discussion,
  type DiscussionComment,
  type DiscussionPage,
  type DiscussionRef,
  type DiscussionReply,
  discussionComments,
  discussionPage,
  discussionRefPage,
  readDiscussion,
} from './discussion-queries.ts'
import type { CursorOf, GithubCursor } from './github-config.ts'
import { isBot, loginOf, paragraphs, quotedMarkdown, spokenHeading } from './readable-markdown.ts'
import { lostPartition, type RepositorySource, repositoryFields, takesBots } from './repository-source.ts'
import { ofSegment, segmentRefs } from './segment-refs.ts'

const OVERLAP_MS = 5 * 60_000

type DiscussionCursor = CursorOf<'discussions'> | CursorOf<'discussions-walk'>

/** What changed since the cursor or the configured day, newest first; otherwise everything. */
export async function* discussionChanges(
  source: RepositorySource,
  cursor: DiscussionCursor | undefined,
): AsyncGenerator<Change<GithubCursor>> {
  const floor = cursor?.kind === 'discussions' ? new Date(cursor.watermark) : source.context.config.since
  const startedAt =
    floor === undefined || cursor?.kind === 'discussions-walk'
      ? yield* discussionScan(source, cursor?.kind === 'discussions-walk' ? cursor : undefined)
      : yield* discussionsSince(source, floor)
  const watermark = new Date(startedAt.getTime() - OVERLAP_MS).toISOString()
  yield { type: 'checkpoint', cursor: { kind: 'discussions', watermark } }
}

/**
 * Everything, oldest first and resumable, after what is recent. What changes meanwhile moves to the end.
 *
 * @returns when it started
 */
async function* discussionScan(
  source: RepositorySource,
  begun: CursorOf<'discussions-walk'> | undefined,
): AsyncGenerator<Change<GithubCursor>, Date> {
  let page = await pageFrom(source, 'ASC', begun?.after)
  const startedAt = begun === undefined ? page.at : new Date(begun.startedAt)
  const scan = { kind: 'discussions-walk', startedAt: startedAt.toISOString() } as const
  let isRecentRead = begun?.recentRead === true
  const recent = begun === undefined ? recentStart(source.context, undefined) : undefined
  if (recent !== undefined && hasOlder(page, recent)) {
    yield* discussionsSince(source, recent)
    isRecentRead = true
    yield { type: 'checkpoint', cursor: { ...scan, recentRead: true }, recentSince: recent }
    // Other repositories may come in between.
    page = await pageFrom(source, 'ASC', undefined)
  }
  for (;;) {
    for (const discussion of page.nodes) yield* itemChanges(source, discussion)
    const { after } = page
    if (after === undefined) return startedAt
    yield { type: 'checkpoint', cursor: { ...scan, after, ...(isRecentRead && { recentRead: true }) } }
    page = await pageFrom(source, 'ASC', after)
  }
}

/** Whether reading the recent part first brings it sooner. @param page the oldest */
function hasOlder({ nodes, after }: DiscussionPage<Discussion>, recent: Date): boolean {
  const [oldest] = nodes
  return after !== undefined && oldest !== undefined && oldest.updatedAt < recent
}

/** @returns when it started */
async function* discussionsSince(source: RepositorySource, floor: Date): AsyncGenerator<Change<GithubCursor>, Date> {
  let startedAt: Date | undefined
  for (let after: string | undefined; ; ) {
    const page = await pageFrom(source, 'DESC', after)
    startedAt ??= page.at
    for (const discussion of page.nodes) {
      if (discussion.updatedAt >= floor) yield* itemChanges(source, discussion)
    }
    if (page.after === undefined || page.nodes.some(({ updatedAt }) => updatedAt < floor)) return startedAt
    after = page.after
  }
}

async function pageFrom(source: RepositorySource, direction: 'ASC' | 'DESC', after: string | undefined) {
  const page = await discussionPage(source, direction, after)
  if (page === undefined) throw lostPartition(source, 404)
  return page
}

function* itemChanges(source: RepositorySource, discussion: Discussion): Generator<Change<GithubCursor>> {
  for (const item of discussionItems(source, discussion)) yield { type: 'item', item }
}

/** By creation time: GraphQL pages continue after an entry, so that none is skipped. */
export async function* discussionInventory(source: RepositorySource): AsyncGenerator<ItemRef> {
  const { since } = source.context.config
  let after: string | undefined
  do {
    const page = await discussionRefPage(source, after)
    if (page === undefined) throw lostPartition(source, 404)
    for (const discussion of page.nodes) {
      if (since === undefined || discussion.updatedAt >= since) yield* discussionRefs(source, discussion)
    }
    after = page.after
  } while (after !== undefined)
}

/** @param segment 0 for the first */
export async function readDiscussionItem(
  source: RepositorySource,
  number: number,
  segment: number,
): Promise<SourceItem | undefined> {
  const discussion = await readDiscussion(source, number)
  return discussion && discussionItems(source, discussion)[segment]
}

function discussionRefs(source: RepositorySource, { number, title, updatedAt, comments }: DiscussionRef) {
  const whole = `${source.repository.full_name} discussion #${number}: ${title}`
  const refs = segmentRefs(
    source,
    { name: 'disc', value: String(number) },
    { title: whole, comments: comments.totalCount },
  )
  return refs.map((ref) => ({ ...ref, revision: `${updatedAt.toISOString()} ${comments.totalCount}` }))
}

function discussionItems(source: RepositorySource, discussion: Discussion): SourceItem[] {
  let reading: Promise<DiscussionComment[] | undefined> | undefined
  return discussionRefs(source, discussion).map((ref, segment) => ({
    ...ref,
    ...repositoryFields(source),
    url: discussion.url,
    author: loginOf(discussion.author),
    createdAt: discussion.createdAt,
    updatedAt: discussion.updatedAt,
    async body() {
      reading ??= discussionComments(source, discussion)
      const comments = await reading
      return comments && discussionBody(discussion, comments, { segment, withBots: takesBots(source) })
    },
  }))
}

function discussionBody(
  { category, body, author }: Discussion,
  comments: readonly DiscussionComment[],
  { segment, withBots }: { readonly segment: number; readonly withBots: boolean },
): string | undefined {
  const said = (what: string, { author, createdAt, body }: DiscussionReply) =>
    !withBots && isBot(author)
      ? undefined
      : paragraphs([spokenHeading(what, author, createdAt), quotedMarkdown(body, author)])
  const inSegment = ofSegment(comments, segment)
  const turns = inSegment.flatMap((comment) => [
    said(comment.isAnswer ? 'Answer' : 'Comment', comment),
    ...comment.replies.nodes.map((reply) => said('Reply', reply)),
  ])
  if (segment > 0) return inSegment.length === 0 ? undefined : `${paragraphs(turns)}\n`
  return `${paragraphs([category ? `Category: ${category.name}.` : undefined, quotedMarkdown(body, author), ...turns])}\n`
}
