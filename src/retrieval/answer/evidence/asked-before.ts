import { analyze, hashTerm } from '../../../lib/analyze.ts'
import type { ChunkRow } from '../../../store/search/search.ts'
import { answerKind } from '../../question/answer-kind.ts'
import { withVerbs } from '../../question/irregular-verbs.ts'
import type { QueryTerm } from '../../question/query-terms.ts'
import type { Ranking } from '../../recall/rank-chunks.ts'
import type { ReadChunk } from '../../recall/read-chunks.ts'
import { type AnswerSentence, type AskedQuestion, contentTerms } from '../sentences/answer-sentence.ts'

const QUESTION_WORD = /\b(who|whose|whom|where|when|which|how (?:much|many|long|far|often)|what time)\b/i
const NO_NAMES: ReadonlySet<string> = new Set()

/**
 * The best sentence of a turn that asks the same in fewer words, because the conversation is about the others: `who drives?` for
 * `Who drives to the hut?`. It begins alike, asks nothing else, and leaves out no person.
 *
 * @param sentences best first
 */
export function askedBefore(
  sentences: readonly AnswerSentence[],
  read: readonly ReadChunk[],
  question: AskedQuestion,
  { rows }: Pick<Ranking, 'rows'>,
): AnswerSentence | undefined {
  const form = questionForm(question.text)
  if (form === undefined) return undefined
  const asked = new Set(question.terms.flatMap(formsOf))
  const content = contentTerms(question.terms, NO_NAMES)
  return sentences.find(({ text, features, passage }) => {
    const { row } = read[passage]!
    if (features.isQuestion === 0 || row.kind !== 'turn' || questionForm(text) !== form) return false
    const words = new Set(analyze(text).map(hashTerm))
    const isPart = words.size > 0 && [...words].every((hash) => asked.has(hash))
    const held = words.union(new Set(analyze(withVerbs(text)).map(hashTerm)))
    const isHeld = (term: QueryTerm) => formsOf(term).some((hash) => held.has(hash))
    const isAsked = content.some((term) => isHeld(term) && !question.names.has(term.term))
    if (!isPart || !isAsked) return false
    const talk = rows.filter(({ itemKey }) => itemKey === row.itemKey)
    return content.every(
      (term) => isHeld(term) || (!question.people.has(term.term) && formsOf(term).some((hash) => isSaid(talk, hash))),
    )
  })
}

/** A word and its other forms: `deploy` and `deployment`. */
function formsOf({ hash, related = [] }: QueryTerm): readonly number[] {
  return [hash, ...related.flatMap((one) => (one.share === 1 ? [one.hash] : []))]
}

function isSaid(talk: readonly ChunkRow[], hash: number): boolean {
  return talk.some(({ bodyHashes }) => bodyHashes.includes(hash))
}

/** The word that a question begins with, and the kind of its answer. */
function questionForm(question: string): string | undefined {
  const word = QUESTION_WORD.exec(question)?.[1]?.toLowerCase()
  return word && `${word} ${answerKind(question)}`
}
