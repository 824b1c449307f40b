import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import { fenced } from '../../domain/recalled-fence.ts'
import type { Provenance } from '../../domain/results.ts'
import type { SourceType } from '../../domain/source-type.ts'
import { estimateTokens } from '../../lib/estimate-tokens.ts'
import { wordsQuoted } from '../../lib/find-quote.ts'
import type { ChunkRow, MemoryRow, PassageRow, SearchIndex } from '../../store/search/search.ts'
import { neighbor } from '../recall/features.ts'
import { attribution, citationLine, createProvenance, memoryOfChunk } from '../recall/provenance.ts'
import type { Ranking } from '../recall/rank-chunks.ts'
import {
  type AskedOfModel,
  draftReports,
  type ModelAnswer,
  marksIn,
  modelAnswer,
  plainSentences,
} from './model-answer.ts'

export interface Answer {
  /** Quotations have at most `MOST_CHARACTERS`, a language model's answer `MOST_ANSWER_CHARACTERS`. */
  readonly response: string
  /** `response` without the lines at its end that say where its quotes are from. */
  readonly text: string
  /** Whether no answer was found; `response` states that. */
  readonly abstained: boolean
  /** The sources of `response`, `[1]` first. */
  readonly citations: readonly Citation[]
  /** Why the answer may be incomplete; a sentence. */
  readonly notice?: string
}

export interface Citation extends Provenance {
  readonly itemId: string
  readonly sourceType: SourceType
  /** Words of the source; code and replies on lines of their own. */
  readonly quote: string
  /** The memory that the passage belongs to. */
  readonly memory?: MemoryRow
}

/** Answers with a language model. */
export interface AnswerWriter {
  /** Most tokens of all passages together. */
  readonly passageTokens: number
  /** Called with the sentences that have arrived and may be shown while the answer is checked; also again from the first. */
  readonly onDraft?: (sentences: string) => void
  /**
   * An answer of this schema; or why there is none, in words that complete "The language model did not answer: ...".
   * Rejects with nothing but the reason of the signal.
   */
  write(
    message: string,
    schema: z.ZodType<ModelAnswer>,
    options?: {
      readonly signal?: AbortSignal
      /** Called with what the answer holds so far, unchecked. */
      readonly onPartial?: (value: unknown) => void
    },
  ): Promise<{ readonly answer: ModelAnswer } | { readonly problem: string }>
}

/** `abstained`: the model finds no answer in the passages. */
export type Written = { readonly answer: Answer } | { readonly problem: string } | 'abstained'

const MOST_QUOTE_CHARACTERS = 420

/**
 * An answer in sentences by a language model, with the passages that it rests on: only passages that it was shown, quoted
 * word for word. What it says when it abstains is not shown.
 */
export async function writeAnswer(
  writer: AnswerWriter,
  asked: AskedOfModel & { readonly signal?: AbortSignal },
  passages: readonly NumberedPassage[],
): Promise<Written> {
  if (passages.length === 0) return 'abstained'
  const evidence = passages.map(({ n, row, passage, provenance, title, narrative }) => ({
    n,
    text: passage.text,
    head: [title, narrative, ...Object.values(provenance).flat()].join('\n'),
    ...(row.at !== undefined && { at: new Date(row.at) }),
  }))
  const { signal } = asked
  const { onDraft } = writer
  const reply = await writer.write(answerMessage(asked, passages), modelAnswer(evidence, asked), {
    ...(signal && { signal }),
    ...(onDraft && { onPartial: draftReports(evidence, asked, onDraft) }),
  })
  if ('problem' in reply) return reply
  return reply.answer.abstained
    ? 'abstained'
    : { answer: modelAnswerWithSources(reply.answer, passages, asked.timeZone) }
}

/** Sentences, then a line for each mark, numbered by first mention. */
function modelAnswerWithSources(
  { answer, citations }: ModelAnswer,
  passages: readonly NumberedPassage[],
  timeZone: string,
): Answer {
  const marks = marksIn(answer)
  const cited = marks.flatMap((mark) => passages.filter(({ n }) => n === mark))
  const sentences = plainSentences(answer)
  const lines = cited.map(
    ({ row, provenance, passage: { fileName } }, i) =>
      `[${i + 1}] ${citationLine(row, { provenance, fileName }, timeZone)}`,
  )
  return {
    response: `${sentences}\n\n${lines.join('\n')}`,
    text: sentences,
    abstained: false,
    citations: cited.map(({ n, row, passage, provenance, memory }) => ({
      itemId: row.itemId,
      sourceType: row.sourceType,
      quote: quotedWords(
        passage.text,
        citations.filter((citation) => citation.n === n),
      ),
      ...(memory && { memory }),
      ...provenance,
    })),
  }
}

/** The quotations, each on a line. */
function quotedWords(text: string, citations: ModelAnswer['citations']): string {
  const quotes = new Set(citations.flatMap(({ quote }) => wordsQuoted(text, quote) ?? []))
  return [...quotes].map(shortened).join('\n')
}

