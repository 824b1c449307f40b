import { z } from 'zod'
import type { Change, ItemRef, SourceItem } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { sourceItemId } from '../../src/connector/source-item-id.ts'
import { type GraphGateway, linkAfter } from './graph-gateway.ts'
import type { TeamsCursor } from './teams-config.ts'
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

/** A channel of a team with its selection rules. */
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

/** The fields used of a delta; deleted messages have only a few. */
const changedAnswer = z.looseObject({ id: z.string().min(1), replyToId: z.string().nullish() })

/** Graph's maximum. */
const PAGE_SIZE = 50
/** Overlap of reads, because clocks differ. */
const OVERLAP_MS = 10 * 60_000
const TITLE_LENGTH = 80

/**
 * The threads of a channel that changed. Delta covers only the last eight months, so the first full scan lists all
 * messages, and a delta started with it takes over.
 *
 * @throws SourceError `restart` when Graph no longer accepts the link
 */
export async function* channelChanges(
  source: ChannelSource,
  cursor: TeamsCursor | undefined,
): AsyncGenerator<ChannelChange> {
  const begun = new Date(source.now.getTime() - OVERLAP_MS).toISOString()
  const from = cursor ?? { step: 'history', begun }
  if (from.step === 'delta') return yield* deltaPages(source, from.link)
  if (from.step !== 'history') throw new SourceError('restart', `${source.title} is synced from the start.`)
  yield* historyPages(source, from)
  const query = { $filter: `lastModifiedDateTime gt ${from.begun}`, $top: PAGE_SIZE }
  yield* deltaPages(source, undefined, query)
}

async function* historyPages(
  source: ChannelSource,
  { begun, link }: Extract<TeamsCursor, { step: 'history' }>,
): AsyncGenerator<ChannelChange> {
  const options = link === undefined ? { query: { $top: PAGE_SIZE, $expand: 'replies' } } : {}
  const first = link === undefined ? messagesOf(source) : { link }
  for await (const { values, nextLink } of source.gateway.pages(messageAnswer, first, options)) {
    for (const root of values) yield await threadChange(root.id, source, () => threadItem(root, source, true))
    if (nextLink !== undefined) yield { type: 'checkpoint', cursor: { step: 'history', begun, link: nextLink } }
  }
}

async function* deltaPages(
  source: ChannelSource,
  link: string | undefined,
  query: Readonly<Record<string, string | number>> = {},
): AsyncGenerator<ChannelChange> {
  const first = link === undefined ? `${messagesOf(source)}/delta` : { link }
  for await (const page of source.gateway.pages(changedAnswer, first, link === undefined ? { query } : {})) {
    // A reply is filed under its thread, because not every response includes the root message.
    const roots = new Set(page.values.map(({ id, replyToId }) => replyToId || id))
    for (const id of roots) yield await threadChange(id, source, () => readThread(source, id))
    yield { type: 'checkpoint', cursor: { step: 'delta', link: linkAfter(page, source.title) } }
  }
}

/** A thread that fails must not block the others. */
async function threadChange(
  id: string,
  source: ChannelSource,
  read: () => Promise<SourceItem | undefined>,
): Promise<ChannelChange> {
  const ref = threadRef(id, source)
  try {
    const item = await read()
    return item === undefined ? { type: 'gone', ref } : { type: 'item', item }
  } catch (error) {
    if (error instanceof SourceError && error.remedy === 'skip') return { type: 'failed', ref, error }
    throw error
  }
}

/**
 * A thread as it is now; `undefined` when nothing of it is left.
 *
 * @param id of its first message
 */
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
