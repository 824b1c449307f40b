import { BARE_VERBS } from './indirect-questions.ts'
import { hasVerb } from './reported-speech.ts'

/** What a statement and the fragment behind it have in common. */
interface Told {
  readonly form: 'act' | 'event' | 'clause' | 'quote'
  readonly words: string
  readonly asks: boolean
  readonly said?: string
}

/** `2,350 all in`, `Platform 3` behind what it belongs to: no sentence of its own. */
export function isDetail({ form, words, asks }: Told, before: Told): boolean {
  const isTold = before.form !== 'quote' && !before.words.endsWith('?') && before.words.length <= LONGEST_WITH_DETAIL
  const isShort = form === 'quote' && !asks && words.length <= LONGEST_DETAIL && DETAIL.test(words)
  return isTold && isShort && !hasVerb(words) && !words.split(/\P{L}+/u).some((word) => BARE_VERBS.has(word))
}
const LONGEST_WITH_DETAIL = 140
const LONGEST_DETAIL = 50
/** With a number, and without persons, whom rewording would change. */
const DETAIL =
  /^(?!.*\b(?:I|me|my|mine|we|us|our|you|yours?|it|he|she|they|not|no|never)\b)(?=.*\p{N})[\p{L}\p{N}€$£][^.:;!?()"“”]*[.!]?$/iu

/** `Nigel put in the new boiler (2,350 all in)` */
export function withDetail<T extends Told>(statement: T, detail: Told): T {
  const words = detail.words.replace(/[.!\s]+$/, '')
  const added = statement.words.endsWith(')')
    ? statement.words.replace(/\)$/, `; ${words})`)
    : `${statement.words} (${words})`
  return { ...statement, words: added, said: `${statement.said ?? ''} ${detail.words}`.trim() }
}
