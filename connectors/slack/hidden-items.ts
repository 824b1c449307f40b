import type { Change, Context } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { isToldIn, type Place } from './conversation-item.ts'
import { type SlackConfig, sinceSeconds } from './slack-config.ts'

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
