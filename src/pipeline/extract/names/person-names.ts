import { isListed } from './name-lists.ts'
import { placeEvidence } from './place-names.ts'

/** Titles and words of kinship that stand before a name, with what may stand between. */
const TITLE =
  '(?:Professor(?:in)? |(?:Mr|Mrs|Ms|Miss|Mx|Dra?|Prof|Sra?|Srta|Sig|Sig\\.ra|Lic|Ing|Arq|Dipl\\.-Ing|Rev|Capt|Hr|Fr|Me)\\.? |M\\. |' +
  '(?:[Cc]apitaine|[Cc]apitán|[Cc]aptain|[Ss]ergeant|[Ii]nspector|[Oo]fficer|[Nn]urse|Bürgermeister(?:in)?|Schwester|Herrn?|Frau|Mme|Mlle|Madame|Monsieur|Maître|Señora?|Don|Doña|Aunt|Auntie|Uncle|Grandma|Grandpa|Tante|Onkel|Oma|Opa|Abuel[ao]|T[íi][ao]|' +
  'Famil(?:y|ie|ia|le)|Famille|Famiglia|Coach|Pfarrer(?:in)?|Sister|Father) )(?:(?:Dr|Prof|med|Mag|Ing)\\. ){0,3}'

/** A title with the name behind it: `Mrs Fenwick`, `Herr Dr. Maier`, `Don Héctor`. */
export const TITLED_NAME = new RegExp(
  `(?<![\\p{L}\\p{N}])${TITLE}\\p{Lu}[\\p{L}’'-]{1,30}(?: (?:(?:de|del|van|von|der|den|di|da|la) ){0,2}\\p{Lu}[\\p{Ll}’'-]{1,30}){0,2}`,
  'gu',
)

const TITLE_HEAD = new RegExp(`^${TITLE}`, 'u')

/** `Maas` for `Prof. Maas`. */
export function withoutTitle(name: string): string {
  return name.replace(TITLE_HEAD, '')
}

/** A second word that is never a surname: of places, programs, and things named after somebody. */
const NO_SURNAME =
  /^(?:[A-Z]{2,}|\p{Lu}\p{L}*\d.*|API|Award|Prize|Day|Effect|Method|Theorem|Algorithm|Release|Edition)$/u
/** `Columbus Day`: named after somebody. */
const NAMED_AFTER = /^(?:Day|Award|Prize|Effect|Theorem)$/
const SURNAME = /^\p{Lu}[\p{Ll}’'-]+(?:\p{Lu}[\p{Ll}’'-]+)*$/u
const LINK = /^(?:de|del|la|los|van|von|der|den|di|da|dos|do|du|des)$/

/** Number of words from `first` on that form a person's name, by the list of given names; 0 if that word is not one. */
export function personLength(words: readonly string[], first: number): number {
  const given = words[first] ?? ''
  if (!isGivenName(given) || placeEvidence(given) === 'sure' || NAMED_AFTER.test(words[first + 1] ?? '')) return 0
  let length = 1
  let names = 1
  for (let i = first + 1; i < words.length && names < 3; i++) {
    const word = words[i] ?? ''
    // "Adriana Pinzón de Rappi" works there.
    if (LINK.test(word) && isFirmOrPlace(words.slice(i + 1))) break
    if (LINK.test(word)) continue
    if (!SURNAME.test(word) || NO_SURNAME.test(word)) break
    length = i - first + 1
    names++
  }
  return length
}

function isFirmOrPlace(words: readonly string[]): boolean {
  const name = words.join(' ')
  return isListed('organizations', name) || placeEvidence(name) === 'sure'
}

/** Given names that are words too, and days named after somebody. */
const WORDS: ReadonlySet<string> = new Set(
  (
    'Art Bill Carol Chase Dallas Dash Dawn Drew Faith Frank Gene Ginger Grace Guy Harmony Hazel Heather Holly Hope Ivy Jack Jade Joy ' +
    'Lance Mark Max Melody Merit Miles Nova Olive Pat Pearl Penny Ray Rich Rob Robin Rose Ruby Sage Sterling Sue Summer Victor Will'
  ).split(' '),
)
/** What families call each other, which is no name of a firm or a place: `chez Papy`. */
const KINSHIP =
  /^(?:Mum|Mummy|Mom|Mommy|Mama|Mamma|Mami|Mutti|Maman|Mamá|Mãe|Dad|Daddy|Papa|Papà|Papá|Papi|Vati|Pai|Grandma|Grandpa|Granny|Gran|Nan|Nana|Grandad|Oma|Opa|Omi|Opi|Mamie|Papy|Papie|Mémé|Pépé|Abuela|Abuelo|Yaya|Yayo|Nonna|Nonno|Avó|Avô|Tata|Tonton|Tantine)$/u

