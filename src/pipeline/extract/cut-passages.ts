import type { Block, Chunk, DocumentKind, ParsedDocument, Skip } from '../../domain/document.ts'
import { cutAgent } from './cut-agent.ts'
import { cutProse } from './cut-prose.ts'
import { CHAT_LIMITS, cutTurns, LETTER_LIMITS, TRANSCRIPT_LIMITS, type TurnLimits } from './cut-turns.ts'
import type { Passage } from './passage.ts'

export interface CutDocument {
  readonly passages: readonly Passage[]
  /** Chunks that are in no memory; `detail` is the noun to count. */
  readonly skips: readonly Skip[]
}

const LIMITS: Partial<Record<DocumentKind, TurnLimits>> = {
  transcript: TRANSCRIPT_LIMITS,
  email: LETTER_LIMITS,
  issue: LETTER_LIMITS,
}

/** Divides the chunks of a document among its memories, in reading order. */
export function cutPassages(
  document: ParsedDocument,
  chunks: readonly Chunk[],
  blocks: readonly (Block | undefined)[],
): CutDocument {
  if (document.kind === 'agent') return cutSession(chunks, blocks)
  const passages: Passage[] = []
  let quoted = 0
  for (const { kind, run } of runsOf(document, chunks, blocks)) {
    if (kind === 'quoted') quoted += run.length
    else if (kind === 'turn') passages.push(...cutTurns(run, LIMITS[document.kind] ?? CHAT_LIMITS))
    else passages.push(...(document.kind === 'calendar' ? eventsOf(run) : [run]).flatMap(cutProse))
  }
  return {
    passages,
    skips: [{ reason: 'quoted_reply', count: quoted, detail: 'passages quoted from earlier messages' }],
  }
}

/** The chunks of each event of a calendar: events are never told together, not even those of one series. */
function eventsOf(chunks: readonly Chunk[]): Chunk[][] {
  const events: Chunk[][] = []
  for (const chunk of chunks) {
    const before = events.at(-1)?.at(-1)
    const isSame = before && before.heading === chunk.heading && before.at?.getTime() === chunk.at?.getTime()
    if (isSame) events.at(-1)?.push(chunk)
    else events.push([chunk])
  }
  return events
}

function cutSession(chunks: readonly Chunk[], blocks: readonly (Block | undefined)[]): CutDocument {
  const { passages, toolChunks, workingNotes, longPrompts } = cutAgent(chunks, blocks)
  return {
    passages,
    skips: [
      { reason: 'tool_output', count: toolChunks, detail: 'passages of tool output, searchable but not remembered' },
      {
        reason: 'tool_output',
        count: workingNotes,
        detail: 'working notes of the agent, searchable but not remembered',
      },
      {
        reason: 'limit',
        count: longPrompts,
        detail: 'passages of text pasted into prompts, searchable but not remembered',
      },
    ],
  }
}

interface Run {
  readonly kind: Chunk['kind'] | 'quoted'
  readonly run: Chunk[]
}

/** Neighbouring chunks of one kind. In a letter, what stands in a quote block was written earlier by somebody else. */
function runsOf(document: ParsedDocument, chunks: readonly Chunk[], blocks: readonly (Block | undefined)[]): Run[] {
  const runs: Run[] = []
  chunks.forEach((chunk, i) => {
    const kind = document.kind === 'email' && blocks[i]?.type === 'quote' ? 'quoted' : chunk.kind
    const open = runs.at(-1)
    if (open && open.kind === kind) open.run.push(chunk)
    else runs.push({ kind, run: [chunk] })
  })
  return runs
}
