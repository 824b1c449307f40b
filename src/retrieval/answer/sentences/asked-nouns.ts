import { analyze } from '../../../lib/analyze.ts'
import { languageOf } from '../../question/languages/language-of.ts'
import type { QueryTerm } from '../../question/query-terms.ts'
import type { AskedQuestion } from './answer-sentence.ts'

/** A capitalized word within a question. */
const CAPITALIZED = /(?<=[\p{L}\p{N},;)] )\p{Lu}\p{Ll}[\p{L}\p{M}-]*/gu
/** In the English form of a question, what follows an article or the like. */
const BEHIND_ARTICLE = /(?<=(?<!\p{L})(?:the|an?|my|our|your|his|her|their) )[\p{L}\p{M}][\p{L}\p{M}-]*/giu
/** `which dose`: an answer has one of the kind, and seldom the word. */
const ASKED_KIND = /(?<=(?<!\p{L})(?:which|what|what kind of) )[\p{L}\p{M}-]+/giu
const WORD = /[\p{L}\p{M}-]+/gu
const TITLE = /^(?:Frau|Herrn?|Dr|Familie|Fa)$/
/** Shorter stems are parts of many words. */
const SHORTEST_PART = 4

/**
 * The terms of each noun of a question in another language, by their capitals where nouns have them and else by their articles:
 * without the kind and the value that are asked for. None for English.
 */
export function askedNouns({ text, written, terms }: AskedQuestion): readonly (readonly QueryTerm[])[] {
  const language = written === undefined ? undefined : languageOf(written)
  if (written === undefined || language === undefined) return []
  const capitalized = language.capitalizesNouns === true ? written.match(CAPITALIZED) : null
  const kinds = lowerCase(text.match(ASKED_KIND))
  const untranslated = lowerCase(text.match(WORD)).intersection(lowerCase(written.match(WORD)))
  return (capitalized ?? text.match(BEHIND_ARTICLE) ?? [])
    .filter((noun) => {
      const word = noun.toLowerCase()
      return untranslated.has(word) && !kinds.has(word) && !TITLE.test(noun) && !language.generic.has(word)
    })
    .map((noun) => termsOf(noun, terms))
}

function lowerCase(words: readonly string[] | null): ReadonlySet<string> {
  return new Set(words?.map((word) => word.toLowerCase()))
}

/** The terms that are searched for a noun, which are its parts if only these are stored. */
function termsOf(noun: string, terms: readonly QueryTerm[]): readonly QueryTerm[] {
  const own = new Set(analyze(noun))
  const whole = terms.filter(({ term, typed }) => own.has(typed ?? term))
  if (whole.length > 0) return whole
  const word = [...own].join('')
  return terms.filter(({ term }) => term.length >= SHORTEST_PART && word.includes(term))
}

/** Whether a word, or another one for it, is among others. */
export function isHeldInAnyForm({ hash, kinds = [], related = [] }: QueryTerm, held: ReadonlySet<number>): boolean {
  return held.has(hash) || [...kinds, ...related].some((one) => held.has(one.hash))
}
