import { capitalizedNames, isOpeningWord, isTerm, type NameCandidate } from './capitalized-names.ts'
import {
  isAgent,
  isContact,
  isCuedOrganization,
  isCuedPerson,
  isCuedPlace,
  isCuedProduct,
  isEmployer,
  isGermanAcronym,
  isGermanPlace,
  isIn,
  isJourney,
  isNamedPerson,
  kindBefore,
} from './name-cues.ts'
import {
  isKnownOrganization,
  isNamedLikeAnOrganization,
  isSpokenOfAsABusiness,
  organizationPart,
} from './organization-names.ts'
import { isBeforePerson, isGivenName, isKinship, isPersonHere, isWordHere, personLength } from './person-names.ts'
import { isPinyinName } from './pinyin-names.ts'
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
  /** Names of mail domains of the participants in lower case, without spaces: `norwoodlabels`. */
  readonly domains?: ReadonlySet<string>
}

const BEFORE = 48
const AFTER = 32

/** The capitalized names of a text, in order. */
export function typeNames(text: string, known: NamedText): TypedName[] {
  let last: { readonly type: TypedName['type']; readonly end: number } | undefined
  const typed = capitalizedNames(text, known.nameWords, known.capitalsMean).flatMap((candidate) => {
    const before = text.slice(Math.max(0, candidate.at - BEFORE), candidate.at)
    const after = text.slice(candidate.end, candidate.end + AFTER)
    const names = typeCandidate(candidate, before, after, known)
    const [only, ...more] = names
    // "Luis and Quique": of two joined names, the type of the first is that of the second.
    const isJoined = last !== undefined && AND.test(text.slice(last.end, candidate.at))
    const joined =
      only?.type === 'term' && more.length === 0 && isJoined && last && JOINS.has(last.type)
        ? [{ name: only.name, type: last.type }]
        : names
    const type = joined.at(-1)?.type
    last = type && { type, end: candidate.end }
    return joined
  })
  return withFirms(typed)
}

/** "Called Quill" of a text that also has "Quill Ltd": a name that only its verb makes a person is the firm. */
function withFirms(typed: readonly TypedName[]): TypedName[] {
  const firms = typed.filter(({ name, type }) => type === 'organization' || LEGAL_FORM.test(name))
  const isFirm = ({ name, type }: TypedName) =>
    type === 'person' &&
    !name.includes(' ') &&
    !isGivenName(name) &&
    firms.some((firm) => firm.name === name || (firm.name.startsWith(`${name} `) && !firm.name.includes(`${name} & `)))
  return typed.map((one) => (isFirm(one) ? { ...one, type: 'organization' } : one))
}

const LEGAL_FORM = / (?:Ltd|Limited|Inc|LLC|LLP|PLC|Plc|plc|GmbH|AG|KG|UG|SARL|SAS|SL|BV|AB)\.?$/

const AND = /^(?:,? (?:and|und|et|y|e|&) )$/
const JOINS: ReadonlySet<TypedName['type']> = new Set(['person', 'place'])

function typeCandidate(candidate: NameCandidate, before: string, after: string, known: NamedText): TypedName[] {
  const { words } = candidate
  const name = words.join(' ')
  if (isPinyinName(words)) return [{ name, type: 'person' }]
  const kind = kindBefore(before)
  if (kind) return [{ name: `${kind.kind}${name}`, type: kind.type }]
  // "die Firma Techem", "Der Caterer Grünzeug"
  if (words.length > 1 && OF_TRADE.test(words[0] ?? ''))
    return [{ name: words.slice(1).join(' '), type: 'organization' }]
  if (words.length === 1 && isWordHere(name, before, after)) return []
  if (words.length === 1 && isPersonHere(name, before, after)) return [{ name, type: 'person' }]
  if (words.length === 1 && isKinship(name))
    return isTerm(candidate, known.capitalsMean) ? [{ name, type: 'term' }] : []
  const place = placeEvidence(name)
  // Zurich is a city, "Zurich quoted 640 pounds" an insurer.
  if (place && isKnownOrganization(name) && isCuedOrganization(before, after, isGivenName))
    return [{ name, type: 'organization' }]
  if (place === 'sure') return [{ name, type: 'place' }]
  if (isDivision(words)) return [{ name, type: 'organization' }]
  if (isNamedLikeAnOrganization(words) || isOfDomain(name, known))
    return [{ name: organizationPart(words).join(' '), type: 'organization' }]
  if (isNamedLikeAPlace(words)) return [{ name: placePart(words).join(' '), type: 'place' }]
  if (place && isPlaceHere(place, before, after, words.length === 1)) return [{ name, type: 'place' }]
  const parts = splitPerson(candidate, before, after, known) ?? splitCity(candidate, before, after)
  if (parts) return parts
  const type = cuedType(candidate, before, after, known)
  if (type) return [{ name, type }]
  return isTerm(candidate, known.capitalsMean) ? [{ name, type: 'term' }] : []
}

