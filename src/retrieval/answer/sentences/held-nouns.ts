import { analyze, hashTerm } from '../../../lib/analyze.ts'
import { sentencesOf } from '../../../lib/sentences.ts'
import type { ChunkRow } from '../../../store/search/search.ts'
import { type AnswerKind, holdsKind, MEASURED_KINDS } from '../../question/answer-kind.ts'
import { sentenceForm } from '../../question/languages/english-form.ts'
import { languageOf } from '../../question/languages/language-of.ts'
import type { QueryTerm } from '../../question/query-terms.ts'
import { isQuestion } from '../../question/question-form.ts'
import type { AnswerPassage, AnswerSentence, AskedQuestion } from './answer-sentence.ts'
import { suitsAskedTime } from './asked-moment.ts'

/** A capitalized word within a question. */
const CAPITALIZED = /(?<=[\p{L}\p{N},;)] )\p{Lu}\p{Ll}[\p{L}\p{M}-]*/gu
/** In the English form of a question, what follows an article or the like. */
const BEHIND_ARTICLE = /(?<=(?<!\p{L})(?:the|an?|my|our|your|his|her|their) )[\p{L}\p{M}][\p{L}\p{M}-]*/giu
/** `which dose`: an answer has one of the kind, and seldom the word. */
const ASKED_KIND = /(?<=(?<!\p{L})(?:which|what|what kind of) )[\p{L}\p{M}-]+/giu
const TITLE = /^(?:Frau|Herrn?|Dr|Familie|Fa)$/
/** Shorter stems are parts of many words. */
const SHORTEST_PART = 4
/** Kinds of questions that are answered without their words. */
const OTHERWISE: ReadonlySet<AnswerKind> = new Set(['yes-no', 'list'])

/** What was found for a question, and the sentences of it, best first. */
interface Found {
  readonly question: AskedQuestion
  readonly passages: readonly AnswerPassage[]
  readonly sentences: readonly Pick<AnswerSentence, 'passage'>[]
  /** One for each passage. */
  readonly read: readonly { readonly row: Pick<ChunkRow, 'itemKey'> }[]
}

/**
 * Whether what a question in another language names is named in the passage of its best sentence, around it, or in what else
 * was found of that talk or thread; true for questions in English. Other words stand for it, and one part of a compound for
 * all of it.
 */
export function holdsNouns({ question, passages, read, sentences: [best] }: Found): boolean {
  const nouns = best === undefined || OTHERWISE.has(question.kind) ? [] : askedNouns(question)
  if (nouns.length === 0) return true
  const held = wordsOfTalk(best!.passage, { passages, read })
  return nouns.every((noun) => {
    const terms = termsOf(noun, question.terms).filter(({ term }) => !question.people.has(term))
    return terms.length === 0 || terms.some((term) => isHeld(term, held))
  })
}

/** Hashes of the words of a passage, of those around it, and of the others of its item or mail thread. */
function wordsOfTalk(at: number, { passages, read }: Pick<Found, 'passages' | 'read'>): ReadonlySet<number> {
  const { subject, headings, near } = passages[at]!
  const { itemKey } = read[at]!.row
  const together = passages.filter((other, i) => {
    const isOfThread = subject.size > 0 && (subject.isSubsetOf(other.subject) || subject.isSupersetOf(other.subject))
    return read[i]!.row.itemKey === itemKey || (isOfThread && other.subject.size > 0)
  })
  const words = together.flatMap(({ title = '', speaker = '', text }) => analyze(`${title} ${speaker} ${text}`))
  return new Set(words.map(hashTerm)).union(headings).union(near)
}

function isHeld({ hash, kinds = [], related = [] }: QueryTerm, held: ReadonlySet<number>): boolean {
  return held.has(hash) || [...kinds, ...related].some((one) => held.has(one.hash))
}

/** The terms that are searched for a noun, which are its parts if only these are stored. */
function termsOf(noun: string, terms: readonly QueryTerm[]): readonly QueryTerm[] {
  const own = new Set(analyze(noun))
  const whole = terms.filter(({ term, typed }) => own.has(typed ?? term))
  if (whole.length > 0) return whole
  const word = [...own].join('')
  return terms.filter(({ term }) => term.length >= SHORTEST_PART && word.includes(term))
}

/** The nouns of a question, by their capitals or articles, without those of the kind that is asked for. */
function askedNouns({ text, written }: AskedQuestion): readonly string[] {
  const language = written === undefined ? undefined : languageOf(written)
  if (written === undefined || language === undefined) return []
  const capitalized = language.capitalizesNouns === true ? (written.match(CAPITALIZED) ?? []) : []
  const untranslated = new Set((text.match(/[\p{L}\p{M}-]+/gu) ?? []).map((word) => word.toLowerCase()))
  const kinds = new Set((text.match(ASKED_KIND) ?? []).map((word) => word.toLowerCase()))
  const nouns = capitalized.length > 0 ? capitalized : (text.match(BEHIND_ARTICLE) ?? [])
  const asWritten = written.toLowerCase()
  return nouns.filter((noun) => {
    const word = noun.toLowerCase()
    const isOfQuestion = untranslated.has(word) && asWritten.includes(word)
    return isOfQuestion && !kinds.has(word) && !TITLE.test(noun) && !language.generic.has(word)
  })
}

/**
 * Whether a value stands before what a question in another language asks for, which has none: `Total 421 €. The dampers are
 * fine.` says nothing of what the dampers cost.
 */
export function isOfWhatPrecedes(sentence: AnswerSentence, question: AskedQuestion, passage: AnswerPassage): boolean {
  if (question.locale === undefined || !MEASURED_KINDS.has(question.kind)) return false
  const nouns = askedNouns(question).flatMap((noun) => termsOf(noun, question.terms))
  const holdsNoun = (held: ReadonlySet<number>) => nouns.some((noun) => isHeld(noun, held))
  const { text, title = '', speaker = '', headings, before } = passage
  const sentences = sentencesOf(text, 'joined')
  const [earlier, later] = [sentences.slice(0, sentence.position + 1), sentences.slice(sentence.position + 1)]
  const named = hashesOf(`${title} ${speaker} ${sentence.text} ${earlier.join(' ')}`)
  if (nouns.length === 0 || holdsNoun(named.union(headings).union(before))) return false
  const others = later.filter((one) => holdsNoun(hashesOf(one)))
  return others.length > 0 && !others.some((one) => holdsAsked(one, question))
}

function holdsAsked(text: string, { text: question, kind, locale }: AskedQuestion): boolean {
  return !isQuestion(text) && holdsKind(kind, text, 0, locale) && suitsAskedTime(question, text, locale)
}

function hashesOf(text: string): Set<number> {
  return new Set(analyze(text).map(hashTerm))
}

/** Whether a sentence or its title denies a word of a question in another language, or says that it isn't known: `nix gebucht`. */
export function leavesOpen({ text }: AnswerSentence, question: AskedQuestion, { title = '' }: AnswerPassage): boolean {
  const { locale, terms, kind } = question
  if (locale === undefined || kind === 'yes-no') return false
  return [text, title].some((one) => {
    const english = sentenceForm(one, locale).text
    if (/\b(?:still not|not yet) (?:which|when|where|how|what|who)\b/i.test(english)) return true
    const denied = [...english.matchAll(/\b(?:not|nothing|never)(?: yet| still)? ([\p{L}\p{M}]+)/giu)]
    return denied.some(([, word = '']) => {
      const held = hashesOf(word)
      return terms.some((term) => isHeld(term, held))
    })
  })
}
