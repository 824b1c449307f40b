import type { Change, ItemRef, SourceItem } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { sourceItemId } from '../../src/connector/source-item-id.ts'
import type { GraphGateway } from './graph-gateway.ts'
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
} from './teams-message.ts'

/** A chat with its selection rules. */
export interface ChatSource {
  readonly tenantId: string
  readonly chatId: string
  /** Its topic, or the names of its members. */
  readonly title: string
  readonly since: Date | undefined
  readonly now: Date
  readonly gateway: GraphGateway
}

type ChatChange = Change<TeamsCursor>

/** Graph's maximum. */
const PAGE_SIZE = 50
const DAY_MS = 24 * 60 * 60_000
/** Overlap of reads, because clocks differ and Graph reports changes late. */
const OVERLAP_MS = 30 * 60_000

/** The days of a chat that changed: first from the newest back, later those of changed messages. */
export async function* chatChanges(source: ChatSource, cursor: TeamsCursor | undefined): AsyncGenerator<ChatChange> {
  const begun = new Date(source.now.getTime() - OVERLAP_MS).toISOString()
  const from = cursor ?? { step: 'days', begun }
  if (from.step === 'changes') yield* changedDays(source, from.at)
  else if (from.step === 'days') yield* allDays(source, from)
  else throw new SourceError('restart', `${source.title} is synced from the start.`)
  yield { type: 'checkpoint', cursor: { step: 'changes', at: from.step === 'days' ? from.begun : begun } }
}

async function* allDays(
  source: ChatSource,
  { begun, before }: Extract<TeamsCursor, { step: 'days' }>,
): AsyncGenerator<ChatChange> {
  let day: { readonly name: string; readonly messages: TeamsMessage[] } | undefined
  for await (const message of newestFirst(source, before)) {
    const name = messageDay(message)
    if (!isTakenDay(name, source)) break
    if (day !== undefined && day.name !== name) {
      yield dayChange(day.name, day.messages, source)
      yield { type: 'checkpoint', cursor: { step: 'days', begun, before: `${day.name}T00:00:00Z` } }
      day = undefined
    }
    day ??= { name, messages: [] }
    day.messages.push(message)
  }
  if (day !== undefined) yield dayChange(day.name, day.messages, source)
}

async function* changedDays(source: ChatSource, at: string): AsyncGenerator<ChatChange> {
  const query = {
    $top: PAGE_SIZE,
    $orderby: 'lastModifiedDateTime desc',
    $filter: `lastModifiedDateTime gt ${at}`,
  }
  const days = new Set<string>()
  for await (const message of source.gateway.list(messageAnswer, messagesOf(source), { query })) {
    const name = messageDay(message)
    if (isTakenDay(name, source)) days.add(name)
  }
  for (const name of days) yield dayChange(name, await messagesOn(name, source), source)
}

/**
 * A day as it is now; `undefined` when nothing of it is left.
 *
 * @param day such as `2026-11-20`
 */
export async function readDay(source: ChatSource, day: string): Promise<SourceItem | undefined> {
  if (!isTakenDay(day, source)) return undefined
  const change = dayChange(day, await messagesOn(day, source), source)
  return change.type === 'item' ? change.item : undefined
}

async function messagesOn(day: string, source: ChatSource): Promise<TeamsMessage[]> {
  const messages: TeamsMessage[] = []
  const end = new Date(Date.parse(day) + DAY_MS).toISOString()
  for await (const message of newestFirst(source, end)) {
    if (messageDay(message) < day) break
    // A server that ignores the filter starts with the newest day.
    if (messageDay(message) === day) messages.push(message)
  }
  return messages
}

function isTakenDay(day: string, { since }: ChatSource): boolean {
  return since === undefined || Date.parse(day) + DAY_MS > since.getTime()
}

/** Graph filters by creation time only in this order, and only with `lt`. */
function newestFirst(source: ChatSource, before: string | undefined): AsyncGenerator<TeamsMessage> {
  const query = {
    $top: PAGE_SIZE,
    $orderby: 'createdDateTime desc',
    ...(before !== undefined && { $filter: `createdDateTime lt ${before}` }),
  }
  return source.gateway.list(messageAnswer, messagesOf(source), { query })
}

function dayChange(
  day: string,
  messages: readonly TeamsMessage[],
  source: ChatSource,
): Extract<ChatChange, { type: 'item' | 'gone' }> {
  const said = inOrder(new Map(messages.map((message) => [message.id, message])).values()).filter(isSaid)
  const [first] = said
  const ref = dayRef(day, source)
  if (first === undefined) return { type: 'gone', ref }
  const item: SourceItem = {
    ...ref,
    title: `${source.title} on ${day}`,
    revision: conversationRevision(said),
    people: peopleOf(said),
    where: source.title,
    visibility: 'direct',
    createdAt: new Date(first.createdDateTime),
    updatedAt: lastChange(said),
    body: conversationText(said),
  }
  return { type: 'item', item }
}

function dayRef(day: string, { tenantId, chatId, title }: ChatSource): ItemRef {
  const itemId = sourceItemId('teams', tenantId, 'chat', chatId, { name: 'day', value: day })
  return { sourceType: 'ms-teams', itemId, locator: day, title: `${title} on ${day}` }
}

function messageDay({ createdDateTime }: TeamsMessage): string {
  return new Date(createdDateTime).toISOString().slice(0, 10)
}

function messagesOf({ chatId }: ChatSource): string {
  return `/chats/${encodeURIComponent(chatId)}/messages`
}
