import { formatHandle } from '../domain/handle.ts'
import type { CallOptions } from '../domain/memory.ts'
import type { SourceType } from '../domain/source-type.ts'
import type { BriefingQuery, BriefingResult, PromptQuery, SuggestionResult } from '../domain/suggestions.ts'
import { SHOWN_FRAME_TOKENS } from '../domain/suggestions.ts'
import { estimateTokens } from '../lib/estimate-tokens.ts'
import type { ReleaseWhile } from '../lib/semaphore.ts'
import { secondsSince } from '../lib/telemetry.ts'
import { createBriefing } from '../retrieval/agents/briefing.ts'
import { type SuggestedPassage, suggestPassages } from '../retrieval/agents/push.ts'
import { checkBilling } from './billing.ts'
import type { Principal } from './principal.ts'
import { recallSources } from './recall.ts'
import type { ServiceContext } from './service-context.ts'

export const PROMPT_MAX_CHARACTERS = 20_000
export const SESSION_MAX_CHARACTERS = 200
/** Number of passages that were shown before. */
export const SUGGESTION_MAX_IDS = 500
export const HOST_MAX_CHARACTERS = 40
export const FOLDER_MAX_CHARACTERS = 4_096
export const BRIEFING_MAX_FOLDERS = 5
export const REPOSITORY_MAX_CHARACTERS = 200
const MOST_ITEMS_NOTED = 5

/** Passages to show an agent for a prompt, usually none. Not metered as a recall. */
export async function suggest(
  context: ServiceContext,
  principal: Principal,
  { text, earlier, seen, session, host }: PromptQuery,
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
  const results = passages.map((passage) => passageResult(passage, timeZone))
  const tokens = passages.reduce((sum, passage) => sum + passage.tokens, SHOWN_FRAME_TOKENS)
  noteShown(context, principal, { when: 'prompt', probability, tokens, host, shown: results })
  return { probability, passages: results }
}

/** The briefing at the start of a session; empty for a project without memories. */
export async function brief(
  context: ServiceContext,
  principal: Principal,
  { folders, repository, session, host }: BriefingQuery,
): Promise<BriefingResult> {
  await checkBilling(context, principal, 'recall')
  const { timeZone, userName, scope } = principal
  const startedAt = performance.now()
  const { statements, seen } = await createBriefing({
    index: context.store.scoped(scope).index,
    folders,
    ...(repository !== undefined && { repository }),
    ...(session !== undefined && { session }),
    ...(userName !== undefined && { userName }),
    timeZone,
    now: context.clock(),
  })
  const { meter } = context.telemetry
  meter.observe('recalld_question_seconds', { kind: 'brief' }, secondsSince(startedAt))
  meter.count('recalld_questions_total', { kind: 'brief', outcome: statements.length > 0 ? 'found' : 'empty' })
  const tokens = statements.reduce((sum, { text }) => sum + estimateTokens(text), SHOWN_FRAME_TOKENS)
  noteShown(context, principal, { when: 'session-start', tokens, host, shown: statements })
  return { statements: [...statements], seen: seen.slice(0, SUGGESTION_MAX_IDS) }
}

interface Shown {
  readonly when: 'prompt' | 'session-start'
  readonly probability?: number
  readonly tokens: number
  readonly host: string | undefined
  readonly shown: readonly { readonly source: SourceType; readonly item_id: string }[]
}

/** Empty results are not recorded. */
function noteShown({ activity }: ServiceContext, principal: Principal, { shown, host, ...entry }: Shown): void {
  if (shown.length === 0) return
  const items = new Map(shown.map(({ source, item_id }) => [`${source}/${item_id}`, { source, item_id }]))
  activity.noteOf(principal, {
    kind: 'shown',
    ...entry,
    passages: shown.length,
    items: [...items.values()].slice(0, MOST_ITEMS_NOTED),
    ...(host !== undefined && { host }),
  })
}

function passageResult({ id, text, title, speaker, url, row }: SuggestedPassage, timeZone: string) {
  return {
    id,
    text,
    handle: formatHandle({ itemKey: row.itemKey, first: row.ordinal, last: row.ordinal }),
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
