import { capitalisedNames, isTerm, type NameCandidate } from './capitalised-names.ts'
import { isNamedLikeAnOrganization, isSpokenOfAsABusiness, organizationPart } from './organization-names.ts'
import { isBeforePerson, personLength } from './person-names.ts'
import {
  isBeforeAnyPlace,
  isBeforeListedPlace,
  isNamedLikeAPlace,
  type PlaceEvidence,
  placeEvidence,
  placePart,
} from './place-names.ts'
import { isNamedLikeAProduct } from './product-names.ts'

/** A name in a text with its type; `term` if the type is unknown. */
export interface TypedName {
  readonly name: string
  readonly type: 'person' | 'organization' | 'place' | 'product' | 'project' | 'repository' | 'term'
}

/** What is known about the text. */
export interface NamedText {
  /** Words of known people in lower case, which begin no other name. */
  readonly nameWords: ReadonlySet<string>
  /** German capitalizes every noun, so a single capitalized word means nothing. */
  readonly capitalsMean: boolean
  /** Whether the text is about people rather than programs. */
  readonly isProse: boolean
}

const BEFORE = 48
const AFTER = 32

/** The capitalized names of a text, in order. */
export function typeNames(text: string, known: NamedText): TypedName[] {
  return capitalisedNames(text, known.nameWords).flatMap((candidate) => {
    const before = text.slice(Math.max(0, candidate.at - BEFORE), candidate.at)
    const after = text.slice(candidate.end, candidate.end + AFTER)
    return typeCandidate(candidate, before, after, known)
  })
}

function typeCandidate(candidate: NameCandidate, before: string, after: string, known: NamedText): TypedName[] {
  const { words } = candidate
  const name = words.join(' ')
  const place = placeEvidence(name)
  if (place === 'sure') return [{ name, type: 'place' }]
  if (isNamedLikeAnOrganization(words)) return [{ name: organizationPart(words).join(' '), type: 'organization' }]
  if (isNamedLikeAPlace(words)) return [{ name: placePart(words).join(' '), type: 'place' }]
  if (place && isPlaceHere(place, before)) return [{ name, type: 'place' }]
  const parts = splitPerson(candidate, after, known) ?? splitCity(candidate, before, after)
  if (parts) return parts
  const type = cuedType(words, before, after, known)
  if (type) return [{ name, type }]
  return isTerm(candidate, known.capitalsMean) ? [{ name, type: 'term' }] : []
}

function isPlaceHere(place: PlaceEvidence, before: string): boolean {
  return place === 'sure' || isBeforeListedPlace(before)
}

/** "Leitung Miriam Stöhr": a person's name starts with a given name; the word before is something else. */
function splitPerson(candidate: NameCandidate, after: string, known: NamedText): TypedName[] | undefined {
  const { words } = candidate
  for (let first = 0; first < words.length; first++) {
    const length = personLength(words, first)
    if (length === 0) continue
    // After another capitalized word, a single given name may be the last part of any name.
    if (first > 0 && length === 1) continue
    // A single name in code is more often that of a program.
    if (words.length === 1 && !known.isProse && !/^['’]s/.test(after)) continue
    return [
      ...typePart(words.slice(0, first), known),
      { name: words.slice(first, first + length).join(' '), type: 'person' as const },
      ...typePart(words.slice(first + length), known),
    ]
  }
  return undefined
}

/** "A parcel from Bruker Karlsruhe": an office in that city. Otherwise a city after a name may be a part of it. */
function splitCity({ words }: NameCandidate, before: string, after: string): TypedName[] | undefined {
  if (words.length !== 2) return undefined
  const [head = '', tail = ''] = words
  // "London N17"
  if (/\d/.test(tail) && placeEvidence(head) === 'sure') return [{ name: head, type: 'place' }]
  if (placeEvidence(tail) !== 'sure' || !isSpokenOfAsABusiness(before, after)) return undefined
  return [
    { name: head, type: 'organization' },
    { name: tail, type: 'place' },
  ]
}

function typePart(words: readonly string[], { capitalsMean }: NamedText): TypedName[] {
  const name = words.join(' ')
  if (words.length === 0) return []
  if (isNamedLikeAnOrganization(words)) return [{ name, type: 'organization' }]
  if (placeEvidence(name) === 'sure') return [{ name, type: 'place' }]
  return words.length > 1 && capitalsMean ? [{ name, type: 'term' }] : []
}

/** The type indicated by the words around a name. */
function cuedType(
  words: readonly string[],
  before: string,
  after: string,
  { capitalsMean }: NamedText,
): TypedName['type'] | undefined {
  if (/^(?:Project|Projekt|Projet|Proyecto|Progetto)$/.test(words[0] ?? '') && words.length > 1) return 'project'
  if (isNamedLikeAProduct(words)) return 'product'
  if (isSpokenOfAsABusiness(before, after)) return 'organization'
  if (isBeforePerson(before)) return 'person'
  return capitalsMean && words.length <= 3 && isBeforeAnyPlace(before) ? 'place' : undefined
}
