import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { packagePath } from '../../src/lib/files.ts'
import { createCorpus } from './corpus.ts'
import { percentile, sleep, timed } from './measure.ts'
import { type BenchServer, startServer } from './server.ts'
import type { Row } from './table.ts'

export interface McpBenchOptions {
  /** How often a process is started for the list of tools. */
  readonly starts: number
  /** Texts of 2 KB in the memory. */
  readonly texts: number
  /** Questions in each way of asking. */
  readonly queries: number
}

const PROTOCOL = '2026-07-28'
const INFO = { name: 'bench', version: '1.0.0' }
const HOST = {
  'io.modelcontextprotocol/protocolVersion': PROTOCOL,
  'io.modelcontextprotocol/clientInfo': INFO,
  'io.modelcontextprotocol/clientCapabilities': {},
}
const TEXT_CHARACTERS = 2_000
const corpus = createCorpus()

/** Measures what agents wait for: the tools after the start of a process, and recall beyond its bare REST call. */
export async function measureMcp(rows: Row[], { starts, texts, queries }: McpBenchOptions): Promise<void> {
  const server = await startServer()
  try {
    await measureStart(rows, server, starts)
    await timed(texts, 8, (number) =>
      server.upload(`text-${number}`, corpus.text(number, TEXT_CHARACTERS), 'text/plain'),
    )
    while ((await server.settled()) < texts) await sleep(20)
    await measureRecall(rows, server, texts, queries)
  } finally {
    await server.stop()
  }
}

/** In turns with the baseline, so that both meet the same load. */
async function measureStart(rows: Row[], server: BenchServer, starts: number): Promise<void> {
  const listed: number[] = []
  const bare: number[] = []
  for (let round = 0; round < starts; round++) {
    listed.push(await startToTools(server))
    const start = performance.now()
    await promisify(execFile)(process.execPath, ['-e', '0'])
    bare.push(performance.now() - start)
  }
  rows.push({
    what: 'recalld mcp: start of the process to its list of tools, p50',
    budget: 500,
    unit: 'ms',
    measured: percentile(listed, 0.5),
    baseline: percentile(bare, 0.5),
    against: '`node -e 0`',
  })
}

/** On the level of lines: the client of the SDK takes as long as the server, to compile the schemas of the results. */
async function startToTools(server: BenchServer): Promise<number> {
  const start = performance.now()
  const { command, args, env } = commandOf(server)
  const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: HOST } })}\n`)
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const duration = performance.now() - start
  if (!String(line).includes('"recall"')) throw new Error(`no tools: ${line}`)
  child.stdin.end()
  await once(child, 'close')
  return duration
}

async function measureRecall(rows: Row[], server: BenchServer, texts: number, queries: number): Promise<void> {
  const url = new URL('/mcp', server.url)
  const requestInit = { headers: { 'x-api-key': server.key } }
  const stdio = await connected(new StdioClientTransport({ ...commandOf(server), stderr: 'inherit' }))
  const http = await connected(new StreamableHTTPClientTransport(url, { requestInit }))
  const ways = [
    { durations: [] as number[], ask: async (text: string) => void (await server.recall(text)) },
    { durations: [] as number[], ask: (text: string) => recalled(stdio, text) },
    { durations: [] as number[], ask: (text: string) => recalled(http, text) },
  ] as const
  for (let number = 0; number < queries; number++) {
    for (const { durations, ask } of ways) {
      const start = performance.now()
      await ask(corpus.question(number))
      durations.push(performance.now() - start)
    }
  }
  await stdio.close()
  await http.close()
  const [rest, ...others] = ways.map(({ durations }) => percentile(durations, 0.5))
  const names = ['recalld mcp', '/mcp']
  for (const [at, measured] of others.entries()) {
    rows.push({
      what: `recall through ${names[at]}, ${texts.toLocaleString('en')} texts, p50`,
      budget: undefined,
      unit: 'ms',
      measured,
      ...(rest !== undefined && { baseline: rest, against: 'the same questions over REST' }),
    })
  }
}

function commandOf({ url, key }: BenchServer): { command: string; args: string[]; env: Record<string, string> } {
  const inherited = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return {
    command: process.execPath,
    args: [packagePath('bin/recalld.js'), 'mcp'],
    env: { ...Object.fromEntries(inherited), RECALLD_URL: url, RECALLD_API_KEY: key },
  }
}

async function connected(transport: Transport): Promise<Client> {
  const client = new Client({ name: 'bench', version: '1.0.0' }, { versionNegotiation: { mode: { pin: PROTOCOL } } })
  await client.connect(transport)
  return client
}

async function recalled(client: Client, query: string): Promise<void> {
  const { isError, content } = await client.callTool({ name: 'recall', arguments: { query } })
  if (isError === true) throw new Error(JSON.stringify(content))
}
