import { AppError } from '../../src/domain/errors.ts'
import { newVisitor, type Visitor } from '../lib/app-visit.ts'
import { type CommandResult, runCommand } from '../lib/command-line.ts'
import type { Answer } from '../lib/http-call.ts'
import { INJECTIONS } from '../lib/injections.ts'
import { mcpHeaders, mcpMessages, mcpRequest } from '../lib/mcp-message.ts'
import { retryOverload } from '../lib/retry-overload.ts'
import { oneOf } from '../lib/seeded-random.ts'
import { activeCharacters } from '../lib/terminal-characters.ts'
import { until } from '../lib/until.ts'
import type { Attacker, Generator } from './attack.ts'
import { type AttackedService, startAttacked } from './attacked-service.ts'
import { FIELDS } from './author-files.ts'

/** Stands in everything that the author writes, and nowhere else. */
const CANARY = 'qzcanaryqz'
/** What a terminal acts on, beside what the injections hold. */
const TERMINAL = [
  '',
  '\u001b[2J',
  '\u009b2J',
  '\u009d0;x\u009c',
  '\u202e',
  '\u{e0049}\u{e0067}',
  '\u001b[31m',
  '\r',
  '\u2066',
] as const
/** Of `<recalled:ID>` ... `</recalled:ID>`. */
const FENCED = /<recalled:([a-z0-9]{8,64})>\n([\s\S]*?)\n<\/recalled:\1>/g
/** By what a model or a host would take it for something else than a quotation. */
const OTHER_SPEAKER =
  /^[\s>*_#-]{0,8}(?:Human|Assistant|System|User)[*_]{0,3}\s{0,3}[:：]|<\/?(?:system|user_query|tool_result|invoke)\b|<\|\w|\[\/?INST\]|<\/?recalled:/im

export const authors: Generator = { name: 'authors', start }

async function start(): Promise<Attacker> {
  await using parts = new AsyncDisposableStack()
  const service = parts.use(await startAttacked({ env: { RECALLD_MCP_TOOLS: 'recall,ask,search' } }))
  const visitor = await signedIn(service)
  let number = 0
  const started = parts.move()
  return {
    async attempt(random) {
      const field = oneOf(random, FIELDS)
      const { text } = oneOf(random, INJECTIONS)
      const words = `${oneOf(random, TERMINAL)}${CANARY} ${text}`
      const topic = `zebrafish${++number} budget`
      const { fileName, body, userName = 'Mallory' } = field.file(words, topic)
      const itemId = `note-${number}`
      const file = { fileName, body, userName, itemId, sourceType: 'text' } as const
      const refused = await retryOverload(() => service.memory.memorize(file)).then(() => false, isRefusal)
      if (refused) return { kind: `${field.name}, refused`, problems: [] }
      await until(async () => isEnded(service, itemId))
      const shown = await Promise.all([
        overMcp(service, topic, itemId),
        overCommands(service, topic),
        overApp(visitor, topic, itemId),
      ])
      // The next attempt shall show what it made itself.
      await retryOverload(() => service.memory.forget({ itemId, sourceType: 'text' }))
      return { kind: field.name, problems: shown.flat() }
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}

function isRefusal(error: unknown): true {
  if (error instanceof AppError && error.code === 'invalid') return true
  throw error
}

async function isEnded({ memory }: AttackedService, itemId: string): Promise<boolean> {
  const { files } = await retryOverload(() => memory.list({ sourceType: 'text', limit: 10_000 }))
  return files.some(({ item_id, status }) => item_id === itemId && (status === 'ready' || status === 'failed'))
}

async function signedIn({ address, greeting }: AttackedService): Promise<Visitor> {
  const visitor = newVisitor(address)
  await visitor.session()
  const token = /\/app\/welcome#([\w-]+)/.exec(greeting)?.[1]
  const person = { name: 'Ada', login: 'ada@example.com', password: 'correct horse battery' }
  await visitor.send('POST', '/sign-in/link', { token, ...person })
  await visitor.session()
  return visitor
}

async function overMcp({ address, key }: AttackedService, topic: string, itemId: string): Promise<string[]> {
  const calls = [
    ['tools/call', { name: 'recall', arguments: { query: topic } }],
    ['tools/call', { name: 'ask', arguments: { question: `What does the ${topic} cost?` } }],
    ['tools/call', { name: 'search', arguments: { query: topic } }],
    ['tools/call', { name: 'fetch', arguments: { id: `text/${itemId}` } }],
    ['resources/read', { uri: `memory://text/${itemId}` }],
    ['resources/read', { uri: 'memory://sources' }],
  ] as const
  const problems: string[] = []
  for (const [method, params] of calls) {
    const message = mcpRequest(method, params)
    const headers = mcpHeaders(message, { 'x-api-key': key })
    const ask = () => fetch(`${address}/mcp`, { method: 'POST', headers, body: JSON.stringify(message) })
    const answer = await retryOverload(ask, secondsInAnswer)
    const name = 'name' in params ? params.name : params.uri
    for (const one of mcpMessages(await answer.text()))
      for (const text of textsOf(one)) problems.push(...fenceProblems(text).map((problem) => `MCP ${name}: ${problem}`))
  }
  return [...new Set(problems)]
}

/** Every string of a message; JSON in a string as its own strings. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') {
    const json = value.startsWith('{') || value.startsWith('[') ? parsed(value) : undefined
    return json === undefined ? [value] : textsOf(json)
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => (name === 'blob' ? [] : [name, ...textsOf(inner)]))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function fenceProblems(text: string): string[] {
  const inner = [...text.matchAll(FENCED)].map(([, , quoted = '']) => quoted)
  const outside = text.replace(FENCED, '')
  const problems: string[] = []
  if (outside.includes(CANARY)) problems.push(`an author stands outside of the fence: ${outside.slice(0, 200)}`)
  for (const quoted of inner) {
    const speaker = OTHER_SPEAKER.exec(quoted)
    if (speaker !== null) problems.push(`another speaker begins within the fence: ${JSON.stringify(speaker[0])}`)
  }
  const active = activeCharacters(text)
  if (active.length > 0) problems.push(`${active.join(', ')} in ${JSON.stringify(text.slice(0, 80))}`)
  return problems
}

async function overCommands({ home, address, key }: AttackedService, topic: string): Promise<string[]> {
  const env = { RECALLD_HOME: home, RECALLD_URL: address, RECALLD_API_KEY: key }
  const commands = [['list'], ['recall', topic], ['ask', `What does the ${topic} cost?`], ['activity']] as const
  const problems: string[] = []
  for (const command of commands) {
    const shown = await retryOverload(() => runCommand(command, env, { isTerminal: true }), secondsInCommand)
    const active = activeCharacters(shown.stdout + shown.stderr)
    if (active.length > 0) problems.push(`recalld ${command[0]} prints ${active.join(', ')}`)
    const { code, stdout } = await retryOverload(() => runCommand([...command, '--json'], env), secondsInCommand)
    if (code !== 0 || parsed(stdout) === undefined) problems.push(`recalld ${command[0]} --json prints no JSON`)
    if (activeCharacters(stdout).length > 0)
      problems.push(`recalld ${command[0]} --json prints ${activeCharacters(stdout)}`)
  }
  return problems
}

/** The app's script shows these as text; a browser that opens them must take them for data. */
async function overApp(visitor: Visitor, topic: string, itemId: string): Promise<string[]> {
  const item = `/library/text/${itemId}`
  const calls: readonly Parameters<Visitor['call']>[] = [
    ['/library'],
    [item],
    [`${item}/memories`],
    [`${item}/chunks`],
    [`${item}/original`],
    ['/activity'],
    ['/recall', { method: 'POST', body: { text: topic } }],
  ]
  const answers = await Promise.all(calls.map((call) => retryOverload(() => visitor.call(...call), secondsInAnswer)))
  return answers.flatMap(({ status, headers }, at) => {
    const isData =
      headers.get('content-type')?.startsWith('application/json') === true ||
      headers.get('content-disposition')?.startsWith('attachment;') === true
    const isGuarded = headers.get('x-content-type-options') === 'nosniff'
    return status === 200 && isData && isGuarded ? [] : [`app call ${at}: ${status} ${headers.get('content-type')}`]
  })
}

function secondsInAnswer({ status, headers }: Pick<Answer, 'status' | 'headers'>): number | undefined {
  const seconds = headers.get('retry-after')
  // 429: a run of minutes asks more than the app answers one session.
  return (status === 503 || status === 429) && seconds !== null ? Number(seconds) : undefined
}

function secondsInCommand({ code, stdout, stderr }: CommandResult): number | undefined {
  const seconds = code === 0 ? undefined : /overloaded\. Try again in (\d+) seconds/.exec(stdout + stderr)?.[1]
  return seconds === undefined ? undefined : Number(seconds)
}
