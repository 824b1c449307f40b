import type { z } from 'zod'
import { wordsQuoted } from '../lib/find-quote.ts'
import type { Answer } from './answer.ts'
import { answerMessage } from './answer-message.ts'
import type { NumberedPassage } from './answer-passages.ts'
import { citationLine } from './citation-line.ts'
import { type ModelAnswer, marksIn, modelAnswer, withMarks } from './model-answer.ts'

/** Has a language model answer. */
export interface AnswerWriter {
  /** Most that passages may have together. */
  readonly passageTokens: number
  /**
   * An answer of this schema; or why there is none, in words that complete "The language model did not answer: ...".
   * Rejects with nothing but the reason of the signal.
   */
  write(
    message: string,
    schema: z.ZodType<ModelAnswer>,
    signal?: AbortSignal,
  ): Promise<{ readonly answer: ModelAnswer } | { readonly problem: string }>
}

/** `abstained`: the model finds no answer in the passages. */
export type Written = { readonly answer: Answer } | { readonly problem: string } | 'abstained'

const MOST_QUOTE_CHARACTERS = 420

/**
 * An answer in sentences by a language model, with the passages that it rests on: only such as were shown to it, and only
 * with words that stand in them. What it says when it abstains is shown to nobody.
 */
export async function writeAnswer(
  writer: AnswerWriter,
  asked: { readonly text: string; readonly now: Date; readonly timeZone: string; readonly signal?: AbortSignal },
  passages: readonly NumberedPassage[],
): Promise<Written> {
  if (passages.length === 0) return 'abstained'
  const schema = modelAnswer(passages.map(({ n, passage }) => ({ n, text: passage.text })))
  const reply = await writer.write(answerMessage(asked, passages), schema, asked.signal)
  if ('problem' in reply) return reply
  return reply.answer.abstained ? 'abstained' : { answer: shown(reply.answer, passages, asked.timeZone) }
}

/** Sentences, then a line for each mark, numbered as they are named first. */
function shown({ answer, citations }: ModelAnswer, passages: readonly NumberedPassage[], timeZone: string): Answer {
  const marks = marksIn(answer)
  const cited = marks.flatMap((mark) => passages.filter(({ n }) => n === mark))
  const sentences = withMarks(answer, (n) => marks.indexOf(n) + 1)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/\s*\n\s*/g, '\n')
    .trim()
  const lines = cited.map(({ row, title }, i) => `[${i + 1}] ${citationLine(row, title, timeZone)}`)
  return {
    response: `${sentences}\n\n${lines.join('\n')}`,
    text: sentences,
    abstained: false,
    citations: cited.map(({ n, row, passage, provenance, memory }) => ({
      itemId: row.itemId,
      sourceType: row.sourceType,
      quote: quotesOf(
        passage.text,
        citations.filter((citation) => citation.n === n),
      ),
      ...(memory && { memory }),
      ...provenance,
    })),
  }
}

/** In the words of the source, each on a line. */
function quotesOf(text: string, citations: ModelAnswer['citations']): string {
  const quotes = new Set(citations.flatMap(({ quote }) => wordsQuoted(text, quote) ?? []))
  return [...quotes].map(shortened).join('\n')
}

function shortened(quote: string): string {
  if (quote.length <= MOST_QUOTE_CHARACTERS) return quote
  const cut = quote.slice(0, MOST_QUOTE_CHARACTERS)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), MOST_QUOTE_CHARACTERS / 2)).toWellFormed()} …`
}
