import { readFile, stat } from 'node:fs/promises'
import { posix } from 'node:path'
import { z } from 'zod'
import { SourceError } from '../../src/connector/source-error.ts'
import type { AgentConfig } from './agent-settings.ts'
import { type LineCounts, readSessionLines } from './session-lines.ts'
import { instant, type SessionPart, spokenPart, TITLE_RANKS } from './session-message.ts'
import { parsedJson, type ToolCalls, toolCalls } from './tool-calls.ts'

/**
 * 0: the state; 1: sets the value at a path; 2: appends to the array there, after truncating it to `i`; 3: deletes it.
 */
const operation = z.looseObject({
  kind: z.number(),
  k: z.array(z.union([z.string(), z.int().min(0)])).optional(),
  v: z.unknown().optional(),
  i: z.int().min(0).optional(),
})
type Key = string | number

/**
 * The final state of a log of VS Code. Invalid operations and an incomplete last one are skipped.
 * @throws SourceError `skip` when a line is too long to be read, because everything after it would be wrong
 */
async function replayed(path: string, signal: AbortSignal): Promise<unknown> {
  const counts: LineCounts = { broken: 0, tooLong: 0 }
  let state: unknown
  for await (const { value } of readSessionLines(path, 0, signal, counts)) {
    if (counts.tooLong > 0) throw new SourceError('skip', `${path} has a line that is too long.`)
    const parsed = operation.safeParse(value)
    if (!parsed.success) continue
    const { kind, k: keys = [], v, i: length } = parsed.data
    if (kind === 0) state = v
    else if (kind === 1) state = changed(state, keys, () => v)
    else if (kind === 2) state = changed(state, keys, (array) => appended(array, v, length))
    else if (kind === 3) state = changed(state, keys, () => undefined)
  }
  return state
}

/** Replaces the value at the path in place; without such a path, nothing changes. */
function changed(value: unknown, keys: readonly Key[], change: (old: unknown) => unknown): unknown {
  const [key, ...rest] = keys
  if (key === undefined) return change(value)
  if (Array.isArray(value)) {
    if (typeof key === 'number' && key <= value.length) value[key] = changed(value[key], rest, change)
    return value
  }
  if (typeof key !== 'string' || !isRecord(value)) return value
  const next = changed(Object.hasOwn(value, key) ? value[key] : undefined, rest, change)
  // Uses defineProperty, so that no key in a file can reach the prototype of all objects.
  Object.defineProperty(value, key, { value: next, enumerable: true, configurable: true, writable: true })
  return value
}

