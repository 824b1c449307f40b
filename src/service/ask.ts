import type { AskQuery, CallOptions } from '../domain/memory.ts'
import type { AskResult } from '../domain/results.ts'
import type { ReleaseWhile } from '../lib/semaphore.ts'
import { inSpan, secondsSince } from '../lib/telemetry.ts'
import { answerQuestion } from '../retrieval/answer/answer.ts'
import type { Answer } from '../retrieval/answer/write-answer.ts'
import { readNotes } from '../retrieval/recall/memory-notes.ts'
import { checkBilling, metered } from './billing.ts'
import type { AskLimit } from './load-limits.ts'
import type { Principal } from './principal.ts'
import {
  boundTimes,
  checkedQuery,
  DEFAULT_RECALL_LIMIT,
  memoryHandle,
  noteField,
  QUERY_MAX_CHARACTERS,
  recallSources,
} from './recall.ts'
import type { ServiceContext } from './service-context.ts'
import { checkedItemFilters } from './upload-checks.ts'
import { waitingNotice } from './waiting-notice.ts'

export const CONTEXT_MAX_CHARACTERS = 4_000
/** A question that depends on the conversation: `and when was that?`, `why not in May?`, `who told her?` */
const GOES_ON =
  /^\W*(?:and|but|so|what about|how about|why|when|where|who)\W*(?:was|is|did|were|does)?\W*(?:that|it|this|he|she|they|so|then|there|not)?\W*$|^\W*(?:and|what about|how about|why not)\b|\b(?:it|that|those|he|she|they|him|her|them|there)\b/i
const MOST_LAST_WORDS = 300

/** The question, combined with the previous turn for a follow-up. */
export function withContext(text: string, context: string | undefined): string {
  const last = context?.trim().slice(-MOST_LAST_WORDS) ?? ''
  return last === '' || !GOES_ON.test(text) ? text : `${text} ${last}`.slice(0, QUERY_MAX_CHARACTERS).toWellFormed()
}

/** Specification 4.5: an answer from the memories the key may see. */
export async function ask(...asked: Parameters<typeof answer>): Promise<AskResult> {
  const { response, abstained, citations, notice } = await answer(...asked)
  const [context, , principal, question] = asked
  const { now } = boundTimes(question, { now: context.clock(), timeZone: principal.timeZone })
  const { index } = context.store.scoped(principal.scope)
  // A memory that is cited twice shows its notes once.
  const memories = [...new Set(citations.flatMap(({ memory }) => memory ?? []))]
  const notesOf = await readNotes(memories, { index, now })
  const firstOf = new Map(citations.map(({ memory }, i) => [memory, i] as const).toReversed())
  return {
    response,
    abstained,
    ...(notice !== undefined && { notice }),
    citations: citations.map(({ itemId, sourceType, quote, memory, ...provenance }, i) => ({
      n: i + 1,
      item_id: itemId,
      source: sourceType,
      quote,
      ...(memory && { handle: memoryHandle(memory), ...(firstOf.get(memory) === i && noteField(notesOf(memory))) }),
      ...provenance,
    })),
  }
}

export interface AnswerOptions extends CallOptions {
  /** Called with the sentences of a language model that may be shown while the answer is checked; also again from the first. */
  readonly onDraft?: (sentences: string) => void
}

/** As `ask`, with the cited memories. */
export async function answer(
  context: ServiceContext,
  asks: AskLimit,
  principal: Principal,
  question: AskQuery,
  { signal, traceId, onDraft }: AnswerOptions = {},
): Promise<Answer> {
  const { meter, tracer } = context.telemetry
  await checkBilling(context, principal, 'ask')
  const text = checkedQuery(question.text)
  const times = boundTimes(question, { now: context.clock(), timeZone: principal.timeZone })
  const { person, project } = question
  const filters = checkedItemFilters(question)
  const startedAt = performance.now()
  signal?.throwIfAborted()
  const input = {
    ...times,
    text: withContext(text, question.context),
    limit: DEFAULT_RECALL_LIMIT,
    ...(person !== undefined && { person }),
    ...(project !== undefined && { project }),
    ...filters,
    timeZone: principal.timeZone,
    ...(principal.userName !== undefined && { userName: principal.userName }),
    ...(signal && { signal }),
  }
  const search = async (releaseWhile: ReleaseWhile) => {
    return inSpan(tracer, 'ask', {}, async (span) => {
      const writer = context.answerWriting(principal)
      const answered = await answerQuestion(input, {
        ...recallSources(context, principal.scope, releaseWhile, context.rerankAnswers()),
        ...(writer && {
          writer: {
            ...writer,
            ...(onDraft && { onDraft }),
            write: (...asked) => releaseWhile(() => writer.write(...asked)),
          },
        }),
      })
      span.set({ 'recalld.abstained': answered.abstained })
      return answered
    })
  }
  const given = await asks.run(principal.accountId, () =>
    metered(context, principal, 'ask', () => context.searches.run(search, signal)),
  )
  meter.observe('recalld_question_seconds', { kind: 'ask' }, secondsSince(startedAt))
  meter.count('recalld_questions_total', { kind: 'ask', outcome: given.abstained ? 'abstained' : 'answered' })
  const { accountId, keyId } = principal
  const ms = Math.round(performance.now() - startedAt)
  context.log.info({ ...(traceId !== undefined && { traceId }), accountId, keyId, ms }, 'question answered')
  context.activity.noteOf(principal, { kind: 'ask', text, abstained: given.abstained })
  const waiting = given.abstained ? await waitingNotice(context, principal) : undefined
  return waiting === undefined ? given : { ...given, notice: joined(given.notice, waiting) }
}

function joined(notice: string | undefined, further: string): string {
  return notice === undefined ? further : `${notice} ${further}`
}
