import { analyze, hashTerm } from '../../../lib/analyze.ts'
import { sentenceForm } from '../../question/languages/english-form.ts'
import type { AnswerPassage, AnswerSentence, AskedQuestion } from './answer-sentence.ts'
import { isHeldInAnyForm } from './asked-nouns.ts'

/** `in August, but I don't know yet which week` */
const UNKNOWN = /\b(?:still not|not yet) (?:which|when|where|how|what|who)\b/i
/** The word behind a negation: `nothing booked` */
const NEGATED = /\b(?:not|nothing|never)(?: yet| still)? ([\p{L}\p{M}]+)/giu

/**
 * Whether a sentence or its title denies a word of a question in another language, or says that the answer isn't known yet:
 * `nix gebucht`, `weiß noch nicht welche`.
 */
export function leavesOpen(
  { text }: Pick<AnswerSentence, 'text'>,
  { locale, terms, kind }: Pick<AskedQuestion, 'locale' | 'terms' | 'kind'>,
  { title = '' }: Pick<AnswerPassage, 'title'>,
): boolean {
  if (locale === undefined || kind === 'yes-no') return false
  return [text, title].some((one) => {
    const english = sentenceForm(one, locale).text
    const denied = [...english.matchAll(NEGATED)].flatMap(([, word = '']) => analyze(word))
    const held = new Set(denied.map(hashTerm))
    return UNKNOWN.test(english) || terms.some((term) => isHeldInAnyForm(term, held))
  })
}
