import { analyze } from '../../lib/analyze.ts'
import { RecentMap } from '../../lib/recent-map.ts'
import { kindsOf } from '../../lib/word-kinds.ts'
import { type AnswerKind, answerKind } from './answer-kind.ts'
import { askedNoun } from './asked-noun.ts'
import { type KnownName, namesOfKind } from './known-names.ts'

/** Kinds that the noun behind `which` asks for itself: `which day`, `what price`. */
const NAMED_BY_NOUN: ReadonlySet<AnswerKind> = new Set(['time', 'age', 'duration', 'money', 'code', 'number'])
/** Words too general to be answered by a kind of them. */
const OPEN =
  /^(?:time|times|place|places|kind|thing|things|plans?|organi[sz]ations?|pictures?|photos?|meetings?|parts?|ways?|interests?|names?)$/i

/** The category that a question asks for, and the words and names for its kinds: `cello` for `Which instrument do I play?` */
export interface AskedCategory {
  /** Stem of its noun in the question. */
  readonly term: string
  /** Stems of further words for it: `streaming` of `streaming service`. */
  readonly others: readonly string[]
  readonly kinds: readonly KnownName[]
  /** Those that are names, also where they are words of the word list. */
  readonly named: readonly KnownName[]
}

export function askedCategory(question: string): AskedCategory | undefined {
  const words = askedNoun(question)
  const noun = words.at(-1)
  if (noun === undefined) return namedCategory(question)
  const [term] = analyze(noun)
  if (term === undefined || OPEN.test(noun) || NAMED_BY_NOUN.has(answerKind(question))) return undefined
  const phrase = words.slice(-2).join(' ')
  const named = words.length > 1 ? namesOfKind(phrase) : []
  if (named.length > 0) return categoryOf(phrase, [], named)
  return categoryOf(noun, [], kindsOfNoun(noun.toLowerCase(), term), namesOfKind(noun))
}

/** `What is the name of my bank?`, `What's my phone company called?`: the words of what has the name, and the one for its name. */
const ASKS_NAME: readonly RegExp[] = [
  /^\W*what(?:['’]s| is| was) the (name) of (?:the|my|our|your|his|her|their|\p{L}+['’]s) ([\p{L}-]+(?: [\p{L}-]+)?)\W*$/iu,
  /^\W*what(?:['’]s| is| was) (?:the|my|our|your|his|her|their|\p{L}+['’]s) ([\p{L}-]+(?: [\p{L}-]+)??)(?:['’]s)? (called|name)\W*$/iu,
]
/** What has a name of its own, which its breed or sort isn't. */
const OWN_NAMES = /\b(?:breed|cat|dog|instrument|tree|wine)s?$/i

/** The category whose name is asked for: a bank's name is that of one of all banks. */
function namedCategory(question: string): AskedCategory | undefined {
  const parts = ASKS_NAME.map((pattern) => pattern.exec(question)?.slice(1)).find((found) => found !== undefined) ?? []
  const noun = parts.find((words) => !/^(?:name|called)$/i.test(words)) ?? ''
  const kinds = OWN_NAMES.test(noun) ? [] : namesOfKind(noun)
  return categoryOf(noun, ['name', 'call'], kinds)
}

function categoryOf(
  words: string,
  others: readonly string[],
  kinds: readonly KnownName[],
  named = kinds,
): AskedCategory | undefined {
  const stems = analyze(words)
  const term = stems.at(-1)
  return term === undefined || kinds.length === 0
    ? undefined
    : { term, others: [...stems.slice(0, -1), ...others], kinds, named }
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