function shortened(quote: string): string {
  if (quote.length <= MOST_QUOTE_CHARACTERS) return quote
  const cut = quote.slice(0, MOST_QUOTE_CHARACTERS)
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), MOST_QUOTE_CHARACTERS / 2)).toWellFormed()} …`
}

/** 80 random bits, which no writer of a passage can guess. */
const MARKER_BYTES = 10

/**
 * The message to a language model: the question, when and where it is asked, and passages, each in a fence that no
 * passage can close, because its marker is random.
 */
function answerMessage({ text, now, timeZone }: AskedOfModel, passages: readonly NumberedPassage[]): string {
  const marker = randomBytes(MARKER_BYTES).toString('hex')
  const question = { question: text, asked_at: momentText(now, timeZone), time_zone: timeZone }
  return [
    JSON.stringify(question),
    `The marker is ${marker}.`,
    ...passages.map((passage) => fenced(passageText(passage, timeZone), marker)),
  ].join('\n')
}

function passageText(
  { n, row, passage, provenance, title, narrative, replacedBy }: NumberedPassage,
  timeZone: string,
): string {
  const { title: heading = title, participants: [speaker] = [], when } = provenance
  const at = row.at === undefined ? when : momentText(new Date(row.at), timeZone)
  const head = {
    n,
    source: row.sourceType,
    ...(heading !== undefined && { title: heading }),
    ...(speaker !== undefined && { who: speaker }),
    ...(at !== undefined && { at }),
    ...(narrative !== undefined && { memory: narrative }),
    ...(replacedBy !== undefined && { replaced_by: replacedBy }),
  }
  return `${JSON.stringify(head)}\n${passage.text}`
}

/** `Wednesday, 4 March 2026 at 10:12` */
function momentText(instant: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'full', timeStyle: 'short' }).format(instant)
}

/** A passage that a language model answers from. */
interface NumberedPassage {
  /** From 1. */
  readonly n: number
  readonly row: ChunkRow
  readonly passage: PassageRow
  readonly provenance: Provenance
  /** The memory it belongs to. */
  readonly memory: MemoryRow | undefined
  /** From its memory, where it is not in the text itself. */
  readonly title: string | undefined
  /** From its memory, once for each memory. */
  readonly narrative: string | undefined
  /** `n` of the passage that replaces this one. */
  readonly replacedBy: number | undefined
}

interface PassagesWanted {
  /** Positions in the ranking, best first. */
  readonly positions: readonly number[]
  /** The chunk that replaces another one. */
  readonly currentOf: (chunkId: number) => number | undefined
  /** Most tokens of all passages together, narratives included. */
  readonly tokens: number
  /** IANA name of the zone that times are written in. */
  readonly timeZone: string
}

/** Read before what fits is chosen; 3,000 tokens are 20 to 60 turns. */
const MOST_READ = 90
/** Turns read on each side of a wanted one: its question or its answer. */
const AROUND_TURN = [-1, 1]
/** Tokens of the source, people, times and fence around a passage. */
const HEAD_TOKENS = 60
const MOST_NARRATIVE_CHARACTERS = 240

/** The best passages that fit, with the turns around them, numbered in reading order, item by item. */
export async function answerPassages(
  { rows }: Ranking,
  index: SearchIndex,
  { positions, currentOf, tokens, timeZone }: PassagesWanted,
): Promise<NumberedPassage[]> {
  const around = positions.flatMap((position) => [
    position,
    ...(rows[position]!.kind === 'turn' ? AROUND_TURN.map((distance) => neighbor(rows, position, distance)) : []),
  ])
  const wanted = [...new Set(around.filter((position) => position >= 0))].slice(0, MOST_READ)
  const ids = wanted.map((position) => rows[position]!.chunkId)
  const [passages, memories] = await Promise.all([index.passages(ids), index.memoriesOf(ids)])
  const chosen: number[] = []
  const narrated = new Set<MemoryRow>()
  let left = tokens
  for (const position of wanted) {
    const row = rows[position]!
    const passage = passages.get(row.chunkId)
    // A chunk without a text was deleted since it was found.
    if (passage === undefined) continue
    const memory = memoryOfChunk(row, memories)
    const narrative = memory === undefined || narrated.has(memory) ? undefined : shortNarrative(memory)
    const taken = HEAD_TOKENS + estimateTokens(passage.text) + estimateTokens(narrative ?? '')
    if (taken > left) continue
    if (memory !== undefined) narrated.add(memory)
    left -= taken
    chosen.push(position)
  }
  return numberPassages(
    groupByItem(chosen, rows).map((position) => ({
      row: rows[position]!,
      passage: passages.get(rows[position]!.chunkId)!,
    })),
    memories,
    { currentOf, timeZone },
  )
}

/** Items by rank, their passages in reading order. */
function groupByItem(positions: readonly number[], rows: readonly ChunkRow[]): number[] {
  const items = [...new Set(positions.map((position) => rows[position]!.itemKey))]
  const turnOf = (position: number) => items.indexOf(rows[position]!.itemKey)
  return positions.toSorted((a, b) => turnOf(a) - turnOf(b) || a - b)
}

function numberPassages(
  chunks: readonly { readonly row: ChunkRow; readonly passage: PassageRow }[],
  memories: readonly MemoryRow[],
  { currentOf, timeZone }: Pick<PassagesWanted, 'currentOf' | 'timeZone'>,
): NumberedPassage[] {
  const provenanceOf = createProvenance(memories, timeZone)
  const numbers = new Map(chunks.map(({ row }, i) => [row.chunkId, i + 1]))
  const narrated = new Set<MemoryRow>()
  return chunks.map(({ row, passage }, i) => {
    const memory = memoryOfChunk(row, memories)
    const narrative = memory === undefined || narrated.has(memory) ? undefined : shortNarrative(memory)
    if (memory !== undefined) narrated.add(memory)
    const { title } = attribution(row, passage, memories)
    const current = currentOf(row.chunkId)
    const replacedBy = current === undefined ? undefined : numbers.get(current)
    return { n: i + 1, row, passage, provenance: provenanceOf(row, passage), memory, title, narrative, replacedBy }
  })
}

function shortNarrative({ content: { narrative } }: MemoryRow): string | undefined {
  if (narrative === undefined || narrative.length <= MOST_NARRATIVE_CHARACTERS) return narrative
  return `${narrative.slice(0, MOST_NARRATIVE_CHARACTERS - 1).toWellFormed()}…`
}
