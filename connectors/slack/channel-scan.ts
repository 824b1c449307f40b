import type { Change, Context, SourceItem } from '../../src/connector/connector.ts'
import { mapInOrder } from '../../src/connector/map-in-order.ts'
import { perRun } from '../../src/connector/per-run.ts'
import { recentStart } from '../../src/connector/recent-window.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { digest } from '../../src/connector/source-item-id.ts'
import {
  channelHistory,
  HIDDEN,
  hiddenItems,
  isRoot,
  keptMessages,
  readSetting,
  threadMessages,
} from './channel-history.ts'
import { belongsTo, type ChannelRef, dayItem, dayRef, namedBy, threadItem, threadRef } from './conversation-item.ts'
import type { SlackMessage } from './slack-answers.ts'
import { type SlackConfig, sinceSeconds } from './slack-config.ts'
import { forgetOld, hasReadBackTo, isSealed, nextScan, type SlackCursor, type SlackScan } from './slack-cursor.ts'
import type { SlackRun } from './slack-run.ts'
import { DAY_SECONDS, dayStart, messageDay, messageSeconds } from './slack-time.ts'
import { listensToEvents } from './socket-events.ts'

/** Replies of this many threads are fetched between two checkpoints: ten minutes at one request a minute. */
const THREADS_PER_CHECKPOINT = 10
/** Threads that are read ahead. */
const THREADS_AT_ONCE = 8
/** Plans without full history show 90 days, minus a day for clock differences and a day that is only partly visible. */
const LIMITED_DAYS = 88
const CLOSED = 'The channel is archived and the token has no access. Kept as last synced.'
/** Length of a digest in the cursor: 60 bits. */
const DIGEST_LENGTH = 10
/** In place of a digest: its messages were read before, but not as this item. */
const LATE = '+'

interface Reading {
  readonly context: Context<SlackConfig>
  readonly run: SlackRun
  readonly channelRef: ChannelRef
  readonly state: State
}

/** The cursor as the scan changes it. */
interface State {
  readAt: number | undefined
  deepAt: number | undefined
  scan: SlackScan | undefined
  sealedAt: number | undefined
  readonly days: Map<string, string>
  readonly threads: Map<string, string>
}

type SlackChange = Change<SlackCursor>

/**
 * Reads a channel from its newest message back to where it is known well enough. Each stretch of whole days is compared
 * with the cursor: what differs is yielded, what is missing was deleted.
 */
export async function* scanChannel(
  channelRef: ChannelRef,
  cursor: SlackCursor | undefined,
  context: Context<SlackConfig>,
  run: SlackRun,
): AsyncGenerator<SlackChange> {
  const { readAt, deepAt, walk: begun, sealedAt, days = {}, threads = {} } = cursor ?? {}
  const state: State = {
    readAt,
    deepAt,
    scan: begun,
    sealedAt,
    days: new Map(Object.entries(days)),
    threads: new Map(Object.entries(threads)),
  }
  const reading = { context, run, channelRef, state }
  if (channelRef.channel.isArchived && isSealed(state, secondsNow(context))) return yield checkpoint(state)
  try {
    if (begun !== undefined) yield* scanPages(begun, reading)
    if (readAt !== undefined && listensToEvents(context.config)) await learnPushed(reading)
    // Messages posted during an interrupted full scan are read after it.
    yield* scanPages(planned(reading), reading)
  } catch (error) {
    if (!isClosedForGood(error, reading)) throw error
    context.log.info({ channel: channelRef.channel.id }, 'skipped an archived channel: the token has no access')
    if (state.readAt === undefined)
      yield* hiddenItems(channelRef, { before: Number.POSITIVE_INFINITY, why: CLOSED }, context)
    yield checkpoint({ ...state, sealedAt: secondsNow(context) })
  }
}

const LEARNED_DAYS = 91

/** Ids of recent Slack items, listed once per run. */
const recentItems = perRun(
  async ({ clock, memorized }: Pick<Context<SlackConfig>, 'clock' | 'memorized' | 'requests'>) => {
    const now = clock().getTime()
    const [since, until] = [-LEARNED_DAYS, 1].map((days) => new Date(now + days * DAY_SECONDS * 1000)) as [Date, Date]
    const ids: string[] = []
    for await (const { sourceType, itemId } of memorized({ since, until })) if (sourceType === 'slack') ids.push(itemId)
    return ids
  },
)

/** What was read because of an event is in no cursor; if it was deleted since, only a comparison shows it. */
async function learnPushed({ context, channelRef, state: { days, threads } }: Reading): Promise<void> {
  for (const id of await recentItems(context)) {
    const named = belongsTo(channelRef, id) ? namedBy(id) : undefined
    if (named === undefined) continue
    if ('thread' in named && !threads.has(named.thread)) threads.set(named.thread, '')
    if ('day' in named && !days.has(named.day)) days.set(named.day, '')
  }
}

