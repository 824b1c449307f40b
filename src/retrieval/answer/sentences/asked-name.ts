import { analyze } from '../../../lib/analyze.ts'
import type { AnswerSentence, AskedQuestion } from './answer-sentence.ts'

/** `What is the name of Ben's dog?`, `What's his boat called?`, `What is the dog's name?`: the noun of what has the name. */
const ASKS_NAME: readonly RegExp[] = [
  /\bnames? of (?:(?!(?:where|that|which|who|whom|whose|we|I|you|he|she|they)\b)[\p{L}'’-]+ ){0,4}?([\p{L}-]+)\W*$/iu,
  /^\W*what(?:['’]s| is| was| are| were) (?:[\p{L}'’-]+ ){0,4}?([\p{L}-]+?)(?:['’]s?)? (?:name|names|called)\W*$/iu,
]
const SAYS_NAME =
  /\b(?:name[sd]?|called|calls?|nickname[ds]?|titled?|hei(?:ß|ss)(?:t|en)|s['’]appelle|se llaman?)(?!\p{L})|["“”«»]|叫|という/iu
const WORD = /[\p{L}\p{M}\p{N}'’-]+/gu
const CAPITALIZED = /^\p{Lu}/u
const IS = /^(?:is|are|was|were)$/i
/** Words between a thing and its name: `our dog Luna`, `Luna is our new dog`. */
const MOST_BETWEEN = 3

/**
 * Whether a sentence can tell the name that a question asks for: it has the thing beside a capitalized name, says what it
 * is, or that something is called so. `Walked to the lake with Ben and the dog` names no dog. True for other questions.
 */
export function canTellName({ text }: AnswerSentence, { text: question, names }: AskedQuestion): boolean {
  const noun = ASKS_NAME.map((pattern) => pattern.exec(question)?.[1]).find((word) => word !== undefined)
  if (noun === undefined || SAYS_NAME.test(text)) return true
  const [stem] = analyze(noun)
  const words = text.match(WORD) ?? []
  const at = words.flatMap((word, i) => (analyze(word)[0] === stem ? [i] : []))
  if (stem === undefined || at.length === 0) return true
  return words.some((word, i) => {
    if (IS.test(word) && isBehindOrNear(i, at)) return true
    const isName = CAPITALIZED.test(word) && word !== 'I' && !word.startsWith('I’') && !word.startsWith("I'")
    return isName && !analyze(word).some((term) => names.has(term)) && analyze(word).length > 0 && isNear(i, at)
  })
}

/** `The dog of Ben is luna`, `luna is our new dog` */
function isBehindOrNear(i: number, at: readonly number[]): boolean {
  return at.some((position) => position < i) || isNear(i, at)
}

function isNear(i: number, at: readonly number[]): boolean {
  return at.some((position) => position !== i && Math.abs(position - i) <= MOST_BETWEEN)
}
