import { SourceError } from '../../src/connector/source-error.ts'
import type { SlackMessage } from './slack-answers.ts'
import type { ChannelName, SlackGateway } from './slack-gateway.ts'

export interface HistoryPart {
  /** Newest first. */
  readonly messages: readonly SlackMessage[]
  readonly isLast: boolean
  readonly isLimited: boolean
}

/**
 * The messages of a channel told in [from, before), page by page from the newest to the oldest.
 *
 * @param range whole seconds
 */
export async function* channelHistory(
  gateway: SlackGateway,
  channel: ChannelName,
  { from, before }: { readonly from: number; readonly before?: number | undefined },
): AsyncGenerator<HistoryPart> {
  // Slack leaves out both ends; times have six digits.
  const oldest = from > 0 ? `${from - 1}.999999` : undefined
  let latest = before === undefined ? undefined : `${before}.000000`
  let last = latest
  for (let cursor: string | undefined; ; ) {
    const page = await gateway.history(channel, { oldest, latest, cursor })
    if (page === undefined && cursor === undefined)
      throw new SourceError('retry', `${channel.title}: Slack did not list its messages (invalid_cursor).`)
    if (page === undefined) {
      // The cursor ran out: on from the oldest message that was read.
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
      throw new SourceError('retry', `${channel.title}: Slack gives the same messages again and again.`)
    last = messages.at(-1)?.ts ?? last
    cursor = page.nextCursor
    if (cursor === undefined) latest = last
  }
}
