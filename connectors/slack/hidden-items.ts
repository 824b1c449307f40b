import type { Change, Context } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { channelHistory } from './channel-history.ts'
import { isToldIn, type Place } from './conversation-item.ts'
import { type SlackConfig, sinceSeconds } from './slack-config.ts'
import type { SlackRun } from './slack-run.ts'

export const HIDDEN = 'The plan of the workspace hides it by now: it stays as it was read.'

/** Latest time that a date can be. */
const END_OF_TIME_MS = 8.64e15

/**
 * What is remembered of a channel and Slack shows no more. After a walk from the beginning everything is forgotten that it
 * did not come by, but what is hidden was not deleted: named as unreadable, it stays as it was read.
 *
 * @param before seconds; it began earlier
 * @param why a sentence about one item
 */
export async function* hiddenItems(
  place: Place,
  { before, why }: { readonly before: number; readonly why: string },
  { config, memorized }: Pick<Context<SlackConfig>, 'config' | 'memorized'>,
): AsyncGenerator<Change<never>> {
  const since = new Date(sinceSeconds(config) * 1000)
  const until = new Date(Math.min(before * 1000, END_OF_TIME_MS))
  for await (const { sourceType, itemId, title } of memorized({ since, until })) {
    if (sourceType !== 'slack' || !isToldIn(place, itemId)) continue
    yield { type: 'failed', ref: { sourceType, itemId, title }, error: new SourceError('skip', why) }
  }
}

/**
 * Whether the plan of the workspace hides what was told in a channel before a time. What is asked for by itself, as a
 * thread, is answered as if it had been deleted.
 *
 * @param before seconds
 */
export async function isHiddenBefore(before: number, place: Place, run: SlackRun): Promise<boolean> {
  const channel = { id: place.channel.id, title: place.title }
  for await (const { isLimited, messages } of channelHistory(run.gateway, channel, { from: 0, before })) {
    return isLimited && messages.length === 0
  }
  return false
}
