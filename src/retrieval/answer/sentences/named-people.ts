import { analyze, hashTerm } from '../../../lib/analyze.ts'
import type { AnswerKind } from '../../question/answer-kind.ts'
import { IS_ROW } from './documented-values.ts'

const INNER_NAME = /(?<!^)(?<![.!?…:]\s)\b\p{Lu}[\p{L}\p{M}]+/gu
const TIME_NAME =
  /^(?:January|February|March|April|May|June|July|August|September|October|November|December|\p{Lu}\p{Ll}+days?)$/u
/** `Sun 4 Oct`, which names nobody. */
export const SHORT_TIME_NAME = /^(?:Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun|Feb|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)$/
/** `in the Zwingli church`, `at Radlager`: where, and not who. */
const AT_PLACE = /\b(?:in|at|near|into)(?: the)? $/i

/** The capitalized words of a sentence that are no times, and not of the question; for a person, none of places. */
export function newNamesIn(
  text: string,
  { names, kind }: { readonly names: ReadonlySet<string>; readonly kind: AnswerKind },
): readonly string[] {
  // The first cell of a row may be a name, too.
  const whole = IS_ROW.test(text) ? `| ${text}` : text
  const found = [...whole.matchAll(INNER_NAME)].filter(
    ({ index, 0: name }) =>
      kind !== 'person' ||
      !AT_PLACE.test(whole.slice(0, index)) ||
      // `at Ben's` is where somebody is.
      /^['’]s\b/.test(whole.slice(index + name.length)),
  )
  const isTime = (name: string) => TIME_NAME.test(name) || (kind === 'person' && SHORT_TIME_NAME.test(name))
  return found.flatMap(([name]) => (!isTime(name) && analyze(name).some((term) => !names.has(term)) ? [name] : []))
}

/** A sentence without a word of the question at its start: `Kombucha needs two days` tells nobody who makes kombucha. */
export function withoutAskedStart(text: string, asked: ReadonlySet<number>): string {
  return text.replace(/^[\p{L}\p{M}'’-]+/u, (word) =>
    analyze(word).some((term) => asked.has(hashTerm(term))) ? '' : word,
  )
}

/** Whether a text names somebody who is asked about; true where nobody is. */
export function namesAsked(text: string, asked: ReadonlySet<string>): boolean {
  return asked.size === 0 || analyze(text).some((term) => asked.has(term))
}

/** Whether a text names somebody in the question, in full where the question does: `with Ingrid Moe` is not about Ingrid Sand. */
export function namesInFull(
  text: string,
  { text: question, asked }: { readonly text: string; readonly asked: ReadonlySet<string> },
): boolean {
  if (!namesAsked(text, asked)) return false
  const held = new Set(analyze(text))
  const full = (question.match(FULL_NAME) ?? []).map((name) => new Set(analyze(name)))
  return full.every((name) => name.isDisjointFrom(held) || name.isDisjointFrom(asked) || name.isSubsetOf(held))
}

const FULL_NAME = /\b\p{Lu}[\p{L}\p{M}'’-]+(?: \p{Lu}[\p{L}\p{M}'’-]+)+/gu

/** Whether somebody shares only a part of a full name in the question and is not named in it: Lars Halvorsen for Lars Bakken. */
export function isNamesake(question: string, speaker: string | undefined): boolean {
  const own = new Set(analyze(speaker ?? ''))
  if (own.size < 2) return false
  const names = (question.match(FULL_NAME) ?? []).map((name) => new Set(analyze(name)))
  const isNamed = (name: ReadonlySet<string>) => name.isSubsetOf(own) || own.isSubsetOf(name)
  return names.some((name) => !name.isDisjointFrom(own)) && !names.some(isNamed)
}
