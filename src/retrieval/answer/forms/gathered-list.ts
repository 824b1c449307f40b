import { analyze, hashTerm, TOOL_MARK } from '../../../lib/analyze.ts'
import type { Embedder } from '../../../models/model.ts'
import { toAnswerPassages } from '../evidence/answer-passage.ts'
import type { Evidence, Source } from '../evidence/evidence.ts'
import type { ReadSentences } from '../evidence/read-sentences.ts'
import { furtherSources } from '../further-sources.ts'
import { asksForSeveral, MOST_LEAD_CHARACTERS, MOST_LISTED } from '../leading-sources.ts'
import {
  type AnswerPassage,
  type AnswerSentence,
  type AskedQuestion,
  isSection,
  rankSentences,
} from '../sentences/answer-sentence.ts'
import { isBy, isOfAsked } from '../sentences/asked-speaker.ts'
import { namesListed } from '../sentences/listed-noun.ts'
import { listEntry } from '../sentences/sentence-window.ts'

/** The least share of the question, without its people, in a gathered sentence. */
const LEAST_COVERAGE = 1 / 3
/** How much less than the best sentence a gathered one may score. */
const GATHERED_BELOW = 3
const ABOUT_OWNER = /\b(?:I|my)\b/

/**
 * Further entries of a list, one from each conversation or document that the first ones lack: a sentence with a third
 * of the question, by the person in the question.
 */
export async function gatheredSources(
  evidence: Evidence,
  ranked: ReadSentences,
  leading: readonly Source[],
  { embedder, userName }: { readonly embedder: Embedder; readonly userName: string | undefined },
): Promise<Source[]> {
  const [best] = ranked.sentences
  if (best === undefined || !asksForSeveral(ranked) || leading.length >= MOST_LISTED) return []
  const { question, newest } = ranked
  const known = new Set([...leading, ...furtherSources(evidence, ranked, leading)].map(({ row }) => row.itemKey))
  const chunks = evidence.found.flatMap(({ one }) => {
    const { row } = one
    const isReplaced = (newest.currentOf(row.chunkId) ?? evidence.history.currentOf(row.chunkId)) !== undefined
    return known.has(row.itemKey) || isReplaced || row.metaHashes.includes(TOOL_MARK) ? [] : [one]
  })
  const passages = toAnswerPassages(question.text, chunks, evidence.ranking, userName)
  const sentences = await rankSentences(question, passages, embedder)
  const gathered: Source[] = []
  let characters = leading.reduce((sum, { answer = '' }) => sum + answer.length, 0)
  for (const sentence of sentences) {
    const chunk = chunks[sentence.passage]!
    if (leading.length + gathered.length === MOST_LISTED || sentence.score < best.score - GATHERED_BELOW) break
    if (known.has(chunk.row.itemKey) || !isEntry(sentence, passages[sentence.passage]!, question, userName)) continue
    const entry = listEntry(sentence, sentences, chunk)
    characters += entry.answer!.length
    if (characters > MOST_LEAD_CHARACTERS) break
    known.add(chunk.row.itemKey)
    gathered.push(entry)
  }
  return gathered
}

/** Whether a sentence is about the listed subject and by or about the person in the question. */
function isEntry(
  sentence: AnswerSentence,
  passage: AnswerPassage,
  question: AskedQuestion,
  userName: string | undefined,
): boolean {
  const { features } = sentence
  const { isQuestion, isChatter, isAttachment, isByAsked, coverage } = features
  if (isQuestion + isChatter + isAttachment > 0 || coverage < LEAST_COVERAGE) return false
  if (!isOfAsked(sentence, passage, question)) return false
  if (isSection(passage) && !namesListed(sentence.text, question.text)) return false
  if (question.asked.size > 0) return isByAsked === 1
  if (passage.speaker !== undefined && ABOUT_OWNER.test(question.text)) return isBy('owner', passage, userName)
  const words = new Set(analyze(passage.text).map(hashTerm)).union(passage.headings).union(passage.before)
  return [...question.names.difference(question.people)].every((name) => words.has(hashTerm(name)))
}