const OF_TRADE =
  /^(?:Firma|Caterer|Lieferant|Anbieter|Hersteller|Dienstleister|Vermieter|Hausverwalter|Steuerberater|Handwerksbetrieb|Fluggesellschaft|Krankenkasse|Versicherer)$/

/** Whether a name is that of a participant's mail domain: "Norwood Labels" of norwoodlabels.example. */
function isOfDomain(name: string, { domains }: NamedText): boolean {
  if (!domains || domains.size === 0) return false
  const bare = name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
  return domains.has(bare)
}

function isPlaceHere(place: PlaceEvidence, before: string, after: string, isOneWord: boolean): boolean {
  return place === 'sure' || isBeforeListedPlace(before) || isCuedPlace(before, after, isOneWord)
}

/** "Leitung Miriam Stöhr": a person's name starts with a given name; the word before is something else. */
function splitPerson(
  candidate: NameCandidate,
  before: string,
  after: string,
  known: NamedText,
): TypedName[] | undefined {
  const { words } = candidate
  // A place or a firm may be called like a person.
  if (words.length === 1 && (isCuedPlace(before, after, true) || isIn(before))) return undefined
  if (isEmployer(before, isGivenName) && !personLength(words, 1)) return undefined
  for (let first = 0; first < words.length; first++) {
    const length = personLength(words, first)
    if (length === 0) continue
    // After another capitalized word, a single given name may be the last part of any name, but in German of a noun.
    if (first > 0 && length === 1 && (known.capitalsMean || first + 1 < words.length)) continue
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
  // "Valence TGV"
  if (/^(?:TGV|Hbf|ZOB|Airport)$/.test(words[1] ?? '') && /^\p{Lu}\p{Ll}/u.test(words[0] ?? ''))
    return [{ name: words[0] ?? '', type: 'place' }]
  // "Stadt Potsdam"
  if (
    /^(?:Stadt|Gemeinde|Kreis|Insel|Region|Provinz|Land|Raum|Ville|Ciudad|Provincia)$/.test(words[0] ?? '') &&
    placeEvidence(words[1] ?? '')
  )
    return [{ name: words[1] ?? '', type: 'place' }]
  const [head = '', tail = ''] = words
  if (isKnownOrganization(head) && placeEvidence(tail) !== undefined)
    return [
      { name: head, type: 'organization' },
      { name: tail, type: 'place' },
    ]
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

/** "Dunstable LU5 5XE": the second half of a British postal code. */
const INWARD_CODE = /^ \d[A-Z]{2}(?![\p{L}\d])/u
/** "in Year 2", "in German": a number of things, and a language. */
const NUMBER = /^ \d/
const LANGUAGE =
  /^(?:English|German|French|Spanish|Italian|Portuguese|Dutch|Swedish|Danish|Norwegian|Finnish|Polish|Czech|Russian|Turkish|Greek|Arabic|Hebrew|Hindi|Chinese|Japanese|Korean|Vietnamese|Thai|Ukrainian|Romanian|Hungarian|Latin)$/

/** The type indicated by the words around a name. */
function cuedType(
  { words, opens }: NameCandidate,
  before: string,
  after: string,
  { capitalsMean, isProse }: NamedText,
): TypedName['type'] | undefined {
  if (OF_PROJECT.test(words[0] ?? '') && words.length > 1) return ROLE_OR_PART.test(words[1]!) ? undefined : 'project'
  const isMade = isMadeBy(words) && !isCuedOrganization(before, after, isGivenName)
  if (
    (isNamedLikeAProduct(words) && !INWARD_CODE.test(after)) ||
    isMade ||
    isCuedProduct(before) ||
    isModel(words, before, isProse)
  )
    return 'product'
  if (opens && words.length === 1 && isOpeningWord(words[0] ?? '')) return undefined
  if (isSpokenOfAsABusiness(before, after)) return 'organization'
  if (isBeforePerson(before) || isNamedPerson(before)) return 'person'
  if (words.length === 2 && isWord(words) && isContact(before)) return 'person'
  if (words.length > 3 || isAcronymOfRole(words)) return undefined
  if (isCuedOrganization(before, after, isGivenName)) return 'organization'
  if (words.length === 1 && !capitalsMean && isGermanAcronym(words[0] ?? '', before)) return 'organization'
  if (capitalsMean && words.length === 1 && isCuedPerson(before, after)) return 'person'
  if (capitalsMean && isProse && words.length === 1 && isWord(words) && isAgent(after)) return 'person'
  if (!capitalsMean && isCuedPerson('', after) && words.length === 1) return 'person'
  if (words.length === 1 && (LANGUAGE.test(words[0] ?? '') || NUMBER.test(after))) return undefined
  if (isCuedPlace(before, after, words.length === 1) || isJourney(before)) return capitalsMean ? 'place' : undefined
  if (!capitalsMean && words.length === 1 && isGermanPlace(words[0] ?? '', before)) return 'place'
  if (!capitalsMean || opens) return undefined
  return isBeforeAnyPlace(before) || (isProse && words.length === 1 && isIn(before) && isWord(words))
    ? 'place'
    : undefined
}

const OF_PROJECT = /^(?:Project|Projekt|Projet|Proyecto|Progetto)$/
/** "Project Manager", "Project Plan" */
const ROLE_OR_PART =
  /^(?:Managers?|Management|Leads?|Leader|Leiter(?:in)?|Leitung|Coordinator|Directors?|Engineers?|Owner|Sponsor|Team|Office|Plan|Name|Number|Status|Summary|Overview|Details|Description|Title|Report|Update|Updates)$/

/** "Bosch Akkuschrauber", "VW Crafter": a maker, and what it makes. */
function isMadeBy(words: readonly string[]): boolean {
  const [maker = '', ...made] = words
  return (
    (made.length === 1 || made.length === 2) &&
    isKnownOrganization(maker) &&
    isWord(made) &&
    !made.some((word) => OF_A_FIRM.test(word) || placeEvidence(word) !== undefined)
  )
}

const OF_A_FIRM =
  /^(?:Team|Support|Order|Orders|Account|Office|Store|Shop|Manager|Engineer|Sales|Group|Market|Center|Centre|Branch|Filiale|Konto|Bestellung|Rechnung|Kundenservice|Service|Services|Customer|Delivery|Meeting|Contract|Vertrag|Project|Projekt|Invoice|Direct|Business|Clientes|Clients|Stadion|Arena|Express|Europe|International|Deutschland|España|France|Italia|Schweiz)$/

/** "the ZT411", "our new VP50"; "the FY25" is a year. */
function isModel([code = '', ...others]: readonly string[], before: string, isProse: boolean): boolean {
  return (
    isProse &&
    others.length === 0 &&
    /^(?!(?:FY|RFC|ISO|DIN|HTTP|UTC|GMT)-?\d)[A-Z]{2,4}-?\d{2,4}[A-Z]?$/.test(code) &&
    /(?<!\p{L})(?:the|an?|my|our|your|this|new|used|der|die|das|ein|eine|den|mein|unser|le|la|un|une|mon|el)\s$/iu.test(
      before,
    )
  )
}

/** "Vattenfall Europe Sales" */
function isDivision([firm = '', ...parts]: readonly string[]): boolean {
  return parts.length > 0 && isKnownOrganization(firm) && parts.every((part) => OF_A_FIRM.test(part))
}

/** "CEO said", "HR told us" */
function isAcronymOfRole(words: readonly string[]): boolean {
  return (
    words.length === 1 &&
    /^(?:C[EFTO]O|HR|IT|QA|PM|PR|VP|MD|GP|TV|DJ|Legal|Finance|Marketing|Sales|Support|Ops|Dad|Mum|Mom|Papa|Mama)$/.test(
      words[0] ?? '',
    )
  )
}

/** Not an acronym, a number or a name with inner capitals. */
function isWord(words: readonly string[]): boolean {
  return words.every((word) => /^\p{Lu}\p{Ll}+(?:['’-]\p{Lu}?\p{Ll}+)*$/u.test(word))
}