/** Archived channels are synced by default; bots can't read those they left. */
function isClosedForGood(error: unknown, { channelRef, context }: Reading): boolean {
  const isSkipped = error instanceof SourceError && error.remedy === 'skip'
  return isSkipped && channelRef.channel.isArchived && context.config.include === undefined
}

function secondsNow({ clock }: Context<SlackConfig>): number {
  return Math.floor(clock().getTime() / 1000)
}

function planned({ context, state }: Reading): SlackScan {
  const { config } = context
  return nextScan(state, { now: secondsNow(context), since: sinceSeconds(config), relistDays: config.relist_days })
}

async function* scanPages(plan: SlackScan, reading: Reading): AsyncGenerator<SlackChange> {
  const { context, run, channelRef, state } = reading
  const { from, begun, deep } = plan
  const since = sinceSeconds(context.config)
  state.scan = plan
  state.sealedAt = undefined
  let { before } = plan
  let pending: SlackMessage[] = []
  /** Start of the oldest day with any visible message. */
  let shownFrom = before ?? Number.POSITIVE_INFINITY
  const channel = { id: channelRef.channel.id, title: channelRef.title }
  // Not only down to `from`: a longer page costs the same, and everything on it is compared.
  for await (const page of channelHistory(run.gateway, channel, { from: since, before })) {
    pending.push(...page.messages)
    const oldest = pending.at(-1)
    if (oldest !== undefined) shownFrom = dayStart(messageSeconds(oldest.ts))
    const boundary = completeFrom(page, oldest, Math.max(since, hiddenBefore(page, plan, state)))
    if (boundary === undefined || (before !== undefined && boundary >= before)) continue
    const complete = pending.filter(({ ts }) => messageSeconds(ts) >= boundary)
    pending = pending.filter(({ ts }) => messageSeconds(ts) < boundary)
    yield* stretch({ from: boundary, before: before ?? Number.POSITIVE_INFINITY }, complete, reading)
    before = boundary
    state.scan = { ...plan, before }
    forgetOld(state, begun)
    if (page.isLimited && page.isLast && state.readAt === undefined)
      yield* hiddenItems(channelRef, { before: shownFrom, why: HIDDEN }, context)
    if (boundary <= from) break
    if (!page.isLast) yield { ...checkpoint(state), ...recentPart(state, context) }
  }
  state.scan = undefined
  state.readAt = begun
  state.sealedAt = channelRef.channel.isArchived ? begun : undefined
  if (deep) state.deepAt = begun
  yield checkpoint(state)
}

/** A first scan goes back in time: what is older than the recent part may wait. */
function recentPart(state: State, context: Context<SlackConfig>) {
  const since = recentStart(context, context.config.since)
  return state.readAt === undefined && since !== undefined && hasReadBackTo(state.scan, since)
    ? { recentSince: since }
    : {}
}

/**
 * The day from which on all messages have been read.
 *
 * @param end of the channel; nothing older is visible
 */
function completeFrom(
  { isLast }: { readonly isLast: boolean },
  oldest: SlackMessage | undefined,
  end: number,
): number | undefined {
  if (isLast) return end
  return oldest && Math.max(end, dayStart(messageSeconds(oldest.ts)) + DAY_SECONDS)
}

/** Messages that a plan without full history hides from now on were not deleted. */
function hiddenBefore({ isLimited }: { readonly isLimited: boolean }, { begun }: SlackScan, { readAt }: State): number {
  return isLimited && readAt !== undefined ? dayStart(begun - LIMITED_DAYS * DAY_SECONDS) : 0
}

/** @param messages all messages of the stretch, newest first */
async function* stretch(
  { from, before }: { readonly from: number; readonly before: number },
  messages: readonly SlackMessage[],
  reading: Reading,
): AsyncGenerator<SlackChange> {
  const { context, run, channelRef, state } = reading
  const roots = messages.filter(isRoot)
  const others = messages.filter((message) => !isRoot(message))
  const days = Map.groupBy(keptMessages(others, context.config), ({ ts }) => messageDay(ts))
  const seen = new Set([...days.keys(), ...roots.map(({ ts }) => ts)])
  const changedDays = [...days].filter(([day, dayMessages]) => state.days.get(day) !== shortDigest(dayMessages))
  const changedRoots = roots.filter((root) => isChanged(root, state))
  if (announce(state, changedDays, changedRoots)) yield checkpoint(state)
  for (const [day, dayMessages] of changedDays) {
    const item = dayItem(day, dayMessages.toReversed(), await readSetting(channelRef, dayMessages, run))
    yield { type: 'item', item: returned(item, state.days.get(day), state) }
    state.days.set(day, shortDigest(dayMessages))
  }
  let at = 0
  for await (const [root, change] of mapInOrder(changedRoots, THREADS_AT_ONCE, (root) => readThread(root, reading))) {
    if (change !== undefined) yield change
    state.threads.set(root.ts, digestOf(root))
    if (++at % THREADS_PER_CHECKPOINT === 0) yield checkpoint(state)
  }
  // A day that `since` cuts is known by its start.
  const begin = dayStart(from)
  const isMissing = (key: string, seconds: number) => seconds >= begin && seconds < before && !seen.has(key)
  for (const day of [...state.days.keys()].filter((key) => isMissing(key, Date.parse(key) / 1000))) {
    yield { type: 'gone', ref: dayRef(channelRef, day) }
    state.days.delete(day)
  }
  for (const ts of [...state.threads.keys()].filter((key) => isMissing(key, messageSeconds(key)))) {
    yield { type: 'gone', ref: threadRef(channelRef, ts) }
    state.threads.delete(ts)
  }
}

