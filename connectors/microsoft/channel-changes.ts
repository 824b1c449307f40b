import type { Change, ItemRef, SourceItem } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { sourceItemId } from '../../src/connector/source-item-id.ts'
import type { GraphGateway } from './graph-gateway.ts'
import type { TeamsCursor } from './teams-cursor.ts'
import {
  conversationRevision,
  conversationText,
  inOrder,
  isSaid,
  lastChange,
  messageAnswer,
  peopleOf,
  type TeamsMessage,
  type TeamsRoot,
} from './teams-message.ts'

/** A channel of a team, and what is taken of it. */
export interface ChannelSource {
  readonly teamId: string
  readonly channelId: string
  /** `Engineering / General` */
  readonly title: string
  readonly since: Date | undefined
  readonly now: Date
  readonly gateway: GraphGateway
}

type ChannelChange = Change<TeamsCursor>

const PAGE_SIZE = 50
/** Clocks differ. */
const OVERLAP_MS = 10 * 60_000
const TITLE_LENGTH = 80

/**
 * The threads of a channel that changed. Delta goes back eight months only, so the first walk lists all messages, and a
 * delta from its beginning on follows.
 *
 * @throws SourceError `restart` when Graph does not take the link any more
 */
export async function* channelChanges(
  source: ChannelSource,
  cursor: TeamsCursor | undefined,
): AsyncGenerator<ChannelChange> {
  const begun = new Date(source.now.getTime() - OVERLAP_MS).toISOString()
  const from = cursor ?? { step: 'history', begun }
  if (from.step === 'delta') return yield* deltaPages(source, from.link)
  if (from.step !== 'history') throw new SourceError('restart', `${source.title} is read anew.`)
  yield* historyPages(source, from)
  const query = { $filter: `lastModifiedDateTime gt ${from.begun}`, $top: PAGE_SIZE }
  yield* deltaPages(source, undefined, query)
}

async function* historyPages(
  source: ChannelSource,
  { begun, link }: Extract<TeamsCursor, { step: 'history' }>,
): AsyncGenerator<ChannelChange> {
  const query = { $top: PAGE_SIZE, $expand: 'replies' }
  const seen = new Set<string>()
  let page =
    link === undefined
      ? await source.gateway.page(messageAnswer, messagesOf(source), { query })
      : await source.gateway.page(messageAnswer, { link })
  for (;;) {
    for (const root of page.values) yield* threadChange(root, source, true)
    const { nextLink } = page
    if (nextLink === undefined) return
    yield { type: 'checkpoint', cursor: { step: 'history', begun, link: nextLink } }
    if (seen.has(nextLink)) throw repeating(source)
    seen.add(nextLink)
    page = await source.gateway.page(messageAnswer, { link: nextLink })
  }
}

async function* deltaPages(
  source: ChannelSource,
  link: string | undefined,
  query: Readonly<Record<string, string | number>> = {},
): AsyncGenerator<ChannelChange> {
  const seen = new Set<string>()
  let page = await source.gateway.page(
    messageAnswer,
    link === undefined ? `${messagesOf(source)}/delta` : { link },
    link === undefined ? { query } : {},
  )
  for (;;) {
    // A reply stands for its thread: not every answer holds the root.
    const roots = new Set(page.values.map(({ id, replyToId }) => (typeof replyToId === 'string' && replyToId) || id))
    for (const id of roots) yield* changedThread(id, source)
    const next = page.nextLink ?? page.deltaLink
    if (next === undefined) throw new SourceError('retry', `Graph ended the changes of ${source.title} without a link.`)
    yield { type: 'checkpoint', cursor: { step: 'delta', link: next } }
    if (page.nextLink === undefined) return
    if (seen.has(next)) throw repeating(source)
    seen.add(next)
    page = await source.gateway.page(messageAnswer, { link: next })
  }
}

function repeating({ title }: ChannelSource): SourceError {
  return new SourceError('restart', `Graph gives the same page of ${title} again and again.`)
}

async function* changedThread(id: string, source: ChannelSource): AsyncGenerator<ChannelChange> {
  const root = await source.gateway.find(messageAnswer, `${messagesOf(source)}/${encodeURIComponent(id)}`)
  if (root === undefined) yield { type: 'gone', ref: threadRef(id, source) }
  else yield* threadChange(root, source, false)
}

async function* threadChange(
  root: TeamsRoot,
  source: ChannelSource,
  isExpanded: boolean,
): AsyncGenerator<ChannelChange> {
  const item = await threadItem(root, source, isExpanded)
  yield item === undefined ? { type: 'gone', ref: threadRef(root.id, source) } : { type: 'item', item }
}

/** A thread as it is now; `undefined` when nothing of it is left. @param id of its first message */
export async function readThread(source: ChannelSource, id: string): Promise<SourceItem | undefined> {
  const root = await source.gateway.find(messageAnswer, `${messagesOf(source)}/${encodeURIComponent(id)}`)
  return root && threadItem(root, source, false)
}

async function threadItem(
  root: TeamsRoot,
  source: ChannelSource,
  isExpanded: boolean,
): Promise<SourceItem | undefined> {
  const { since, title } = source
  if (since !== undefined && new Date(root.createdDateTime) < since) return undefined
  const isWhole = isExpanded && root.replies && !root['replies@odata.nextLink']
  const replies = isWhole ? (root.replies ?? []) : await repliesTo(root.id, source)
  const said = [root, ...inOrder(replies)].filter(isSaid)
  const [first] = said
  if (first === undefined) return undefined
  const text = conversationText(said)
  const opening = conversationText([first])
    .replace(/^[^\n]*?\]: /, '')
    .replace(/\s+/g, ' ')
  const cut = [...opening].length > TITLE_LENGTH ? `${[...opening].slice(0, TITLE_LENGTH - 1).join('')}…` : opening
  return {
    ...threadRef(root.id, source),
    title: `${title}: ${cut}`,
    revision: conversationRevision(said),
    ...(root.webUrl && { url: root.webUrl }),
    people: peopleOf(said),
    where: title,
    parents: title.split(' / '),
    visibility: 'shared',
    createdAt: new Date(first.createdDateTime),
    updatedAt: lastChange(said),
    body: text,
  }
}

async function repliesTo(id: string, source: ChannelSource): Promise<TeamsMessage[]> {
  const path = `${messagesOf(source)}/${encodeURIComponent(id)}/replies`
  const replies: TeamsMessage[] = []
  for await (const reply of source.gateway.list(messageAnswer, path, { query: { $top: PAGE_SIZE } }))
    replies.push(reply)
  return replies
}

function threadRef(rootId: string, { teamId, channelId, title }: ChannelSource): ItemRef {
  const itemId = sourceItemId('teams', teamId, 'ch', channelId, rootId)
  return { sourceType: 'ms-teams', itemId, locator: rootId, title: `${title}: thread` }
}

function messagesOf({ teamId, channelId }: ChannelSource): string {
  return `/teams/${encodeURIComponent(teamId)}/channels/${encodeURIComponent(channelId)}/messages`
}
