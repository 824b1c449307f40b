import { analyze } from '../lib/analyze.ts'
import { answerKind } from './answer-kind.ts'
import { type Sentence, splitSentences } from './clause.ts'
import type { Ranking } from './rank-chunks.ts'
import { chunkStatement, type ReadChunk } from './read-chunks.ts'
import type { Statement, Update } from './superseded.ts'

/** `when is`, `which car do we drive`, `who teaches`; not `when was` and `who won`. */
const ASKS_PRESENT =
  /^\W*(?:(?:and|so|but|hey|ok(?:ay)?)[ ,]+)*(?:(?:what|when|where|who|how|which|whose)(?:['’]s\b|\b[^?]*?\b(?:is|are|am|does|do|will|has|have|must|can)\b)|who \p{Ll}+s\b|(?:is|are|am|does|do|will|has|have|must|can)\b)/iu
const ASKS_PAST =
  /\b(?:was|were|did|had|been|ago|before|previous(?:ly)?|original(?:ly)?|initial(?:ly)?|first|used to|yesterday|last|earlier|old|ever)\b/i
const ADDS = /\b(?:also|too|as well|another|additional(?:ly)?|in addition|besides)\b/i
/** Shares of what the best passages hold of the question, and of the best score, from which on a passage says the same. */
const SAME_COVERAGE = 0.65
const SAME_SHARE = 0.5
/** Shares of the terms of the question and of the longer sentence that two sentences about the same thing have in common. */
const SAME_ASKED = 0.5
const SAME_SENTENCE = 0.2
/** Passages that are compared. */
const MOST_COMPARED = 12

/**
 * Passages that answer a question about the present as well as others that are older, each as the newer of a pair. The pairs
 * only order results: the older passage may hold too.
 *
 * @param found best first
 */
export function newestStatements(
  question: string,
  found: readonly ReadChunk[],
  { features, query }: Pick<Ranking, 'features' | 'query'>,
): Update[] {
  if (!ASKS_PRESENT.test(question) || ASKS_PAST.test(question) || answerKind(question) === 'list') return []
  const compared = found.slice(0, MOST_COMPARED).filter(({ share }) => share >= SAME_SHARE)
  const coverageOf = ({ position }: ReadChunk) => features.coverage[position]!
  const most = Math.max(0, ...compared.map(coverageOf))
  if (most === 0) return []
  const asked = new Set(query.terms.map(({ term }) => term))
  const names = new Set((question.match(NAME) ?? []).flatMap((name) => analyze(name)))
  const isHabit = /\b(?:do|does)\b/i.test(question)
  const stated = compared
    .filter((chunk) => coverageOf(chunk) >= SAME_COVERAGE * most)
    .flatMap((chunk): Stated[] => {
      const statement = chunkStatement(chunk)
      const sentence = statement.isEvent || statement.at === undefined ? undefined : closest(statement, asked)
      return sentence === undefined ? [] : [{ statement, at: statement.at ?? 0, sentence }]
    })
  return stated.flatMap((newer) =>
    stated
      .filter((older) => older.at < newer.at && holdsInstead(newer, older, isHabit ? asked : NOTHING))
      .filter((older) => isSameSubject(newer.sentence, older.sentence, asked))
      .filter((older) => namesIn(older, names).isSubsetOf(namesIn(newer, names)))
      .map((older) => ({ newer: newer.statement.chunkId, older: older.statement.chunkId })),
  )
}

const NOTHING: ReadonlySet<string> = new Set()
const NAME = /(?<!^\W*)\b\p{Lu}[\p{L}\p{M}]+/gu

/** Of the names in the question, those that a statement or its title has. */
function namesIn({ statement: { text, title = '' } }: Stated, names: ReadonlySet<string>): ReadonlySet<string> {
  return names.size === 0 ? NOTHING : new Set(analyze(`${title} ${text}`)).intersection(names)
}

interface Stated {
  readonly statement: Statement
  readonly at: number
  readonly sentence: Sentence
}

/** The sentence with most terms of the question, the later one of two. */
function closest(statement: Statement, asked: ReadonlySet<string>): Sentence | undefined {
  const held = (sentence: Sentence): number => new Set(sentence.terms().filter((term) => asked.has(term))).size
  return splitSentences(statement.text)
    .toReversed()
    .toSorted((a, b) => held(b) - held(a))[0]
}

/** By the terms of the question that both have: two long turns of a talk share one word by chance. */
function isSameSubject(newer: Sentence, older: Sentence, asked: ReadonlySet<string>): boolean {
  const [terms, others] = [new Set(newer.terms()), new Set(older.terms())]
  const shared = terms.intersection(others).intersection(asked).size
  return shared >= SAME_ASKED * asked.size && shared >= SAME_SENTENCE * Math.max(terms.size, others.size)
}

/** @param habits terms of a question about what somebody does: `used Vim` does not say what is used now */
function holdsInstead(newer: Stated, older: Stated, habits: ReadonlySet<string>): boolean {
  const [n, o] = [newer.sentence.clause(), older.sentence.clause()]
  if (!n.isStated || ADDS.test(newer.sentence.text)) return false
  if ((n.isFirstPerson || o.isFirstPerson) && newer.statement.speaker !== older.statement.speaker) return false
  return n.cue !== undefined || !n.words.some((word, i) => isPastOf(word, n.words[i - 1] ?? '', habits))
}

/** `are getting married` is no past. */
const BEFORE_PARTICIPLE = /^(?:is|are|am|be|being|gets?|getting)$/

function isPastOf(word: string, before: string, habits: ReadonlySet<string>): boolean {
  if (word === 'had') return habits.size > 0
  return word.endsWith('ed') && !BEFORE_PARTICIPLE.test(before) && analyze(word).some((term) => habits.has(term))
}