/**
 * Adds what is yielded for the first time to the known items, without a digest: if the run stops before the next
 * checkpoint and the item is deleted before the next run, its deletion is still noticed. Returns whether anything was
 * new.
 */
function announce(
  { days, threads, readAt = 0 }: State,
  newDays: readonly (readonly [day: string, messages: readonly SlackMessage[]])[],
  roots: readonly SlackMessage[],
): boolean {
  const before = days.size + threads.size
  const isLate = ({ ts }: SlackMessage) => messageSeconds(ts) < readAt
  for (const [day, dayMessages] of newDays) if (!days.has(day)) days.set(day, dayMessages.some(isLate) ? LATE : '')
  for (const root of roots) if (!threads.has(root.ts)) threads.set(root.ts, isLate(root) ? LATE : '')
  return days.size + threads.size > before
}

/**
 * An item that did not exist when its messages were last read may have been deleted before: for example a day whose
 * only message became a thread that then lost its replies. The runner would take the unchanged item for an echo of the
 * deleted one unless it is newer.
 */
function returned(item: SourceItem, known: string | undefined, { scan }: State): SourceItem {
  if (known !== LATE || scan === undefined) return item
  return { ...item, revision: `${item.revision}+${scan.begun}`, updatedAt: new Date(scan.begun * 1000) }
}

/** With its root; without a change when there is nothing to report. */
async function readThread(
  root: SlackMessage,
  { context, run, channelRef, state }: Reading,
): Promise<readonly [SlackMessage, SlackChange?]> {
  const known = state.threads.get(root.ts)
  try {
    const messages = await threadMessages(root.ts, channelRef, context, run)
    if (messages !== undefined) {
      const item = threadItem(root.ts, messages, await readSetting(channelRef, messages, run))
      return [root, { type: 'item', item: returned(item, known, state) }]
    }
    return known === undefined ? [root] : [root, { type: 'gone', ref: threadRef(channelRef, root.ts) }]
  } catch (error) {
    if (!isOfOneThread(error)) throw error
    return [root, { type: 'failed', ref: threadRef(channelRef, root.ts), error }]
  }
}

/** A thread that Slack fails to return must not block the others; rate limits and lost access affect all of them. */
function isOfOneThread(error: unknown): error is SourceError {
  return error instanceof SourceError && error.remedy === 'retry' && !error.limited && error.retryAt === undefined
}

/**
 * The list of messages does not show edited replies. The weekly scan therefore reads threads with activity since the
 * last one again; doing so more often would cost a request per thread in a run without changes. The runner reads
 * settled threads again, which catches edits within minutes.
 */
function isChanged(root: SlackMessage, { threads, scan, readAt, deepAt }: State): boolean {
  if (threads.get(root.ts) !== digestOf(root)) return true
  return scan?.deep === true && readAt !== undefined && messageSeconds(root.latestReply ?? root.ts) >= (deepAt ?? 0)
}

function digestOf(root: SlackMessage): string {
  const { ts, editedTs, text, subtype, replyCount, latestReply } = root
  return shortDigest([ts, editedTs, text, subtype, replyCount, latestReply])
}

function shortDigest(value: unknown): string {
  return digest(value).slice(0, DIGEST_LENGTH)
}

function checkpoint({ readAt, deepAt, scan, sealedAt, days, threads }: State): SlackChange {
  const cursor = {
    ...(readAt !== undefined && { readAt }),
    ...(deepAt !== undefined && { deepAt }),
    ...(scan !== undefined && { walk: scan }),
    ...(sealedAt !== undefined && { sealedAt }),
    days: Object.fromEntries(days),
    threads: Object.fromEntries(threads),
  }
  return { type: 'checkpoint', cursor }
}
