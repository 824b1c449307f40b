import type { Context } from '../../src/connector/connector.ts'
import { channelHistory } from './channel-history.ts'
import type { Place, Setting } from './conversation-item.ts'
import type { SlackMessage } from './slack-answers.ts'
import { type SlackConfig, sinceSeconds } from './slack-config.ts'
import type { SlackRun } from './slack-run.ts'
import { DAY_SECONDS } from './slack-time.ts'

/** What Slack reports about a channel itself. */
const EVENTS =
  /^((channel|group)_(join|leave|topic|purpose|name|archive|unarchive|convert_to_private|convert_to_public|posting_permissions|canvas_updated)|bot_(add|remove|enable|disable)|pinned_item|unpinned_item|joiner_notification\w*|reminder_(add|delete)|app_conversation_join|sh_room_created|ekm_access_denied)$/

/** Messages in which somebody says something; what was deleted but keeps its replies says nothing. */
export function toldMessages(messages: readonly SlackMessage[], { bots }: Pick<SlackConfig, 'bots'>): SlackMessage[] {
  return messages.filter(({ subtype, fromBot, text }) => {
    if (text === '' || subtype === 'tombstone') return false
    if (bots === 'exclude' && fromBot) return false
    return subtype === undefined || !EVENTS.test(subtype)
  })
}

/** Whether a message in a channel has replies: it then belongs to its thread, not to its day. */
export function isRoot({ ts, threadTs, replyCount }: SlackMessage): boolean {
  // Where replies are not counted, a message that names itself as its thread has some.
  return replyCount === undefined ? threadTs === ts : replyCount > 0 && (threadTs === undefined || threadTs === ts)
}

/** What is told in a thread, oldest first; `undefined` when it is none, or nothing is told in it. */
export async function toldInThread(
  rootTs: string,
  { channel, title }: Place,
  { config }: Context<SlackConfig>,
  { gateway }: SlackRun,
): Promise<SlackMessage[] | undefined> {
  const messages = await gateway.thread({ id: channel.id, title }, rootTs)
  // Replies may be counted and not shown; what the root says is in no other item then.
  const isThread = messages?.some((message) => message.ts !== rootTs || isRoot(message))
  const told = isThread ? toldMessages(messages ?? [], config) : []
  return told.length === 0 ? undefined : told
}

/** What is told in the channel on a day, outside of threads, oldest first. */
export async function toldOnDay(
  day: string,
  { channel, title }: Place,
  { config }: Context<SlackConfig>,
  { gateway }: SlackRun,
): Promise<SlackMessage[]> {
  const start = Date.parse(day) / 1000
  const range = { from: Math.max(start, sinceSeconds(config)), before: start + DAY_SECONDS }
  const messages: SlackMessage[] = []
  for await (const page of channelHistory(gateway, { id: channel.id, title }, range)) messages.push(...page.messages)
  return toldMessages(
    messages.filter((message) => !isRoot(message)),
    config,
  ).toReversed()
}

export async function settingOf(place: Place, messages: readonly SlackMessage[], run: SlackRun): Promise<Setting> {
  const { team, url } = await run.identity()
  return { ...place, team, teamUrl: url, names: await run.names(messages) }
}
