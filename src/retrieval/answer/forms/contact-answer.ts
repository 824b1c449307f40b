import { splitClosing } from '../../../lib/mail-closing.ts'
import { sentencesOf } from '../../../lib/sentences.ts'
import type { SearchIndex } from '../../../store/search/search.ts'
import { citationLine, isOfMail } from '../../recall/provenance.ts'
import type { RecallInput } from '../../recall/recall.ts'
import type { Evidence } from '../evidence/evidence.ts'
import { readQuotes } from '../evidence/read-quotes.ts'
import { createCitation, renderQuote } from '../render-quote.ts'
import { askedContact, holdsAll, namesIn } from '../sentences/asked-contact.ts'
import type { Answer } from '../write-answer.ts'

const FAX = /^\s*fax\b/i
/** `give me a shout, 087 555 0143`, `Only the mobile now`; with a name, it may be that of somebody else. */
const NAMES_CONTACT = /\b(?:number|phone|telephone|mobile|cell|landline|whatsapp|e-?mail|call|ring|text|reach|shout)\b/i
const NAMES_OTHER =
  /(?<=[\p{L},;] )(?!I\b|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b)\p{Lu}\p{L}+|\b(?:his|her|their|him|them)\b|\b(?:call|ring|text|reach|phone|contact) (?:the|an?|my|our)\b/u

/**
 * The number or address that is asked for, as the person last wrote it: in the card below a mail, or in a sentence of a mail or
 * message. `undefined` if the question names nobody, if they wrote none, or if somebody's sentence states it with the name.
 */
export async function contactAnswer(
  { text: question, timeZone }: RecallInput,
  { ranking, found }: Evidence,
  index: SearchIndex,
): Promise<Answer | undefined> {
  const written = askedContact(question)
  const names = namesIn(question)
  if (written === undefined || names.length === 0) return undefined
  const read = found.map(({ one }) => {
    const { words, closing } = splitClosing(one.passage.text, one.passage.speaker)
    return { one, closing, sentences: sentencesOf(words) }
  })
  if (read.some(({ sentences }) => sentences.some((each) => written.test(each) && holdsAll(names, each))))
    return undefined
  const [newest] = read
    .flatMap(({ one, closing, sentences }) => {
      const { speaker = '' } = one.passage
      const isTheirs = holdsAll(names, `${speaker}\n${isOfMail(one) ? closing : ''}`)
      const card = isOfMail(one) ? closing.split('\n') : []
      const own = holdsAll(names, speaker) ? sentences.filter(isOfWriter) : []
      const answer = isTheirs ? [...card, ...own].find((each) => written.test(each) && !FAX.test(each)) : undefined
      return answer === undefined ? [] : [{ ...one, answer: answer.trim() }]
    })
    .toSorted((a, b) => (b.row.at ?? 0) - (a.row.at ?? 0))
  if (newest === undefined) return undefined
  const { row, position, answer } = newest
  const [quote] = await readQuotes([{ row, position, answer }], ranking, { index, timeZone })
  if (quote === undefined) return undefined
  const text = renderQuote(quote, '[1]', question, timeZone)
  return {
    response: `${text}\n\n[1] ${citationLine(quote.row, quote, timeZone)}`,
    text,
    abstained: false,
    citations: [createCitation(quote, question)],
  }
}

/** Whether a sentence with a number or address gives that of who wrote it. */
function isOfWriter(sentence: string): boolean {
  return NAMES_CONTACT.test(sentence) && !NAMES_OTHER.test(sentence)
}
