import type { Provenance } from '../../../domain/results.ts'
import { isEventSource } from '../../../domain/source-type.ts'
import type { ChunkRow, MemoryRow, PassageRow, SearchIndex } from '../../../store/search/search.ts'
import { endsWithQuestion } from '../../question/question-form.ts'
import { commandLines } from '../../recall/code-lines.ts'
import { neighbor } from '../../recall/features.ts'
import { statedText } from '../../recall/pointing-lines.ts'
import {
  type Attribution,
  attribution,
  createProvenance,
  isOfMail,
  isQuoted,
  memoryOfChunk,
} from '../../recall/provenance.ts'
import { eventWords, mailWords, type QuoteText, quoteText } from '../../recall/quote-text.ts'
import type { Ranking } from '../../recall/rank-chunks.ts'
import { type LeadSentence, quotationText } from '../lead-quotation.ts'
import { linesApart } from '../sentences/lines-apart.ts'
import { labeledRow } from '../sentences/table-rows.ts'
import type { Source } from './evidence.ts'

/** Characters behind a question that gets its reply, such as a sentence that explains it. */
const MOST_BEHIND_QUESTION = 120
/** Characters by which quoted words are found in their passage. */
const KNOWN_BY = 24

/** A source with the text to show. */
export interface Quote {
  readonly row: ChunkRow
  readonly provenance: Provenance
  readonly fileName: string | undefined
  readonly stored: string
  readonly shown: QuoteText
  readonly by: Attribution
  readonly memory: MemoryRow | undefined
  readonly replacedAt: number | undefined
  readonly lead: readonly LeadSentence[] | undefined
  readonly isOtherVersion: 'earlier' | 'later' | undefined
  /** The reply to a question. */
  readonly reply?: { readonly shown: QuoteText; readonly by: Attribution }
}

function bareWords(row: ChunkRow, passage: PassageRow): string {
  const { text } = passage
  if (isEventSource(row.sourceType)) return eventWords(text)
  if (isOfMail({ row, passage })) return mailWords(text, passage.speaker)
  const stated = statedText(row, text)
  return /[\p{L}\p{N}]/u.test(stated) ? stated : text
}

/** `What: Yoga; When: Monday` without the names of the fields. */
const EVENT_FIELD = /(?:^|(?<=; ))(?:What|When|Due|Where): /g

/** The chosen sentences with the code of the passage, or the whole passage. */
function shownText({ row, answer, lead }: Source, passage: PassageRow, terms: Ranking['query']['terms']): QuoteText {
  const isTurn = row.kind === 'turn'
  if (lead === undefined) {
    const words = answer === undefined ? bareWords(row, passage) : linesApart(answer, passage.text)
    return quoteText(words, terms, isTurn)
  }
  const { code } = quoteText(passage.text, terms, isTurn)
  const commands = new Set(commandLines(passage.text))
  const isShownInCode = ({ text }: LeadSentence) =>
    commands.has(text) && code.replaceAll(/[^\S\n]{2,}/g, '  ').includes(text)
  // A command stands in the quotation or in the block below it, not in both.
  const said = lead.filter((one) => !isShownInCode(one))
  const quoted = said.length > 0 ? said : lead
  const readable = (sentence: string) => linesApart(labeledRow(sentence, passage.text), passage.text)
  const joined = quotationText(quoted.map((one) => ({ ...one, text: readable(one.text) })))
  const words = isEventSource(row.sourceType) ? joined.replace(EVENT_FIELD, '') : joined
  return { words, code: commands.has(words) ? '' : code }
}

/** Whether quoted sentences ask something: the reply to a question behind them is about something else. */
function holdsQuestion(words: string): boolean {
  return /[?？]/.test(words) || endsWithQuestion(words, MOST_BEHIND_QUESTION)
}

/** A passage from the quoted words on: a question in front of them has a reply that is about something else. */
function quotedAndBehind(words: string, stored: string): string {
  return stored.slice(Math.max(0, stored.indexOf(words.slice(0, KNOWN_BY))))
}

/** The texts to show. A chunk without text was deleted since it was found. */
export async function readQuotes(
  sources: readonly Source[],
  { rows, query }: Ranking,
  { index, timeZone }: { readonly index: SearchIndex; readonly timeZone: string },
): Promise<Quote[]> {
  const nextOf = ({ row, position }: Source) => {
    const next = row.kind === 'turn' ? rows[neighbor(rows, position, 1)] : undefined
    // Below a mail stands what it answers.
    return next && isQuoted(next) ? undefined : next
  }
  const ids = [...new Set(sources.flatMap((source) => [source.row.chunkId, nextOf(source)?.chunkId ?? []].flat()))]
  const [passages, memories] = await Promise.all([index.passages(ids), index.memoriesOf(ids)])
  const provenanceOf = createProvenance(memories, timeZone)
  return sources.flatMap((source): Quote[] => {
    const { row, answer } = source
    const passage = passages.get(row.chunkId)
    if (passage === undefined) return []
    const stored = passage.text
    const quote = {
      row,
      provenance: provenanceOf(row, passage),
      fileName: passage.fileName,
      stored,
      shown: shownText(source, passage, query.terms),
      by: attribution(row, passage, memories),
      memory: memoryOfChunk(row, memories),
      replacedAt: source.replacedAt,
      lead: source.lead,
      isOtherVersion: source.isOtherVersion,
    }
    const isListed = source.lead !== undefined && sources.filter(({ lead }) => lead !== undefined).length > 1
    const next =
      (answer === undefined || source.lead !== undefined) &&
      !isListed &&
      source.isOfRun !== true &&
      (source.lead === undefined || holdsQuestion(quote.shown.words)) &&
      endsWithQuestion(quotedAndBehind(quote.shown.words, stored), MOST_BEHIND_QUESTION)
        ? nextOf(source)
        : undefined
    const reply = next && passages.get(next.chunkId)
    if (next === undefined || reply === undefined) return [quote]
    const by = attribution(next, reply, memories)
    if (by.speaker === quote.by.speaker) return [quote]
    return [{ ...quote, reply: { shown: quoteText(reply.text, query.terms, true), by } }]
  })
}
