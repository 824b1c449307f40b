import { AppError } from '../../domain/errors.ts'
import { citationLine } from '../recall/provenance.ts'
import type { Ranking } from '../recall/rank-chunks.ts'
import type { Decision } from './decide-answer.ts'
import type { Quote } from './evidence/read-quotes.ts'
import { noteOpening } from './forms/note-answer.ts'
import { asksForSeveral } from './leading-sources.ts'
import { noClearAnswer } from './looked-for.ts'
import { createCitation, leadLine, renderQuote } from './render-quote.ts'
import { asksWhether, saysWhether } from './sentences/yes-or-no.ts'
import type { Answer } from './write-answer.ts'

const MOST_CHARACTERS = 1_500

const FOUND_NOTHING = 'I found nothing about this in your memories.'
export const NOTHING: Answer = {
  response: FOUND_NOTHING,
  text: FOUND_NOTHING,
  abstained: true,
  citations: [],
}

interface RenderOptions {
  /** Quotes in the first line. */
  readonly leads: number
  readonly timeZone: string
  /** Why the language model that was asked gave no answer. */
  readonly problem: string | undefined
}

/**
 * The opening, the first line, the other quotes and their sources, as many as fit.
 *
 * @param quotes at least one, those of the first line first
 */
export function renderAnswer(
  quotes: readonly Quote[],
  decision: Decision,
  ranking: Ranking,
  { leads, timeZone, problem }: RenderOptions,
): Answer {
  const question = decision.read.question.text
  const rendered = quotes.map((quote, i) => renderQuote(quote, `[${i + 1}]`, question, timeZone))
  const citations = quotes.map((quote, i) => `[${i + 1}] ${citationLine(quote.row, quote, timeZone)}`)
  const isAnswer = decision.kind !== 'none'
  const opening = isAnswer ? answerOpening(decision, quotes[0]!) : undefined
  const isCounted = decision.note === undefined && asksForSeveral(decision.read)
  const { count, ...shown } = fitQuotes({
    opening: (shownCount) => opening ?? `${noClearAnswer(question, ranking, { timeZone, count: shownCount })}\n`,
    first: (shownCount) =>
      leadLine(quotes.slice(0, leads), { rendered, count: shownCount, isCounted, question, timeZone }),
    rendered,
    citations,
    closing:
      problem === undefined ? '' : `\n\n(The language model did not answer: ${problem}; showing quotes instead.)`,
    leads,
  })
  return {
    ...shown,
    abstained: !isAnswer,
    citations: quotes.slice(0, count).map((quote) => createCitation(quote, question)),
  }
}

/** The verdict, the title of the note, or `Unclear: ` where a question for yes or no gets a sentence that says neither. */
function answerOpening({ verdict, note, read }: Decision, first: Quote): string {
  if (verdict !== undefined) return verdict
  if (note !== undefined) return noteOpening(note)
  const isStatement = first.lead !== undefined && !read.isReplied
  return isStatement && asksWhether(read.question) && !saysWhether(quotedWords(first)) ? 'Unclear: ' : ''
}

function quotedWords({ shown, reply }: Quote): string {
  return `${shown.words} ${reply?.shown.words ?? ''}`
}

interface Parts {
  /** Before so many quotes. */
  readonly opening: (count: number) => string
  /** The first line, with so many of its quotes. */
  readonly first: (count: number) => string
  /** The quotes, those of the first line included. */
  readonly rendered: readonly string[]
  readonly citations: readonly string[]
  readonly closing: string
  /** Quotes in the first line. */
  readonly leads: number
}

/** Drops the last quotes until the answer is short enough; item ids have at most 500 characters, so one quote always fits. */
function fitQuotes(parts: Parts): Pick<Answer, 'response' | 'text'> & { count: number } {
  const { opening, first, rendered, citations, closing, leads } = parts
  for (let count = rendered.length; count > 0; count--) {
    const lines =
      leads === 0 ? rendered.slice(0, count) : [first(Math.min(leads, count)), ...rendered.slice(leads, count)]
    const quoted = `${opening(count)}${lines.join('\n')}`
    const response = `${quoted}\n\n${citations.slice(0, count).join('\n')}${closing}`
    if (response.length <= MOST_CHARACTERS) return { response, text: `${quoted}${closing}`, count }
  }
  throw new AppError('internal', 'One quote does not fit into an answer')
}
