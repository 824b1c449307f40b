import { connectorTitle } from '../../domain/connector-name.ts'
import { analyze } from '../../lib/analyze.ts'
import { englishForm } from '../question/languages/english-form.ts'
import { spanText } from '../recall/provenance.ts'
import type { Ranking } from '../recall/rank-chunks.ts'
import { contentTerms } from './sentences/answer-sentence.ts'

const WORD = /[\p{L}\p{N}](?:[\p{L}\p{N}'’._/-]*[\p{L}\p{N}])?/gu
/** Maximum words listed; a pasted message has more. */
const MOST_WORDS = 6
const NO_NAMES: ReadonlySet<string> = new Set()

/**
 * `I found no clear answer (looked for: flight, Lisbon, cost, in email); the closest are:`
 *
 * @param count of the quotations below
 */
export function noClearAnswer(
  question: string,
  { query, applied }: Ranking,
  { timeZone, count }: { readonly timeZone: string; readonly count: number },
): string {
  const terms = new Set(contentTerms(query.terms, NO_NAMES).map(({ term, typed }) => typed ?? term))
  const asked = query.written === undefined ? question : withoutCalendar(query.written)
  const untimed = query.time === undefined ? asked : asked.replace(query.time.words, ' ')
  const words = (untimed.match(WORD) ?? []).filter((word) => analyze(word).some((term) => terms.has(term)))
  const named = [...new Set(words)]
  const { time: { since, until } = {}, sources = [], connector, person } = applied
  const looked = [
    ...(named.length > MOST_WORDS ? [...named.slice(0, MOST_WORDS), '…'] : named),
    ...(person === undefined || named.includes(person) ? [] : [person]),
    ...(sources.length > 0 ? [`in ${sources.join(' or ')}`] : []),
    ...(connector === undefined ? [] : [`in ${connectorTitle(connector)}`]),
    ...(since !== undefined && until !== undefined ? [spanText(since, until, timeZone)] : []),
  ]
  const what = looked.length === 0 ? '' : ` (looked for: ${looked.join(', ')})`
  return `I found no clear answer${what}; the closest ${count === 1 ? 'is' : 'are'}:`
}

/** A question in another language without its months and weekdays, whose time is named in English. */
function withoutCalendar(written: string): string {
  return englishForm(written).calendarWords.reduce((left, word) => left.replace(word, ' '), written)
}
