import { analyze } from '../../../lib/analyze.ts'
import { isEnglishStem } from '../../../lib/english-words.ts'
import type { Evidence } from './evidence.ts'

/** A name with a capital, not at the start of a sentence. */
const INNER_NAME = /(?<=[\p{L}\p{N},;)] )\p{Lu}\p{Ll}[\p{L}\p{M}'’-]*/gu
const WORD = /\p{Ll}[\p{L}\p{M}]{2,}/gu
const HAS_NAME = /(?<=\s)(?!I\b)\p{Lu}/u
/** Names that are words of many questions. */
const USUAL = new Set(['will', 'may', 'can', 'mark', 'bill', 'rose', 'june', 'april', 'august'])

function isUnknown(terms: readonly string[]): boolean {
  return terms.length > 0 && !terms.some(isEnglishStem)
}

/**
 * A question that was typed without capitals, with those of the speakers and of the names in the passages that were found:
 * `when is lena coming back` asks about Lena.
 */
export function withCapitals(question: string, { found }: Evidence): string {
  if (HAS_NAME.test(question)) return question
  const speakers = new Set<string>()
  const named = new Set<string>()
  for (const { one } of found) {
    // Documentation capitalizes any word in its titles.
    if (one.row.sourceType === 'technical_docs') continue
    const { speaker = '', text } = one.passage
    for (const word of speaker.toLowerCase().split(/[^\p{L}\p{M}]+/u)) speakers.add(word)
    for (const [name] of text.matchAll(INNER_NAME)) named.add(name.toLowerCase().replace(/['’]s$/, ''))
  }
  const isName = (word: string) =>
    !USUAL.has(word) && (speakers.has(word) || (named.has(word) && isUnknown(analyze(word))))
  return question.replace(WORD, (word, at: number) => {
    const isWhole = at === 0 || !/[\p{L}\p{N}]/u.test(question[at - 1]!)
    return isWhole && isName(word) ? `${word[0]!.toUpperCase()}${word.slice(1)}` : word
  })
}
