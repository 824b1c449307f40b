import { AGENT_NOTE_FILE, isIssuedWith, RECALLED_NOTICE } from '../../../domain/recalled-fence.ts'
import type { ParseContext } from '../parse-context.ts'

/*
 * Agents' sessions and notes contain what they recalled, between fences. Without removal each recalled passage would
 * become a new memory. Anybody can write a fence, so only those of this home and this account count.
 */

const AGENT_SOURCES: ReadonlySet<string> = new Set(['claude_code', 'codex', 'cursor', 'vscode', 'stream'])
const OPEN = /<recalled:([0-9a-f]{32})>/g
/** Section headings as the session connectors write them; other lines that look like one are indented. */
const MESSAGE_HEAD = /^(?=#{2,3} (?:User|Human|Assistant|Agent|System|Tool)\b)/im
const TOOL_HEAD = /^#{2,3} Tool\b/i
const PARAGRAPH_END = /\n[^\S\n]*\n/g
/** Notes that memory tools write below a quotation. */
const LONGEST_FRAME = 1_000

/** An upload's text without recalled passages, which are recorded as skips; for source types that can contain them. */
export function withoutRecalled(text: string, context: ParseContext): string {
  const { sourceType, fileName } = context.file
  if (AGENT_SOURCES.has(sourceType)) {
    return text
      .split(MESSAGE_HEAD)
      .map((message) => messageWithoutRecalled(message, TOOL_HEAD.test(message) ? 'tool' : undefined, context))
      .join('')
  }
  const isNote = sourceType === 'text' && fileName === AGENT_NOTE_FILE
  return isNote ? messageWithoutRecalled(text, undefined, context) : text
}

/** A session message without recalled passages. */
export function messageWithoutRecalled(
  text: string,
  role: 'user' | 'assistant' | 'tool' | undefined,
  context: ParseContext,
): string {
  const { fenceKey } = context.file
  if (fenceKey === undefined || !text.includes('<recalled:')) return text
  const parts: string[] = []
  const verdicts = new Map<string, boolean>()
  const endOf = fenceEnds(text, role === 'tool')
  let removed = 0
  let at = 0
  for (const { 1: id = '', index } of text.matchAll(OPEN)) {
    if (index < at) continue
    const isOurs = verdicts.get(id) ?? isIssuedWith(fenceKey, id)
    verdicts.set(id, isOurs)
    if (!isOurs) continue
    parts.push(text.slice(at, index))
    at = endOf(id, index)
    removed += 1
  }
  if (removed === 0) return text
  context.skip('recalled', removed, 'recalled passage')
  parts.push(text.slice(at))
  const rest = parts.join('')
  return role === 'tool' && isOnlyFrame(rest) ? '' : rest
}

/**
 * The end of a fence. An unclosed fence was truncated: it extends to the end of a tool output, or of a person's paragraph.
 */
function fenceEnds(text: string, isToWholeEnd: boolean): (id: string, from: number) => number {
  const unclosed = new Set<string>()
  return (id, from) => {
    const closing = `</recalled:${id}>`
    // Searched only once, so that many unclosed fences don't take quadratic time.
    const close = unclosed.has(id) ? -1 : text.indexOf(closing, from)
    if (close >= 0) return close + closing.length
    unclosed.add(id)
    if (isToWholeEnd) return text.length
    PARAGRAPH_END.lastIndex = from
    return PARAGRAPH_END.exec(text)?.index ?? text.length
  }
}

/** Whether a tool output only has the text that memory tools write around passages. */
function isOnlyFrame(rest: string): boolean {
  const frame = rest.trim()
  if (frame.startsWith(RECALLED_NOTICE)) return frame.length <= LONGEST_FRAME
  if (!frame.startsWith('{') || !frame.includes(RECALLED_NOTICE)) return false
  try {
    JSON.parse(frame)
    return true
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}
