import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import type { Memory } from '../../src/domain/memory.ts'
import { estimateTokens } from '../../src/lib/estimate-tokens.ts'
import { packagePath } from '../../src/lib/files.ts'
import { createMcpServer } from '../../src/mcp/mcp-server.ts'
import { loadStaticEmbedder } from '../../src/models/static/static-embedder.ts'
import { openAnswerService } from './answer-service.ts'
import { answerable, askedAt, type EvaluationSet, readSets } from './evaluation-set.ts'
import { setAccounts } from './measure-answers.ts'
import { tableHead, tableRow } from './table.ts'

// npm run eval:payload -- [folder] [--only locomo-dev,lifebench-dev]
// What an agent pays for a recall over MCP, and how much of the evidence it gets for that; prints a table.

const HEAD = ['set', 'recall', 'questions', 'tokens', 'text %', 'evidence %', 'any evidence %', 'items']
const WAYS: Readonly<Record<string, Record<string, unknown>>> = {
  brief: { detail: 'brief' },
  normal: {},
  full: { detail: 'full' },
}

interface Paid {
  readonly tokens: number
  readonly characters: number
  readonly words: number
  readonly evidence: number
  readonly items: number
}

/** What frames the words: fences, marks of passages, empty lines. */
const FRAME_LINE = /^(?:<\/?recalled:.*|\[r[\d.-]+\] .*|Read on: .*|)$/
const only = option('--only')?.split(',') ?? ['locomo-dev', 'lifebench-dev']
const folder = process.argv[2]?.startsWith('--') === false ? process.argv[2] : packagePath('../shared/eval')
const sets = readSets(folder).filter(({ name }) => only.includes(name))
if (sets.length === 0) console.log(`There are no evaluation sets in ${folder}.`)
const embedder = await loadStaticEmbedder(packagePath('models/static-en-40k'))
console.log(tableHead(HEAD).join('\n'))
for (const set of sets) for (const row of await measureSet(set)) console.log(row)

async function measureSet(set: EvaluationSet): Promise<string[]> {
  await using service = await openAnswerService(set.name, setAccounts(set), embedder)
  const paid = new Map<string, Paid[]>()
  for (const { id, sessions } of set.collections) {
    const texts = new Map(sessions.flatMap(({ turns }) => turns.map(({ id, text }) => [id, text] as const)))
    const memory = await service.memory(id, askedAt(set))
    const agent = await connectAgent(memory)
    for (const { text, evidence } of answerable(set).filter(({ collection }) => collection === id)) {
      const pieces = evidence.map((turn) => piecesOf(texts.get(turn) ?? ''))
      for (const [way, options] of Object.entries(WAYS)) {
        const shown = await agent.recall({ query: text, ...options })
        paid.set(way, [...(paid.get(way) ?? []), payment(shown, pieces)])
      }
    }
    await agent.close()
  }
  return [...paid].map(([way, all]) => tableRow([set.name, way, all.length, ...summary(all)]))
}

interface Agent {
  recall(args: Record<string, unknown>): Promise<string>
  close(): Promise<void>
}

async function connectAgent(memory: Memory): Promise<Agent> {
  const [near, far] = InMemoryTransport.createLinkedPair()
  const server = createMcpServer({
    memory: async () => memory,
    serviceUrl: () => '',
    version: '1.0.0',
    tools: ['recall'],
    userName: 'Evaluation',
    report: (error) => {
      throw error
    },
  })
  await server.connect(far)
  const client = new Client({ name: 'evaluation', version: '1.0.0' })
  await client.connect(near)
  return {
    async recall(args) {
      const { content, isError } = await client.callTool({ name: 'recall', arguments: args })
      const [part] = content
      if (isError === true || part?.type !== 'text') throw new Error(JSON.stringify(content))
      return part.text
    },
    async close() {
      await client.close()
      await server.close()
    },
  }
}

/** Of a turn its sentences, so that a part of it counts as a part. */
function piecesOf(text: string): string[] {
  return text
    .split(/\n+|(?<=[.!?])\s+/)
    .map(bare)
    .filter((piece) => piece !== '')
}

function payment(shown: string, evidence: readonly (readonly string[])[]): Paid {
  const lines = shown.split('\n').filter((line) => !FRAME_LINE.test(line))
  const words = bare(lines.join('\n'))
  const held = evidence.map((pieces) => {
    const length = (some: readonly string[]) => some.reduce((sum, piece) => sum + piece.length, 0)
    return length(pieces.filter((piece) => words.includes(piece))) / Math.max(1, length(pieces))
  })
  const items = new Set([...shown.matchAll(/^\[r(\d+)\./gm)].map(([, item]) => item)).size
  return {
    tokens: estimateTokens(shown),
    characters: shown.length,
    words: words.length,
    evidence: held.reduce((sum, share) => sum + share, 0) / held.length,
    items,
  }
}

function bare(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

function summary(all: readonly Paid[]): (string | number)[] {
  const mean = (of: (paid: Paid) => number) => all.reduce((sum, paid) => sum + of(paid), 0) / all.length
  return [
    Math.round(mean(({ tokens }) => tokens)),
    (100 * mean(({ words, characters }) => words / characters)).toFixed(0),
    (100 * mean(({ evidence }) => evidence)).toFixed(1),
    (100 * mean(({ evidence }) => (evidence > 0 ? 1 : 0))).toFixed(1),
    mean(({ items }) => items).toFixed(1),
  ]
}

function option(name: string): string | undefined {
  const at = process.argv.indexOf(name)
  return at < 0 ? undefined : process.argv[at + 1]
}
