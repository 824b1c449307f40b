import { askedStatement } from '../recall/newest-statement.ts'
import { type Evidence, replacedTime, type Source } from './evidence/evidence.ts'
import type { ReadSentences } from './evidence/read-sentences.ts'
import { listEntry } from './sentences/sentence-window.ts'

/** Passages quoted below the first line, and how much less than the best their best sentences may score. */
export const MOST_FURTHER = 3
/** Passages read besides, because several sources may have the same text. */
export const SPARE = 3
const FURTHER_BELOW = 4
/** The least share of the best score that a further passage has. */
const FURTHER_SHARE = 0.5
/** The least share of the question in a further passage and the two before it. */
const FURTHER_AROUND = 0.15

/** The passages of the next best sentences, best first. */
export function furtherSources(
  evidence: Evidence,
  { read, sentences }: ReadSentences,
  leading: readonly Source[],
): Source[] {
  const known = new Set(leading.map(({ row }) => row.chunkId))
  const further: Source[] = []
  for (const sentence of sentences) {
    const { row, position } = read[sentence.passage]!
    if (further.length === MOST_FURTHER + SPARE || sentence.score < sentences[0]!.score - FURTHER_BELOW) break
    if (known.has(row.chunkId) || sentence.features.share < FURTHER_SHARE) continue
    if (sentence.features.around < FURTHER_AROUND) continue
    known.add(row.chunkId)
    further.push({ row, position, ...replacedTime(row.chunkId, evidence) })
  }
  return further
}

/** The statement before the leading one; for a question about the past, the current one. */
export function otherVersion(lead: Source | undefined, ranked: ReadSentences): Source | undefined {
  const { newest, read, question, sentences } = ranked
  if (lead === undefined) return undefined
  const asked = askedStatement(question.text)
  const isPast = asked === 'before' || asked === 'original'
  const own = lead.row.chunkId
  const wanted = isPast ? newest.currentOf(own) : newest.replacedBy(own)[0]
  const found = read.find(({ row }) => row.chunkId === wanted)
  if (found === undefined) return undefined
  const { row, position } = found
  const stated = sentences.find(({ passage }) => read[passage] === found)
  // Of a mail, only what it says about the time; of a table, the row.
  const isPart = row.kind === 'prose' && stated !== undefined
  const isOne = isPart && (question.kind === 'time' || stated.text.includes(' | '))
  const entry = isOne ? listEntry(stated, sentences, found) : { row, position }
  return { ...entry, isOtherVersion: isPast ? 'later' : 'earlier' }
}