function appended(array: unknown, values: unknown, length: number | undefined): unknown {
  const kept: unknown[] = Array.isArray(array) ? array.slice(0, length) : []
  return [...kept, ...(Array.isArray(values) ? values : [])]
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** Largest session that is read, in bytes, because it is read as a whole. A day's work has less than 10 MB. */
const LARGEST = 128 * 1024 * 1024

const markdown = z.union([z.string(), z.looseObject({ value: z.string() }).transform(({ value }) => value)])
const uri = z.looseObject({ path: z.string().optional(), fsPath: z.string().optional() })
const responsePart = z.looseObject({
  kind: z.string().optional(),
  value: z.unknown().optional(),
  content: z.unknown().optional(),
  name: z.string().optional(),
  inlineReference: z
    .looseObject({ uri: uri.optional(), path: z.string().optional(), name: z.string().optional() })
    .optional(),
  toolId: z.string().optional(),
  toolCallId: z.string().optional(),
  invocationMessage: z.unknown().optional(),
  pastTenseMessage: z.unknown().optional(),
  resultDetails: z.unknown().optional(),
  uri: uri.optional(),
})
type ResponsePart = z.infer<typeof responsePart>
const request = z.looseObject({
  timestamp: z.number().optional(),
  message: z.union([z.string(), z.looseObject({ text: z.string().optional() }).transform(({ text }) => text ?? '')]),
  response: z.array(z.unknown()).optional(),
})
const session = z.looseObject({
  customTitle: z.string().optional(),
  requests: z.array(z.unknown()).optional(),
})
const details = z.looseObject({ input: z.unknown().optional(), output: z.unknown().optional() })
const outputPart = z.looseObject({ value: z.string() })

/** The messages of a chat of VS Code. @throws SourceError `skip` when the file is not a session */
export async function vscodeSession(
  path: string,
  project: string | undefined,
  config: AgentConfig,
  signal: AbortSignal,
): Promise<SessionPart[]> {
  const parsed = session.safeParse(await stateOf(path, signal))
  if (!parsed.success) throw new SourceError('skip', `${path} is not a VS Code chat.`, { cause: parsed.error })
  const tools = toolCalls(config.tool_output_kb * 1024)
  const { customTitle, requests = [] } = parsed.data
  return [
    ...(project === undefined ? [] : [{ type: 'folder' as const, path: project }]),
    ...(customTitle ? [{ type: 'title' as const, text: customTitle, rank: TITLE_RANKS.agent }] : []),
    ...requests.flatMap((value) => requestParts(value, tools)),
  ]
}

async function stateOf(path: string, signal: AbortSignal): Promise<unknown> {
  try {
    const { size } = await stat(path)
    if (size > LARGEST)
      throw new SourceError('skip', `${path} is ${Math.ceil(size / 2 ** 20)} MB. The limit is ${LARGEST / 2 ** 20} MB.`)
    if (size === 0) return {}
    if (path.endsWith('.jsonl')) return await replayed(path, signal)
    return parsedJson(await readFile(path, { encoding: 'utf8', signal }))
  } catch (cause) {
    if (signal.aborted || !(cause instanceof Error && 'syscall' in cause)) throw cause
    throw new SourceError('retry', `${path} can't be read.`, { cause })
  }
}

function requestParts(value: unknown, tools: ToolCalls): SessionPart[] {
  const parsed = request.safeParse(value)
  if (!parsed.success) return []
  const { timestamp, message, response = [] } = parsed.data
  const at = instant(timestamp)
  const parts = spokenPart('user', message, at)
  let said = ''
  const saySo = () => {
    parts.push(...spokenPart('assistant', said, at))
    said = ''
  }
  for (const element of response) {
    const read = responsePart.safeParse(element)
    if (!read.success) continue
    const text = spokenText(read.data)
    if (text !== undefined) said += text
    const used = toolParts(read.data, tools, at)
    if (used.length > 0) saySo()
    parts.push(...used)
  }
  saySo()
  return parts
}

/** Parts of one answer: text is stored in pieces, with links to files between. */
function spokenText({ kind, value, content, inlineReference, name }: ResponsePart): string | undefined {
  if (kind === undefined || kind === 'markdownContent') {
    const text = markdown.safeParse(value ?? content)
    return text.success ? text.data : undefined
  }
  if (kind !== 'inlineReference') return undefined
  const path = inlineReference?.path ?? inlineReference?.uri?.path ?? ''
  return `\`${name ?? inlineReference?.name ?? posix.basename(path)}\``
}

function toolParts(part: ResponsePart, tools: ToolCalls, at: Date | undefined): SessionPart[] {
  if (part.kind === 'textEditGroup') return tools.call(undefined, 'edit', part.uri?.fsPath ?? part.uri?.path, at)
  if (!part.kind?.startsWith('toolInvocation')) return []
  const name = part.toolId ?? 'tool'
  const message = markdown.safeParse(part.pastTenseMessage ?? part.invocationMessage)
  const parsed = details.safeParse(part.resultDetails)
  const { input, output } = parsed.success ? parsed.data : {}
  return [
    ...tools.call(undefined, name, input ?? (message.success ? message.data : undefined), at),
    ...tools.result(undefined, Array.isArray(output) ? output.map(outputValue) : output, at, name),
  ]
}

function outputValue(value: unknown): unknown {
  const parsed = outputPart.safeParse(value)
  return parsed.success ? parsed.data.value : value
}
