import type { Change, Context } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { belongsTo, type ChannelRef, type Setting } from './conversation-item.ts'
import type { SlackMessage } from './slack-answers.ts'
import { type SlackConfig, sinceSeconds } from './slack-config.ts'
import type { ChannelName, SlackGateway } from './slack-gateway.ts'
import type { SlackRun } from './slack-run.ts'
import { DAY_SECONDS } from './slack-time.ts'

interface HistoryPart {
  /** Newest first. */
  readonly messages: readonly SlackMessage[]
  readonly isLast: boolean
  readonly isLimited: boolean
}

/**
 * The messages of a channel in [from, before), page by page, newest first.
 *
 * @param range in whole seconds
 */
export async function* channelHistory(
  gateway: SlackGateway,
  channel: ChannelName,
  { from, before }: { readonly from: number; readonly before?: number | undefined },
): AsyncGenerator<HistoryPart> {
  // Slack excludes both ends; its times have six decimals.
  const oldest = from > 0 ? `${from - 1}.999999` : undefined
  let latest = before === undefined ? undefined : `${before}.000000`
  let last = latest
  for (let cursor: string | undefined; ; ) {
    const page = await gateway.history(channel, { oldest, latest, cursor })
    if (page === undefined && cursor === undefined)
      throw new SourceError('retry', `${channel.title}: Slack did not list its messages (invalid_cursor).`)
    if (page === undefined) {
      // The cursor expired, so it continues from the oldest message read.
      cursor = undefined
      latest = last
      continue
    }
    const until = last
    const messages = page.messages
      .filter(({ ts }) => until === undefined || ts < until)
      .toSorted((a, b) => (a.ts < b.ts ? 1 : -1))
    yield { messages, isLast: !page.hasMore, isLimited: page.isLimited }
    if (!page.hasMore) return
    if (messages.length === 0 && (page.nextCursor === undefined || page.nextCursor === cursor))
      throw new SourceError('retry', `${channel.title}: Slack keeps returning the same messages.`)
    last = messages.at(-1)?.ts ?? last
    cursor = page.nextCursor
    if (cursor === undefined) latest = last
  }
}

/** Messages with which Slack reports events of the channel. */
const EVENTS =
  /^((channel|group)_(join|leave|topic|purpose|name|archive|unarchive|convert_to_private|convert_to_public|posting_permissions|canvas_updated)|bot_(add|remove|enable|disable)|pinned_item|unpinned_item|joiner_notification\w*|reminder_(add|delete)|app_conversation_join|sh_room_created|ekm_access_denied)$/

/** Messages that say something; a deleted message that still has replies does not. */
export function keptMessages(messages: readonly SlackMessage[], { bots }: Pick<SlackConfig, 'bots'>): SlackMessage[] {
  return messages.filter(({ subtype, fromBot, text }) => {
    if (text === '' || subtype === 'tombstone') return false
    if (bots === 'exclude' && fromBot) return false
    return subtype === undefined || !EVENTS.test(subtype)
  })
}

/** Whether a message in a channel has replies and so belongs to its thread, not to its day. */
export function isRoot({ ts, threadTs, replyCount }: SlackMessage): boolean {
  // Where replies are not counted, a message that names itself as its thread has some.
  return replyCount === undefined ? threadTs === ts : replyCount > 0 && (threadTs === undefined || threadTs === ts)
}

/** The messages of a thread, oldest first; `undefined` when it is no thread or has no messages. */
export async function threadMessages(
  rootTs: string,
  { channel, title }: ChannelRef,
  { config }: Context<SlackConfig>,
  { gateway }: SlackRun,
): Promise<SlackMessage[] | undefined> {
  const messages = await gateway.thread({ id: channel.id, title }, rootTs)
  // Replies may be counted but not returned; then no other item has the root message.
  const isThread = messages?.some((message) => message.ts !== rootTs || isRoot(message))
  const kept = isThread ? keptMessages(messages ?? [], config) : []
  return kept.length === 0 ? undefined : kept
}

/** The messages of the channel on a day outside of threads, oldest first. */
export async function dayMessages(
  day: string,
  { channel, title }: ChannelRef,
  { config }: Context<SlackConfig>,
  { gateway }: SlackRun,
): Promise<SlackMessage[]> {
  const start = Date.parse(day) / 1000
  const range = { from: Math.max(start, sinceSeconds(config)), before: start + DAY_SECONDS }
  const messages: SlackMessage[] = []
  for await (const page of channelHistory(gateway, { id: channel.id, title }, range)) messages.push(...page.messages)
  return keptMessages(
    messages.filter((message) => !isRoot(message)),
    config,
  ).toReversed()
}

export async function readSetting(
  channelRef: ChannelRef,
  messages: readonly SlackMessage[],
  run: SlackRun,
): Promise<Setting> {
  const { team, url } = await run.identity()
  return { ...channelRef, team, teamUrl: url, names: await run.names(messages) }
}

export const HIDDEN = 'The plan of the workspace now hides it. Kept as last synced.'

/** Latest time that a date can have. */
const END_OF_TIME_MS = 8.64e15

/**
 * Known items of a channel that Slack no longer shows. After a full scan, everything it did not yield would be
 * forgotten; marking hidden items as unreadable keeps them as they were.
 *
 * @param before seconds; items that began earlier
 * @param why a sentence about one item
 */
export async function* hiddenItems(
  channelRef: ChannelRef,
  { before, why }: { readonly before: number; readonly why: string },
  { config, memorized }: Pick<Context<SlackConfig>, 'config' | 'memorized'>,
): AsyncGenerator<Change<never>> {
  const since = new Date(sinceSeconds(config) * 1000)
  const until = new Date(Math.min(before * 1000, END_OF_TIME_MS))
  for await (const { sourceType, itemId, title } of memorized({ since, until })) {
    if (sourceType !== 'slack' || !belongsTo(channelRef, itemId)) continue
    yield { type: 'failed', ref: { sourceType, itemId, title }, error: new SourceError('skip', why) }
  }
}

/**
 * Whether the workspace's plan hides messages of a channel from before a time. Slack answers requests for hidden
 * threads as if they had been deleted.
 *
 * @param before seconds
 */
export async function isHiddenBefore(before: number, channelRef: ChannelRef, run: SlackRun): Promise<boolean> {
  const channel = { id: channelRef.channel.id, title: channelRef.title }
  for await (const { isLimited, messages } of channelHistory(run.gateway, channel, { from: 0, before })) {
    return isLimited && messages.length === 0
  }
  return false
}
