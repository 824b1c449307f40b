import type { Block, Chunk, Skip } from '../../domain/document.ts'
import { findFileNames } from './entities.ts'
import type { CutDocument, Passage } from './passages.ts'

/** Longest exchange in one memory, in characters; longer ones are split into several memories. */
const MAX = 1_600
/** Longest prompt in characters: a pasted text can have megabytes and must leave room for the answer. */
const PROMPT_MAX = 1_000
const MOST_FILES = 12
/** Tool output names its files at the top; the rest is listings and logs. */
const TOOL_HEAD = 600

/**
 * Splits a session with a coding agent into exchanges: a prompt, the work, the final answer. Tool output is 80 % of
 * such a file and only indexed as chunks.
 */
export function cutSession(chunks: readonly Chunk[], blocks: readonly (Block | undefined)[]): CutDocument {
  const passages: Passage[] = []
  const counts = { toolOutput: 0, workingNotes: 0, longPrompts: 0 }
  for (const exchange of splitExchanges(chunks, blocks)) {
    const prompts = exchange.filter((turn) => turn.role === 'user')
    const said = exchange.filter((turn) => turn.role === 'assistant')
    const answer = finalMessage(said)
    counts.toolOutput += exchange.filter((turn) => turn.role === 'tool').length
    counts.workingNotes += said.length - answer.length
    counts.longPrompts += prompts.length - takeWithin(prompts, PROMPT_MAX).length
    passages.push(...exchangePassages(exchange, prompts, answer))
  }
  const unremembered = (reason: Skip['reason'], count: number, what: string) => {
    return { reason, count, detail: `${what}, searchable but not remembered` }
  }
  return {
    passages,
    skips: [
      unremembered('tool_output', counts.toolOutput, 'passages of tool output'),
      unremembered('tool_output', counts.workingNotes, 'working notes of the agent'),
      unremembered('limit', counts.longPrompts, 'passages of text pasted into prompts'),
    ],
  }
}

interface AgentTurn {
  readonly chunk: Chunk
  readonly block: Block | undefined
  readonly role: 'user' | 'assistant' | 'tool'
}

function splitExchanges(chunks: readonly Chunk[], blocks: readonly (Block | undefined)[]): AgentTurn[][] {
  const exchanges: AgentTurn[][] = []
  let before: AgentTurn['role'] = 'assistant'
  chunks.forEach((chunk, i) => {
    const block = blocks[i]
    const { role: stated } = block ?? {}
    const role = stated === undefined || stated === 'quoted' ? 'assistant' : stated
    const open = exchanges.at(-1)
    if (open && (role !== 'user' || before === 'user')) open.push({ chunk, block, role })
    else exchanges.push([{ chunk, block, role }])
    before = role
  })
  return exchanges
}

/** All chunks of the last message of the agent; a long one has several. */
function finalMessage(said: readonly AgentTurn[]): AgentTurn[] {
  let from = said.length - 1
  while (from > 0) {
    const before = said[from - 1]
    const turn = said[from]
    const isNext = before && turn && before.chunk.ordinal + 1 === turn.chunk.ordinal
    if (!isNext || before.chunk.at?.getTime() !== turn.chunk.at?.getTime()) break
    from--
  }
  return said.slice(Math.max(from, 0))
}

function exchangePassages(
  exchange: readonly AgentTurn[],
  prompts: readonly AgentTurn[],
  answer: readonly AgentTurn[],
): Passage[] {
  const first = exchange[0]
  const last = exchange.at(-1)
  if (!first || !last || prompts.length + answer.length === 0) return []
  const asked = takeWithin(prompts, PROMPT_MAX)
  const answered = takeWithin(answer, MAX - turnsLength(asked))
  const rest = groupsWithin(answer.slice(answered.length), MAX)
  const files = mentionedFiles(exchange)
  const groups = [[...asked, ...answered], ...rest]
  return groups.map((group, i) => {
    const next = groups[i + 1]?.[0]
    return {
      first: i === 0 ? first.chunk.ordinal : (group[0]?.chunk.ordinal ?? first.chunk.ordinal),
      last: next ? next.chunk.ordinal - 1 : last.chunk.ordinal,
      chunks: group.map((turn) => turn.chunk),
      blocks: group.map((turn) => turn.block),
      form: 'exchange',
      ...(i === 0 && files.length > 0 ? { files } : {}),
    }
  })
}

/** The first turn and as many further ones as fit. */
function takeWithin(turns: readonly AgentTurn[], room: number): AgentTurn[] {
  return groupsWithin(turns, room)[0] ?? []
}

/** Turns in order, in groups of at most `room` characters, or of one turn. */
function groupsWithin(turns: readonly AgentTurn[], room: number): AgentTurn[][] {
  const groups: AgentTurn[][] = []
  let size = 0
  for (const turn of turns) {
    const length = turn.chunk.text.length
    const open = groups.at(-1)
    if (open && size + length <= room) {
      open.push(turn)
      size += length
    } else {
      groups.push([turn])
      size = length
    }
  }
  return groups
}

function turnsLength(turns: readonly AgentTurn[]): number {
  return turns.reduce((sum, turn) => sum + turn.chunk.text.length, 0)
}

/** Most frequent first. */
function mentionedFiles(exchange: readonly AgentTurn[]): string[] {
  const counts = new Map<string, number>()
  for (const { chunk, role } of exchange) {
    const text = role === 'tool' ? chunk.text.slice(0, TOOL_HEAD) : chunk.text
    for (const name of findFileNames(text)) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, MOST_FILES)
    .map(([name]) => name)
}
