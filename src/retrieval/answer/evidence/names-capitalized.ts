import { isNoEnglish } from '../../../lib/english-words.ts'
import { languageOf } from '../../question/languages/language-of.ts'
import type { Evidence } from './evidence.ts'

/** A name with a capital, not at the start of a sentence. */
const INNER_NAME = /(?<=[\p{L}\p{N},;)] )\p{Lu}\p{Ll}[\p{L}\p{M}'’-]*/gu
const WORD = /\p{Ll}[\p{L}\p{M}]{2,}/gu
const HAS_NAME =
  /(?<=\s)(?!I\b|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|(?:January|February|March|April|May|June|July|August|September|October|November|December)\b)\p{Lu}/u
/** Names that are words of many questions. */
const COMMON = new Set(['will', 'may', 'can', 'mark', 'bill', 'rose', 'june', 'april', 'august'])

/**
 * A question that was typed without capitals, with those of `I`, of the speakers and of the names in the passages that were
 * found: `when is lena coming back` asks about Lena.
 */
export function withCapitals(asked: string, { found }: Evidence): string {
  const question = asked.replace(/(?<![\p{L}\d.])i(?=['’ ]|$)/gu, 'I')
  if (HAS_NAME.test(question)) return question
  const speakers = new Set<string>()
  const named = new Set<string>()
  for (const { one } of found) {
    // Documentation capitalizes any word in its titles.
    if (one.row.sourceType === 'technical_docs') continue
    const { speaker = '', text } = one.passage
    // `Hearing` of `Kowhai Hearing` is no name.
    const words = speaker.toLowerCase().split(/[^\p{L}\p{M}]+/u)
    for (const word of words.filter(isNoEnglish)) speakers.add(word)
    // German capitalizes every noun.
    if (languageOf(text) !== undefined) continue
    for (const [name] of text.matchAll(INNER_NAME)) named.add(name.toLowerCase().replace(/['’]s$/, ''))
  }
  const isName = (word: string) => !COMMON.has(word) && (speakers.has(word) || (named.has(word) && isNoEnglish(word)))
  return question.replace(WORD, (word, at: number) => {
    const isWhole = at === 0 || !/[\p{L}\p{N}]/u.test(question[at - 1]!)
    return isWhole && isName(word) ? `${word[0]!.toUpperCase()}${word.slice(1)}` : word
  })
}
