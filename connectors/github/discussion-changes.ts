import type { Change, ItemRef, SourceItem } from '../../src/connector/connector.ts'
import {
  type Discussion,
  type DiscussionComment,
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

/** Without a start time, oldest first and resumable; otherwise what changed since then, newest first. */
export async function* discussionChanges(
  source: RepositorySource,
  cursor: DiscussionCursor | undefined,
): AsyncGenerator<Change<GithubCursor>> {
  const scan = cursor?.kind === 'discussions-walk' ? cursor : undefined
  const floor = cursor?.kind === 'discussions' ? new Date(cursor.watermark) : source.context.config.since
  const direction = scan !== undefined || floor === undefined ? 'ASC' : 'DESC'
  let startedAt = scan && new Date(scan.startedAt)
  let after = scan?.after
  do {
    const page = await discussionPage(source, direction, after)
    if (page === undefined) throw lostPartition(source, 404)
    startedAt ??= page.at
    for (const discussion of page.nodes) {
      if (floor !== undefined && discussion.updatedAt < floor) continue
      for (const item of discussionItems(source, discussion)) yield { type: 'item', item }
    }
    const isPast = floor !== undefined && page.nodes.some(({ updatedAt }) => updatedAt < floor)
    after = direction === 'DESC' && isPast ? undefined : page.after
    if (after !== undefined && direction === 'ASC') {
      yield { type: 'checkpoint', cursor: { kind: 'discussions-walk', startedAt: startedAt.toISOString(), after } }
    }
  } while (after !== undefined)
  const watermark = new Date(startedAt.getTime() - OVERLAP_MS).toISOString()
  yield { type: 'checkpoint', cursor: { kind: 'discussions', watermark } }
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
  return `${paragraphs([`Category: ${category.name}.`, quotedMarkdown(body, author), ...turns])}\n`
}
