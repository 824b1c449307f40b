import { analyze } from '../../lib/analyze.ts'
import { RecentMap } from '../../lib/recent-map.ts'
import { kindsOf } from '../../lib/word-kinds.ts'
import { type AnswerKind, answerKind } from './answer-kind.ts'
import { type KnownName, namesOfKind } from './known-names.ts'

/** `What foreign language is`, `Which kinds of sport does`: at most three words, up to what the question says of it. */
const CATEGORY =
  /\b(?:what|which) (?:(?:kinds?|types?|sorts?|breeds?) of )?((?:\p{L}[\p{L}-]* ){0,2}?\p{L}[\p{L}-]*) (?:is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|should|must|may|might|[\p{L}]+n['’]t|I|we|you|he|she|they|my|our|to)\b/iu

/** Kinds of answers that are recognized by their form. */
const OF_FORM: ReadonlySet<AnswerKind> = new Set(['time', 'age', 'duration', 'money', 'code', 'number'])
/** Words too general to be answered by a kind of them. */
const OPEN =
  /^(?:time|times|place|places|kind|thing|things|plans?|organi[sz]ations?|pictures?|photos?|meetings?|parts?|ways?|interests?|names?)$/i

/** The category that a question asks for, and the words and names for its kinds: `cello` for `Which instrument do I play?` */
export interface AskedCategory {
  /** Stems of its words in the question. */
  readonly terms: readonly string[]
  readonly kinds: readonly KnownName[]
}

export function askedCategory(question: string): AskedCategory | undefined {
  const words = CATEGORY.exec(question)?.[1]?.split(' ') ?? []
  const noun = words.at(-1)
  if (noun === undefined || OPEN.test(noun) || OF_FORM.has(answerKind(question))) return undefined
  const phrase = words.slice(-2).join(' ')
  const named = words.length > 1 ? namesOfKind(phrase) : []
  if (named.length > 0) return { terms: analyze(phrase), kinds: named }
  const [term] = analyze(noun)
  if (term === undefined) return undefined
  const kinds = kindsOfNoun(noun.toLowerCase(), term)
  return kinds.length === 0 ? undefined : { terms: [term], kinds }
}

/** Categories whose kinds are kept: finding them takes longer than all else that a category adds to a question. */
const MOST_KNOWN = 200

const known = new RecentMap<string, readonly KnownName[]>(MOST_KNOWN)

function kindsOfNoun(noun: string, term: string): readonly KnownName[] {
  const kept = known.get(noun)
  if (kept !== undefined) return kept
  const stems = new Set([...kindsOf(noun)].flatMap((word) => analyze(word).slice(0, 1)))
  const named = namesOfKind(noun).filter(({ stem }) => !stems.has(stem))
  const kinds = [...[...stems].map((stem) => ({ stem })), ...named].filter(({ stem }) => stem !== term)
  known.set(noun, kinds)
  return kinds
}
