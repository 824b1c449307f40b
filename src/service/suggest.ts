import type { CallOptions } from '../domain/memory.ts'
import type { PromptQuery, SuggestionResult } from '../domain/suggestions.ts'
import type { ReleaseWhile } from '../lib/semaphore.ts'
import { secondsSince } from '../lib/telemetry.ts'
import { type SuggestedPassage, suggestPassages } from '../retrieval/push.ts'
import { checkBilling } from './billing.ts'
import type { Principal } from './principal.ts'
import { recallSources } from './recall.ts'
import type { ServiceContext } from './service-context.ts'

export const PROMPT_MAX_CHARACTERS = 20_000
export const SESSION_MAX_CHARACTERS = 200
/** Number of passages that were shown before. */
export const SUGGESTION_MAX_IDS = 500

/** What to show an agent for a prompt; usually nothing. Not metered as a recall, because nobody asked. */
export async function suggest(
  context: ServiceContext,
  principal: Principal,
  { text, earlier, seen, session }: PromptQuery,
  { signal }: CallOptions = {},
): Promise<SuggestionResult> {
  await checkBilling(context, principal, 'recall')
  signal?.throwIfAborted()
  const { timeZone, userName, scope } = principal
  const startedAt = performance.now()
  const prompt = {
    text,
    earlier,
    seen: new Set(seen),
    ...(session !== undefined && { session }),
    now: context.clock(),
    timeZone,
    ...(userName !== undefined && { userName }),
    ...(signal && { signal }),
  }
  // A reranker takes longer than an agent's hook may.
  const search = async (releaseWhile: ReleaseWhile) => {
    const { rerank: _, ...sources } = recallSources(context, scope, releaseWhile)
    return suggestPassages(prompt, sources)
  }
  const { probability, passages } = await context.searches.run(search, signal)
  const { meter } = context.telemetry
  meter.observe('recalld_question_seconds', { kind: 'suggest' }, secondsSince(startedAt))
  meter.count('recalld_questions_total', { kind: 'suggest', outcome: passages.length > 0 ? 'found' : 'empty' })
  return { probability, passages: passages.map((passage) => passageResult(passage, timeZone)) }
}

function passageResult({ id, text, title, speaker, url, row }: SuggestedPassage, timeZone: string) {
  return {
    id,
    text,
    item_id: row.itemId,
    source: row.sourceType,
    ...(title !== undefined && { title }),
    ...(speaker !== undefined && { speaker }),
    ...(row.at !== undefined && { when: dayIn(timeZone, row.at) }),
    ...(url !== undefined && { url }),
  }
}

function dayIn(timeZone: string, at: number): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(at)
}
