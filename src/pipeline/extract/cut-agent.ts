import type { Block, Chunk } from '../../domain/document.ts'
import { fileNamesIn } from './entities.ts'
import type { Passage } from './passage.ts'

/** A memory tells the prompt and the beginning of the answer; what is longer goes on in further memories. */
const MAX = 1_600
/** What somebody pastes below a prompt can be megabytes; the answer must have its place beside it. */
const PROMPT_MAX = 1_000
const MOST_FILES = 12
/** Tool output names its files at the top; the rest is listings and logs. */
const TOOL_HEAD = 600

export interface AgentCut {
  readonly passages: readonly Passage[]
  /** Chunks that only searching finds: tool output, and what the agent said while working. */
  readonly toolChunks: number
  readonly workingNotes: number
  /** Chunks of what was pasted below a prompt, past its first 1,000 characters. */
  readonly longPrompts: number
}

/** Cuts a session into exchanges: a prompt, the work, the final answer. Tools are 80% of such a file and stay chunks only. */
export function cutAgent(chunks: readonly Chunk[], blocks: readonly (Block | undefined)[]): AgentCut {
  const passages: Passage[] = []
  let toolChunks = 0
  let workingNotes = 0
  let longPrompts = 0
  for (const exchange of exchangesOf(chunks, blocks)) {
    const prompts = exchange.filter((turn) => turn.role === 'user')
    const said = exchange.filter((turn) => turn.role === 'assistant')
    const answer = finalMessage(said)
    toolChunks += exchange.filter((turn) => turn.role === 'tool').length
    workingNotes += said.length - answer.length
    longPrompts += prompts.length - takeWithin(prompts, PROMPT_MAX).length
    passages.push(...passagesOf(exchange, prompts, answer))
  }
  return { passages, toolChunks, workingNotes, longPrompts }
}

interface AgentTurn {
  readonly chunk: Chunk
  readonly block: Block | undefined
  readonly role: 'user' | 'assistant' | 'tool'
}

function exchangesOf(chunks: readonly Chunk[], blocks: readonly (Block | undefined)[]): AgentTurn[][] {
  const exchanges: AgentTurn[][] = []
  let before: AgentTurn['role'] = 'assistant'
  chunks.forEach((chunk, i) => {
    const block = blocks[i]
    const role = block?.role ?? 'assistant'
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

function passagesOf(
  exchange: readonly AgentTurn[],
  prompts: readonly AgentTurn[],
  answer: readonly AgentTurn[],
): Passage[] {
  const first = exchange[0]
  const last = exchange.at(-1)
  if (!first || !last || prompts.length + answer.length === 0) return []
  const asked = takeWithin(prompts, PROMPT_MAX)
  const answered = takeWithin(answer, MAX - sizeOf(asked))
  const rest = groupsWithin(answer.slice(answered.length), MAX)
  const files = filesOf(exchange)
  const groups = [[...asked, ...answered], ...rest]
  return groups.map((group, i) => {
    const next = groups[i + 1]?.[0]
    return {
      first: i === 0 ? first.chunk.ordinal : (group[0]?.chunk.ordinal ?? first.chunk.ordinal),
      last: next ? next.chunk.ordinal - 1 : last.chunk.ordinal,
      told: group.map((turn) => turn.chunk),
      blocks: group.map((turn) => turn.block),
      form: 'exchange',
      ...(i === 0 && files.length > 0 ? { files } : {}),
    }
  })
}

/** The first turn, and as many more as fit. */
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

function sizeOf(turns: readonly AgentTurn[]): number {
  return turns.reduce((sum, turn) => sum + turn.chunk.text.length, 0)
}

/** Most mentioned first. */
function filesOf(exchange: readonly AgentTurn[]): string[] {
  const counts = new Map<string, number>()
  for (const { chunk, role } of exchange) {
    const text = role === 'tool' ? chunk.text.slice(0, TOOL_HEAD) : chunk.text
    for (const name of fileNamesIn(text)) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, MOST_FILES)
    .map(([name]) => name)
}
