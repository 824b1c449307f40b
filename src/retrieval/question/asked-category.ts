import { analyze } from '../../lib/analyze.ts'
import { RecentMap } from '../../lib/recent-map.ts'
import { kindsOf } from '../../lib/word-kinds.ts'
import { type AnswerKind, answerKind } from './answer-kind.ts'

/** `What foreign language is`, `Which kinds of sport does`: at most three words, up to what the question says of it. */
const CATEGORY =
  /\b(?:what|which) (?:(?:kinds?|types?|sorts?|breeds?) of )?((?:\p{L}[\p{L}-]* ){0,2}?\p{L}[\p{L}-]*) (?:is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|should|must|may|might|[\p{L}]+n['’]t|I|we|you|he|she|they|my|our|to)\b/iu

/** Kinds of answers that are recognized by their form. */
const OF_FORM: ReadonlySet<AnswerKind> = new Set(['time', 'age', 'duration', 'money', 'code', 'number'])
/** Words too general to be answered by a kind of them. */
const OPEN =
  /^(?:time|times|place|places|kind|thing|things|plans?|organi[sz]ations?|pictures?|photos?|meetings?|parts?|ways?|interests?|names?)$/i

/** The category that a question asks for, and the stems of words for its kinds: `cello` for `Which instrument do I play?` */
export interface AskedCategory {
  /** Stem of its word in the question. */
  readonly term: string
  readonly kinds: readonly string[]
}

export function askedCategory(question: string): AskedCategory | undefined {
  const noun = CATEGORY.exec(question)?.[1]?.split(' ').at(-1)
  const [term] = noun === undefined ? [] : analyze(noun)
  if (noun === undefined || term === undefined || OPEN.test(noun) || OF_FORM.has(answerKind(question))) return undefined
  const kinds = stemsOfKinds(noun.toLowerCase(), term)
  return kinds.length === 0 ? undefined : { term, kinds }
}

/** Categories whose kinds are kept: finding them takes longer than all else that a category adds to a question. */
const MOST_KNOWN = 200

const known = new RecentMap<string, readonly string[]>(MOST_KNOWN)

function stemsOfKinds(noun: string, term: string): readonly string[] {
  const kinds = known.get(noun) ?? [...new Set([...kindsOf(noun)].flatMap((word) => analyze(word).slice(0, 1)))]
  known.set(noun, kinds)
  return kinds.filter((kind) => kind !== term)
}
