import { splitClosing } from '../../../lib/mail-closing.ts'
import { sentencesOf } from '../../../lib/sentences.ts'
import type { SearchIndex } from '../../../store/search/search.ts'
import { citationLine, isOfMail } from '../../recall/provenance.ts'
import type { RecallInput } from '../../recall/recall.ts'
import type { Evidence } from '../evidence/evidence.ts'
import { readQuotes } from '../evidence/read-quotes.ts'
import { createCitation, renderQuote } from '../render-quote.ts'
import { askedContact } from '../sentences/asked-contact.ts'
import type { Answer } from '../write-answer.ts'

const FAX = /^\s*fax\b/i
const NAMED = /(?<=[\s"“(])(?!I\b)\p{Lu}[\p{L}\p{M}.-]*/gu

/**
 * The line of a card below the newest mail of a person with the number or address that is asked for. `undefined` if the
 * question names nobody, if no card of theirs has it, or if a sentence that was found states it.
 */
export async function contactAnswer(
  { text: question, timeZone }: RecallInput,
  { ranking, found }: Evidence,
  index: SearchIndex,
): Promise<Answer | undefined> {
  const written = askedContact(question)
  const names = (question.match(NAMED) ?? []).map((name) => name.toLowerCase())
  if (written === undefined || names.length === 0) return undefined
  const cards = found.map(({ one }) => ({ one, ...splitClosing(one.passage.text, one.passage.speaker) }))
  const isStated = cards.some(({ words }) =>
    sentencesOf(words).some((sentence) => written.test(sentence) && holdsAll(names, sentence)),
  )
  if (isStated) return undefined
  const [card] = cards
    .filter(
      ({ one, closing }) =>
        isOfMail(one) && holdsAll(names, `${one.passage.speaker ?? ''}\n${closing}`) && written.test(closing),
    )
    .toSorted((a, b) => (b.one.row.at ?? 0) - (a.one.row.at ?? 0))
  const line = card?.closing.split('\n').find((each) => written.test(each) && !FAX.test(each))
  if (card === undefined || line === undefined) return undefined
  const { row, position } = card.one
  const [quote] = await readQuotes([{ row, position, answer: line.trim() }], ranking, { index, timeZone })
  if (quote === undefined) return undefined
  const text = renderQuote(quote, '[1]', question, timeZone)
  return {
    response: `${text}\n\n[1] ${citationLine(quote.row, quote, timeZone)}`,
    text,
    abstained: false,
    citations: [createCitation(quote, question)],
  }
}

function holdsAll(names: readonly string[], text: string): boolean {
  const held = new Set(text.toLowerCase().split(/[^\p{L}\p{M}]+/u))
  return names.every((name) => held.has(name.replace(/\.$/, '')))
}