export function isKinship(word: string): boolean {
  return KINSHIP.test(word)
}
const HOLIDAYS = /^(?:Easter|Christmas|Halloween|Thanksgiving|Columbus|Noël|Pâques|Ostern|Weihnachten|Navidad|Pascua)$/
/** What a person does, says, or is told to do: `Holly sent the invoice`. */
const DEED = [
  'and|or|is|was|will|has|had|can|could|would|should|must|may|might|does|did|who|also|just|never|always|already|still',
  'said|says|told|asked|called|thinks?|thought|wants?|needs?|knows?|knew|likes|loves|hates|prefers|plans',
  'came|comes|went|goes|left|lives|works|moves|drives|drove|plays|teaches|taught|owns|pays|paid|buys|bought|sells|sold',
  'sends|sent|gives|gave|takes|took|makes|made|gets|got|brings|brought|keeps|kept|met|saw|wrote|found|lost|won|ran|\\p{Ll}+ed',
].join('|')
/** `plants tulips`, `runs the shop`: a verb with its object. */
const DOES =
  '\\p{Ll}{2,}(?<!s)s (?:(?:the|an?|my|our|her|his|their|your|some|two|three|all|every)(?= \\p{Ll})|\\p{Ll}{3,}s(?= (?!(?:is|are|was|were|have|has|need|grow|can|will)(?!\\p{L}))|[.,!]|$))'
/** What follows a word rather than a person: `Ray tracing is slow`, `Drew the plan`. */
const BEFORE_WORD = new RegExp(`^ (?!(?:${DEED})(?!\\p{L})|${DOES})\\p{Ll}`, 'u')

/** Whether a single given name is an ordinary word here. */
export function isWordHere(word: string, before: string, after: string): boolean {
  return HOLIDAYS.test(word) || (WORDS.has(word) && BEGINNING.test(before) && BEFORE_WORD.test(after))
}

/** Whether such a word is a person here, because it does what only persons do: `Grace teaches maths`. */
export function isPersonHere(word: string, before: string, after: string): boolean {
  return WORDS.has(word) && BEGINNING.test(before) && DEED_OF_PERSON.test(after)
}
const DEED_OF_PERSON = new RegExp(
  `^ (?:(?:just|never|always|already|also) )?(?:said|says|told|asked|called|thinks?|thought|wants?|knows?|knew|likes|loves|hates|prefers|plans|lives|works|drives|drove|plays|teaches|taught|owns|paid|buys|bought|sells|sold|sends|sent|gives|gave|takes|took|makes|made|brings|brought|met|saw|wrote|found|lost|won|ran|${DOES})(?!\\p{L})`,
  'u',
)
const BEGINNING = /(?:^|[.!?:;\n"“(*•–-]\s*)$/

export function isGivenName(word: string): boolean {
  return (
    isListed('given-names', word) ||
    (word.includes('-') && word.split('-').every((part) => isListed('given-names', part)))
  )
}

const KIN =
  '(?:wife|husband|partner|son|daughter|brother|sister|cousin|nephew|niece|friend|colleague|boss|neighbou?r|girlfriend|boyfriend|flatmate|roommate|' +
  'frau|mann|sohn|tochter|bruder|schwester|freund(?:in)?|kolleg(?:e|in)|chef(?:in)?|nachbar(?:in)?|' +
  'femme|mari|fils|fille|frère|sœur|ami|amie|collègue|voisine?|esposa|esposo|marido|hij[ao]|herman[ao]|prim[ao]|amig[ao]|compañer[ao]|jefe|jefa|vecin[ao])'
const AFTER_KIN = new RegExp(
  `$(?<=(?<!\\p{L})(?:my|our|his|her|their|meine?[rmn]?|unsere?[rmn]?|seine?[rmn]?|ihre?[rmn]?|mon|ma|notre|son|sa|mi|nuestr[ao]|su) (?:\\p{Ll}+ )?${KIN},? )`,
  'iu',
)

/** Whether the word before a name indicates a person: "my sister", "meine Kollegin". */
export function isBeforePerson(before: string): boolean {
  return AFTER_KIN.test(before)
}
