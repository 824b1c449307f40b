import { analyze, hashTerm } from '../../../lib/analyze.ts'
import { sentencesOf } from '../../../lib/sentences.ts'
import type { ChunkRow, SearchIndex } from '../../../store/search/search.ts'
import { isCode } from '../../recall/code-lines.ts'
import { clipWords } from '../../recall/quote-text.ts'
import type { Ranking } from '../../recall/rank-chunks.ts'
import type { ReadChunk } from '../../recall/read-chunks.ts'
import type { Evidence } from '../evidence/evidence.ts'
import { fittingSentences } from '../lead-quotation.ts'
import type { AskedQuestion } from '../sentences/answer-sentence.ts'
import { entriesSource, type NoteAnswer } from './note-answer.ts'

/** `What is Fastify?`, `What's the flush plan?` */
const ASKS_WHAT =
  /^\W*(?:and |so )?what(?:['’]s| is| are) (?:an? |the )?([\p{L}\p{N}][\p{L}\p{N}_./ -]{0,40}?)\s*\?*\s*$/iu
const MOST_CHARACTERS = 320
const LONGEST_SUBJECT = 60
/** `Tidepool is a server`, not `Tidepool is tested`. */
const SAYS_WHAT =
  /\b(?:is|are|means?)\b(?! (?:(?:not|also|now|still|always|already|only|\p{L}+ly) )*\p{L}{2,}(?:ed|ing)\b)/iu

/** The first part of the technical document whose title is what the question asks for the meaning of. */
export async function titledOpening(
  question: string,
  { ranked }: Pick<Ranking, 'ranked'>,
  index: SearchIndex,
): Promise<ReadChunk | undefined> {
  const asked = new Set([...askedName(question)].map(hashTerm))
  if (asked.size === 0) return undefined
  const opening = ranked.find(({ row }) => isOpening(row) && isSame(new Set(row.metaHashes), asked))
  const passage = opening && (await index.passages([opening.row.chunkId])).get(opening.row.chunkId)
  return opening && passage && { ...opening, passage }
}

/**
 * What the opening of such a document says: `A fast web framework for Node.js.`
 *
 * @param stated the sentence that clearly has what is asked about; absent if none does
 */
export function definition(
  { kind, text }: AskedQuestion,
  { opening }: Evidence,
  stated?: string,
): NoteAnswer | undefined {
  // A date, a price or a code stands in a sentence, and what says what something is needs no opening.
  if (opening === undefined || kind !== 'other' || (stated !== undefined && saysWhat(stated, askedName(text))))
    return undefined
  const sentences = sentencesOf(opening.passage.text, 'joined').flatMap((sentence, position) =>
    isCode(sentence) ? [] : [{ text: clipWords(sentence), position }],
  )
  const lead = fittingSentences(sentences.slice(0, 2), MOST_CHARACTERS)
  return lead.length === 0 ? undefined : { kind: 'guide', sources: [entriesSource(opening, lead)] }
}

function askedName(question: string): ReadonlySet<string> {
  return new Set(analyze(ASKS_WHAT.exec(question)?.[1] ?? ''))
}

/** Whether what is asked about is the subject of a sentence: `its event loop is late` says nothing of the program. */
function saysWhat(sentence: string, asked: ReadonlySet<string>): boolean {
  const verb = SAYS_WHAT.exec(sentence)
  if (verb === null || verb.index > LONGEST_SUBJECT || sentence.includes(' | ')) return false
  return new Set(analyze(sentence.slice(0, verb.index))).isSupersetOf(asked)
}

function isOpening({ kind, ordinal, sourceType }: ChunkRow): boolean {
  return kind === 'prose' && ordinal === 0 && sourceType === 'technical_docs'
}

function isSame(a: ReadonlySet<number>, b: ReadonlySet<number>): boolean {
  return a.size === b.size && a.isSubsetOf(b)
}
