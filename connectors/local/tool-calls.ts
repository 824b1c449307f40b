import { z } from 'zod'
import { inputValue } from '../../src/connector/source-text.ts'
import type { SessionPart } from './session-message.ts'

/** Tools whose output is recalled memories, which must not be memorized again. */
const OF_THE_MEMORY = /recalld.*(recall|ask|open|recent|search|fetch)|mcp__.*__(recall|ask)$/i
/** The share of a shortened text that is kept from its beginning. */
const HEAD_SHARE = 0.75

/** The tools that a session used, paired with their output. */
export interface ToolCalls {
  /** @param id absent when no output refers to it */
  call(id: string | undefined, name: string, input: unknown, at: Date | undefined): SessionPart[]
  /** @param name for sources that state it with the output */
  result(id: string | undefined, output: unknown, at: Date | undefined, name?: string): SessionPart[]
  /** The agent continues: unfinished calls were interrupted and get no output. */
  breakOff(): void
  /** Ends waiting for the output of earlier calls. */
  isSettled(): boolean
}

/** @param limit characters kept of a text; 0: tools are left out */
export function toolCalls(limit: number): ToolCalls {
  const names = new Map<string, string>()
  const awaited = new Set<string>()
  const part = (heading: string, text: string, at: Date | undefined): SessionPart[] => {
    const kept = limit === 0 ? '' : shortened(text.trim(), limit)
    if (kept === '') return []
    return [{ type: 'message', message: { role: 'tool', tool: heading, text: kept, ...(at && { at }) } }]
  }
  return {
    call(id, name, input, at) {
      if (id !== undefined) {
        names.set(id, name)
        awaited.add(id)
      }
      return OF_THE_MEMORY.test(name) ? [] : part(name, inputText(input), at)
    },
    result(id, output, at, statedName) {
      const name = names.get(id ?? '') ?? statedName ?? ''
      names.delete(id ?? '')
      awaited.delete(id ?? '')
      return OF_THE_MEMORY.test(name) ? [] : part(name, outputText(output), at)
    },
    breakOff: () => awaited.clear(),
    isSettled: () => awaited.size === 0,
  }
}

const partOfOutput = z.looseObject({
  text: z.string().optional(),
  content: z.unknown().optional(),
  output: z.unknown().optional(),
})

/** Tool output as text: strings, `{text}`, `{content}`, `{output}` and lists of them. */
function outputText(output: unknown, depth = 0): string {
  if (typeof output === 'string') return output.startsWith('{"output":') ? nestedOutput(output) : output
  // Tool output is never nested deeper.
  if (depth > 4) return ''
  if (Array.isArray(output)) {
    const texts = output.map((item) => outputText(item, depth + 1))
    return texts.filter((text) => text !== '').join('\n')
  }
  const parsed = partOfOutput.safeParse(output)
  if (!parsed.success) return ''
  const { text, content, output: inner } = parsed.data
  return text ?? outputText(content ?? inner, depth + 1)
}

/** Older versions of Codex write the output as JSON in a string. */
function nestedOutput(source: string): string {
  const parsed = z.looseObject({ output: z.string() }).safeParse(parsedJson(source))
  return parsed.success ? parsed.data.output : source
}

/** Tool input as `name: value` lines. */
function inputText(input: unknown): string {
  const value = typeof input === 'string' && input.startsWith('{') ? (parsedJson(input) ?? input) : input
  if (value === null || typeof value !== 'object') return typeof value === 'string' ? value : ''
  return Object.entries(value)
    .map(([name, item]) => `${name}: ${inputValue(name, item)}`)
    .join('\n')
}

/** `undefined` for what is not JSON. */
export function parsedJson(source: string): unknown {
  try {
    return JSON.parse(source)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text
  const head = withFenceClosed(wholeLines(text.slice(0, Math.ceil(limit * HEAD_SHARE))))
  // The second half of a cut secret looks like other text and could not be redacted, so it is dropped.
  if (text.includes('PRIVATE KEY')) return `${head}\n[...]`
  const tail = text.slice(-Math.floor(limit * (1 - HEAD_SHARE))).replace(/^[^\n]{0,200}\n/, '')
  return `${head}\n[...]\n${withFenceOpened(tail)}`
}

/** The kept part of a recalled passage stays within its fence, so that the service recognizes it. */
function withFenceClosed(head: string): string {
  const [, id] = /<recalled:([a-z0-9]{8,64})>/.exec(head.slice(Math.max(head.lastIndexOf('<recalled:'), 0))) ?? []
  if (id === undefined || head.includes(`</recalled:${id}>`, head.lastIndexOf('<recalled:'))) return head
  return `${head}\n</recalled:${id}>`
}

function withFenceOpened(tail: string): string {
  const [closing, id] = /<\/recalled:([a-z0-9]{8,64})>/.exec(tail) ?? []
  if (closing === undefined || tail.slice(0, tail.indexOf(closing)).includes(`<recalled:${id}>`)) return tail
  return `<recalled:${id}>\n${tail}`
}

/** Cuts at a nearby line end, so that no token is cut in two. */
function wholeLines(text: string): string {
  const end = text.lastIndexOf('\n')
  return end > text.length / 2 ? text.slice(0, end) : text.toWellFormed()
}
