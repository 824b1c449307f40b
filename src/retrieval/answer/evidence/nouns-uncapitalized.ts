import { analyze } from '../../../lib/analyze.ts'
import { contactNameIn } from '../../../lib/contact-text.ts'
import { languageOf } from '../../question/languages/language-of.ts'
import type { Evidence } from './evidence.ts'

/** A capitalized word within a question, unless a title before it makes it a name. */
const INNER_NOUN =
  /(?<=[\p{L}\p{N},;)?!] )(?<!(?<!\p{L})(?:Frau|Herrn?|Dr\.?|Familie|Mrs?|Mrs) )\p{Lu}\p{Ll}[\p{L}\p{M}-]*/gu
const CALENDAR =
  /^(?:January|February|March|April|May|June|July|August|September|October|November|December|\p{Lu}\p{Ll}+day)s?$/u
const TITLE = /^(?:Frau|Herrn?|Dr|Familie|I)$/

/**
 * A question in a language that capitalizes nouns, with a capital only for people and for words that nothing stored has: only
 * these are names, as in English.
 */
export function withoutNounCapitals(asked: string, { ranking: { query }, found }: Evidence): string {
  if (query.written === undefined || languageOf(query.written)?.capitalizesNouns !== true) return asked
  const people = new Set(
    found.flatMap(({ one: { passage } }) => analyze(`${passage.speaker ?? ''} ${contactNameIn(passage.text) ?? ''}`)),
  )
  const unknown = new Set(
    query.terms.flatMap(({ term, typed, frequency }) =>
      typed !== undefined || frequency === 0 ? [typed ?? term] : [],
    ),
  )
  const isName = (word: string) =>
    analyze(word).some((term) => people.has(term) || people.has(term.replace(/s$/, '')) || unknown.has(term))
  return asked.replace(INNER_NOUN, (word) =>
    CALENDAR.test(word) || TITLE.test(word) || isName(word) ? word : word.toLowerCase(),
  )
}
