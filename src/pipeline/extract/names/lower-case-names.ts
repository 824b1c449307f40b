import { isListed } from './name-lists.ts'
import type { TypedName } from './name-types.ts'
import { knownInLowerCase } from './organization-names.ts'
import { placeEvidence } from './place-names.ts'

/** Cities and brands that are also ordinary words in lower case. */
const WORDS: ReadonlySet<string> = new Set(
  (
    'angers asia bath best boots boss china cork delta derby ebony essen focus gap giant halle hull lens lever limerick marine mobile most nancy next nice ' +
    'orange orient polo premier reading rugby saturn shell split stripe swatch swiss norwegian target tours trek turkey vans victoria visa vogue wells worthing zoo'
  ).split(' '),
)
const CAPITAL = /(?<![\p{L}\p{N}])\p{Lu}\p{Ll}/u
const WORD = /(?<![\p{L}\p{N}@#/._-])\p{Ll}[\p{Ll}’'-]{3,}(?![\p{L}\p{N}@/_])/gu
/** In characters; shorter ones are more often words. */
const SHORTEST = 5
const BEFORE = 12
const BEFORE_PLACE = /(?<!\p{L})(?:in|to|from|near|via|around|reach(?:ed)?|leaving) $/u

/** Listed cities and companies in lines without capitals, as typed on a phone: `the easyjet one from luton to lisbon`. */
export function lowerCaseNames(text: string): TypedName[] {
  return text.split('\n').flatMap((line) => (CAPITAL.test(line) ? [] : namesIn(line)))
}

function namesIn(line: string): TypedName[] {
  return [...line.matchAll(WORD)].flatMap(({ 0: word, index }): TypedName[] => {
    if (word.length < SHORTEST || WORDS.has(word)) return []
    const name = word.charAt(0).toUpperCase() + word.slice(1)
    const organization =
      knownInLowerCase(word) ?? [name, word.toUpperCase()].find((written) => isListed('organizations', written))
    if (organization) return [{ name: organization, type: 'organization' }]
    const isPlace = placeEvidence(name) === 'sure' && BEFORE_PLACE.test(line.slice(Math.max(0, index - BEFORE), index))
    return isPlace ? [{ name, type: 'place' }] : []
  })
}
