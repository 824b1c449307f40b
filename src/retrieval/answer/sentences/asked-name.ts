import { analyze } from '../../../lib/analyze.ts'
import { isEnglishStem } from '../../../lib/english-words.ts'
import type { Language } from '../../question/languages/language.ts'
import { languageOf } from '../../question/languages/language-of.ts'
import { RELATION } from '../../question/relations.ts'
import type { AnswerSentence, AskedQuestion } from './answer-sentence.ts'

/** `What is the name of Ben's dog?`, `What's his boat called?`, `What is the dog's name?`: the noun of what has the name. */
const ASKS_NAME: readonly RegExp[] = [
  /\bnames? of (?:(?!(?:where|that|which|who|whom|whose|we|I|you|he|she|they)\b)[\p{L}'’-]+ ){0,4}?([\p{L}-]+)(?=\W*$| (?:by|in|at|on|near|from|who|that|which|where|with|we|I|you|he|she|they)\b)/iu,
  /^\W*what(?:['’]s| is| was| are| were) (?:[\p{L}'’-]+ ){0,4}?([\p{L}-]+?)(?:['’]s?)? (?:name|names|called)\W*$/iu,
]
const SAYS_NAME =
  /\b(?:name[sd]?|called|calls?|nickname[ds]?|titled?|hei(?:ß|ss)(?:t|en)|s['’]appelle|se llaman?)(?!\p{L})|["“”«»]|叫|という/iu
const WORD = /[\p{L}\p{M}\p{N}'’-]+/gu
const CAPITALIZED = /^\p{Lu}/u
const IS = /^(?:is|are|was|were)$/i
/** `Which hospital does she work at?`: one of several, by name. */
const ASKS_WHICH =
  /^\W*(?:and |so )?(?:at |in |to |from |for |on )?which (\p{Ll}[\p{L}-]+) (?:is|are|was|were|am|do|does|did|has|have|had|can|will|would|should)\b/iu
/** `at the hospital` at the end of a clause, where nothing says which one it is. */
const LAST_OF_CLAUSE =
  /\b(the|an?|my|our|your|his|her|their|of|at|to|in|from) (\p{L}[\p{L}-]*)(?=\s*(?:[.,;!?)]|$|(?:from|on|since|until|till|at|this|next|again|now|today|tomorrow)\b))/giu

/**
 * Whether a sentence has what a question asks for one of only in general: `new shifts at the hospital` to which hospital it is.
 *
 * @param newNames capitalized words that the question doesn't have
 */
export function namesNone(text: string, question: string, newNames: number): boolean {
  const [stem] = analyze(ASKS_WHICH.exec(question)?.[1] ?? '')
  if (stem === undefined || newNames > 0 || /\d|["“”]|day\b/.test(text)) return false
  const found = [...text.matchAll(LAST_OF_CLAUSE)].filter(([, , noun = '']) => analyze(noun)[0] === stem)
  const others = (text.match(WORD) ?? []).filter((word) => analyze(word)[0] === stem)
  return found.length > 0 && found.length === others.length
}

/** What may stand behind `friendly`; nothing at the end. */
const ENDS = /^(?:|and|but|for|at|on|in|with|to|by|of|until|since|because)$/
const DESCRIBES =
  /^(?:\p{L}+(?:ly|ful|ous|ing|ed|able|ible|ive|ish|less)|old|young|big|small|sick|ill|good|fine|nice|sweet|great|here|there|back|gone|dead|lost|sad|happy|afraid|deaf|blind|so|very|too|not|still)$/u
/** `I'm in Lagos for my cousin's wedding` names no cousin. */
const PERSON = new RegExp(`^(?:${RELATION}|teacher|doctor|dentist)s?$`, 'i')
const PLACE_BEFORE = /^(?:in|at|from|to|near|into)$/i
/** Words between a thing and its name: `our dog Luna`, `Luna is our new dog`. */
const MOST_BETWEEN = 3

/**
 * Whether a sentence can tell the name that a question asks for: it has the thing beside a capitalized name, says what it
 * is, or that something is called so. `Walked to the lake with Ben and the dog` names no dog. True for other questions.
 */
export function canTellName({ text }: AnswerSentence, { text: question, names, written }: AskedQuestion): boolean {
  const noun = ASKS_NAME.map((pattern) => pattern.exec(question)?.[1]).find((word) => word !== undefined)
  if (noun === undefined || SAYS_NAME.test(text)) return true
  const [stem] = analyze(noun)
  const words = text.match(WORD) ?? []
  const at = words.flatMap((word, i) => (analyze(word)[0] === stem ? [i] : []))
  if (stem === undefined || at.length === 0) return true
  const language = written === undefined ? undefined : languageOf(written)
  const areNext = language?.capitalizesNouns === true ? standTogether(words, language) : undefined
  return words.some((word, i) => {
    if (language?.words.has(word.toLowerCase())) return false
    if (IS.test(word) && isBehindOrNear(i, at)) return !isDescribed(words, i)
    const isPlace = PERSON.test(noun) && PLACE_BEFORE.test(words[i - 1] ?? '')
    const isName =
      CAPITALIZED.test(word) && word !== 'I' && !word.startsWith('I’') && !word.startsWith("I'") && !isPlace
    return (
      isName &&
      !analyze(word).some((term) => names.has(term)) &&
      analyze(word).length > 0 &&
      isNear(i, at) &&
      (areNext?.(i, at) ?? true)
    )
  })
}

/** `The dog is friendly` says no name; `Ruth's parrot is coco` does. */
function isDescribed(words: readonly string[], at: number): boolean {
  const next = words[at + 1] ?? ''
  return at > 0 && DESCRIBES.test(next) && analyze(next).every(isEnglishStem) && ENDS.test(words[at + 2] ?? '')
}

/** `The dog of Ben is luna`, `luna is our new dog` */
function isBehindOrNear(i: number, at: readonly number[]): boolean {
  return at.some((position) => position < i) || isNear(i, at)
}

function isNear(i: number, at: readonly number[]): boolean {
  return at.some((position) => position !== i && Math.abs(position - i) <= MOST_BETWEEN)
}

/** Where nouns have a capital, too, a name stands next to the thing, or one is the other: `unsere Ärztin ist Frau Kern`. */
function standTogether(words: readonly string[], { words: english }: Language) {
  const isVerb = words.map((word) => IS.test(english.get(word.toLowerCase()) ?? ''))
  return (i: number, at: readonly number[]): boolean =>
    at.some((position) => {
      const [first, second] = position < i ? [position, i] : [i, position]
      return second - first === 1 || isVerb.slice(first, second).includes(true)
    })
}
