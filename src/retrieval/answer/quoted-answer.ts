import type { Embedder } from '../../models/model.ts'
import type { SearchIndex } from '../../store/search/search.ts'
import type { RecallInput } from '../recall/recall.ts'
import { quoteEach } from './closest-passages.ts'
import { type Decision, decideAnswer } from './decide-answer.ts'
import type { Evidence, Source } from './evidence/evidence.ts'
import { onceQuoted } from './evidence/once-quoted.ts'
import { readQuotes } from './evidence/read-quotes.ts'
import { type ReadSentences, readSentences } from './evidence/read-sentences.ts'
import { followUp } from './follow-up.ts'
import { titledOpening } from './forms/definition.ts'
import { quotedSources } from './quoted-sources.ts'
import { NOTHING, renderAnswer } from './render-answer.ts'
import { quoteTalk } from './talk/quote-talk.ts'
import { settledByTalk } from './talk/settled-by-talk.ts'
import type { Answer, Written } from './write-answer.ts'

/** The dependencies: where quotes are read from, and how their sentences are compared with the question. */
interface QuoteSources {
  readonly index: SearchIndex
  readonly embedder: Embedder
}

/**
 * The sentence that answers, or several for a list, followed by other passages, numbered, with speaker, day and source.
 * Uses the answer of a stored pair with the same question. Stored text is only quoted, so that instructions in it are not
 * followed.
 *
 * @param unwritten why the model gave no answer; absent if none was called
 */
export async function quotedAnswer(
  found: Evidence,
  { text, timeZone, userName, now }: RecallInput,
  { index, embedder }: QuoteSources,
  unwritten: Exclude<Written, { answer: unknown }> | undefined,
): Promise<Answer> {
  const ranked = await readSentences(text, found, embedder, { timeZone, userName })
  const opening = await titledOpening(text, found.ranking, index)
  const evidence = withoutChangedPair({ ...found, opening }, ranked)
  const decided = await decideAnswer(ranked, evidence, { timeZone, userName, now, embedder })
  const statements = await quoteTalk(decided, evidence, { index, userName })
  // Where a model found no answer, the quotations don't claim one.
  const isDenied = unwritten === 'abstained'
  const decision = isDenied
    ? { ...decided, kind: 'none' as const }
    : statements !== undefined
      ? { ...decided, kind: 'sentence' as const, leading: statements }
      : await withFollowUp(decided, evidence, { index, embedder })
  const { sources, ...counts } = quotedSources(decision, evidence)
  const read = decision.kind === 'none' ? quoteEach : readQuotes
  const stored = await read(sources, evidence.ranking, { index, timeZone })
  const { quotes, leads } = onceQuoted(stored, counts)
  if (quotes.length === 0) return NOTHING
  const problem = typeof unwritten === 'object' ? unwritten.problem : undefined
  return renderAnswer(quotes, decision, evidence.ranking, { leads, timeZone, problem })
}

/** Without the stored pair if something changed the time that it gives. */
function withoutChangedPair(evidence: Evidence, { question, newest }: ReadSentences): Evidence {
  const isChanged = evidence.paired.some(({ row }) => newest.currentOf(row.chunkId) !== undefined)
  return question.kind === 'time' && isChanged ? { ...evidence, paired: [], isSettled: false } : evidence
}

/** With what settles the best statement in the same talk, or with the reply to somebody who asked the same question after it. */
async function withFollowUp(decision: Decision, evidence: Evidence, sources: QuoteSources): Promise<Decision> {
  const settled = await settledByTalk(decision, evidence, sources.index)
  if (settled !== undefined) {
    const known = new Set(settled.map(({ row }) => row.chunkId))
    const [first] = settled
    // What else was said in the same talk is behind it.
    const isOther = ({ row }: Source) => !known.has(row.chunkId) && row.itemKey !== first?.row.itemKey
    return { ...decision, leading: [...settled, ...decision.leading.filter(isOther)] }
  }
  const reply = await followUp(decision, evidence, sources)
  if (reply === undefined) return decision
  const [first, ...others] = decision.leading.filter(({ row }) => row.chunkId !== reply.row.chunkId)
  return first === undefined ? decision : { ...decision, leading: [{ ...first, isOfRun: true }, reply, ...others] }
}
