import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import { packagePath } from '../../src/lib/files.ts'

const MESSAGE = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.number(), z.string(), z.null()]).optional(),
  result: z.looseObject({}).optional(),
  error: z.looseObject({ code: z.number() }).optional(),
})
type Message = z.output<typeof MESSAGE>

/** `recalld mcp` as a process, on the level of its lines. */
export interface McpProcess {
  readonly pid: number
  /** All that it wrote on standard output; each line was a message, or reading it has failed. */
  readonly messages: readonly Message[]
  readonly stderr: () => string
  write(line: string): void
  /** Answered by the message with the same id. */
  request(method: string, params?: Record<string, unknown>): Promise<Message>
  /** Says hello in the older protocol, which knows `ping`. */
  initialize(): Promise<Message>
  /** Closes its standard input, as a host that ends does. */
  hangUp(): void
  kill(signal: NodeJS.Signals): void
  /** Its end, and that of every process that holds its output. */
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

export const LAUNCHER = packagePath('bin/recalld.js')

/** The launcher as an older Node sees it: it then runs recalld in a second process. */
export const ON_OLDER_NODE = [
  '--import',
  `data:text/javascript,if(process.argv[1]?.endsWith('recalld.js'))Object.defineProperty(process.versions,'node',{value:'20.20.2'})`,
  LAUNCHER,
]

/** What a host gives a server of its own environment, with the variables that it was told to set. */
export function hostEnvironment(env: Readonly<Record<string, string>>): Record<string, string> {
  const inherited = ['PATH', 'HOME', 'USER', 'NODE_COMPILE_CACHE'].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  })
  return { ...Object.fromEntries(inherited), ...env }
}

export function startMcp(env: Readonly<Record<string, string>>, launcher: readonly string[] = [LAUNCHER]): McpProcess {
  const child = spawn(process.execPath, [...launcher, 'mcp'], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: hostEnvironment(env),
  })
  const messages: Message[] = []
  const waiting = new Map<number, PromiseWithResolvers<Message>>()
  const ended = once(child, 'close').then(([code, signal]) => {
    for (const { reject } of waiting.values()) reject(new Error('recalld mcp ended before it answered'))
    return { code, signal }
  })
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString('utf8')
  })
  // What it cannot take any more is of no interest: the test looks at how it ended.
  child.stdin.on('error', () => undefined)
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = MESSAGE.parse(JSON.parse(line))
    messages.push(message)
    if (typeof message.id === 'number') waiting.get(message.id)?.resolve(message)
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let lastId = 0
  const write = (line: string) => void child.stdin.write(`${line}\n`)
  const request = (method: string, params: Record<string, unknown> = {}) => {
    const id = ++lastId
    const answer = Promise.withResolvers<Message>()
    waiting.set(id, answer)
    write(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    return answer.promise
  }
  return {
    pid: child.pid ?? 0,
    messages,
    stderr: () => stderr,
    write,
    request,
    async initialize() {
      const clientInfo = { name: 'test-host', version: '1.0.0' }
      const answer = await request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
      write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }))
      return answer
    },
    hangUp: () => void child.stdin.end(),
    kill: (signal) => void child.kill(signal),
    ended,
  }
}
