import type { Block, DocumentMeta, SourceFile } from '../../domain/document.ts'
import type { SourceType } from '../../domain/source-type.ts'
import { markdownBlocks, trimmedBlock } from './markdown.ts'
import { parseMoment } from './moment.ts'
import type { Draft, ParseContext } from './parse-context.ts'
import { isEventLine, type TurnHead, timedHead, untimedHead } from './turn-head.ts'
import { isElapsed, turnTimes, type WrittenTime } from './turn-times.ts'
import { wallTime } from './zoned-time.ts'

const CHAT_SOURCES: ReadonlySet<SourceType> = new Set(['slack', 'ms-teams', 'google_meets', 'stream'])
/** Lines looked at to tell whether a text is a conversation. */
const SAMPLE_LINES = 600
/** Longest conversation, in lines, that is told by its names and a question alone. */
const SHORT_DIALOGUE = 12
const MEETING =
  /\b(?:transcript|meeting|minutes|standup|stand-up|interview|call|sync|retro|1:1|besprechung|protokoll|réunion|reunión)\b/i

interface FoundHead extends TurnHead {
  readonly lineStart: number
  readonly lineEnd: number
}

/** Turns of a chat log or transcript in plain text; `undefined` when the text is not one. */
export function readChat(text: string, meta: DocumentMeta, context: ParseContext): Draft | undefined {
  const mode = conversationMode(text, meta, context.file)
  if (!mode) return undefined
  const heads = findHeads(text, mode)
  if (heads.length === 0) return undefined
  const blocks = chatBlocks(text, heads, meta, context)
  const [first] = blocks
  const title = meta.title ?? (first?.type === 'heading' ? text.slice(first.start, first.end) : undefined)
  const named = { ...meta, title }
  return { kind: kindOf(heads, named, context), text, blocks, meta: named }
}

type HeadFinder = (line: string) => TurnHead | undefined

/** Which heads begin a turn in this text. Notes with `Label: value` lines must not become conversations. */
function conversationMode(
  text: string,
  meta: DocumentMeta,
  { sourceType, userName }: SourceFile,
): HeadFinder | undefined {
  const timed: TurnHead[] = []
  const untimed: TurnHead[] = []
  let lines = 0
  let firstHead = -1
  for (const [start, end] of linesOf(text)) {
    if (start === end) continue
    if (++lines > SAMPLE_LINES) break
    const line = text.slice(start, Math.min(end, start + 400))
    const head = timedHead(line)
    const plain = head ? undefined : untimedHead(line)
    if (head) timed.push(head)
    if (plain) untimed.push(plain)
    if ((head || plain) && firstHead < 0) firstHead = lines
  }
  if (firstHead < 0) return undefined
  const people = new Set((meta.participants ?? []).map((name) => name.toLowerCase()))
  const expected = CHAT_SOURCES.has(sourceType)
  if (isTimedConversation(timed, untimed, lines, expected)) return timedHead
  const counts = new Map<string, number>()
  for (const { speaker } of untimed) counts.set(speaker, (counts.get(speaker) ?? 0) + 1)
  const known = (speaker: string) => people.has(speaker.toLowerCase())
  const share = untimed.length / lines
  const repeats = untimed.length - counts.size
  const participants = [...counts.keys()].filter(known).length
  const isDialogue =
    (participants > 0 && (participants >= 2 || share >= 0.3 || expected)) ||
    (expected && share >= 0.3) ||
    (share === 1 && lines <= SHORT_DIALOGUE && isShortDialogue(text, [...counts.keys()], userName)) ||
    (counts.size >= 2 &&
      repeats >= 1 &&
      untimed.length >= 3 &&
      firstHead <= 12 &&
      (share >= 0.6 || (share >= 0.25 && repeats >= counts.size)))
  if (!isDialogue) return undefined
  // In a mixed text a label that occurs once (`Budget: 300`) is a line of somebody's turn.
  const accepted = (speaker: string) => share >= 0.6 || known(speaker) || (counts.get(speaker) ?? 2) >= 2
  return (line) => {
    const head = timedHead(line) ?? untimedHead(line)
    return head && accepted(head.speaker) ? head : undefined
  }
}

/** `Mum: Are you coming?` and `Ann: Yes`: names on every line, and a question that another line follows, or my name. */
function isShortDialogue(text: string, speakers: readonly string[], userName: string): boolean {
  if (
    speakers.length < 2 ||
    !speakers.every((name) => /^(?:[\p{Lu}\p{Lo}][^\s]*)(?: [\p{Lu}\p{Lo}][^\s]*){0,2}$/u.test(name))
  )
    return false
  const [firstName = ''] = userName.toLowerCase().split(' ')
  const isMine = speakers.some((name) => [userName.toLowerCase(), firstName, 'me'].includes(name.toLowerCase()))
  return isMine || /[?？]\s*\n/.test(text.trimEnd())
}

function isTimedConversation(
  timed: readonly TurnHead[],
  untimed: readonly TurnHead[],
  lines: number,
  expected: boolean,
): boolean {
  if (timed.length === 0 || timed.length < untimed.length / 4) return false
  if (expected) return true
  return (
    timed.length >= 2 &&
    timed.length / lines >= 0.04 &&
    new Set(timed.map(({ speaker }) => speaker)).size <= timed.length
  )
}

function findHeads(text: string, mode: HeadFinder): FoundHead[] {
  const heads: FoundHead[] = []
  for (const [lineStart, lineEnd] of linesOf(text)) {
    if (lineStart === lineEnd) continue
    const head = mode(text.slice(lineStart, Math.min(lineEnd, lineStart + 400)))
    if (head)
      heads.push({ ...head, textAt: head.style === 'line' ? lineEnd : lineStart + head.textAt, lineStart, lineEnd })
  }
  return heads
}

function chatBlocks(text: string, heads: readonly FoundHead[], meta: DocumentMeta, context: ParseContext): Block[] {
  const { timeZone } = context.file
  const written: WrittenTime[] = []
  const turns: { head: FoundHead; end: number; between: Block[] }[] = []
  const preamble = separators(text, 0, heads[0]!.lineStart, context)
  let date = preamble.date
  for (const [index, head] of heads.entries()) {
    const next = heads[index + 1]?.lineStart ?? text.length
    const tail = separators(text, head.textAt, next, context)
    written.push({ ...(head.time !== undefined && { time: head.time }), ...(date && { date }) })
    date = tail.date
    turns.push({ head, end: tail.textEnd, between: tail.blocks })
  }
  const times = turnTimes(written, meta.when, timeZone)
  const blocks = [...titled(text, markdownBlocks(text, 0, preamble.textEnd, context)), ...preamble.blocks]
  for (const [index, { head, end, between }] of turns.entries()) {
    const at = times[index]
    blocks.push(
      ...trimmedBlock(text, head.textAt, end, { type: 'turn', speaker: cleanName(head.speaker), ...(at && { at }) }),
    )
    blocks.push(...between)
  }
  return blocks
}

/** One short line above a conversation names it. */
function titled(text: string, blocks: readonly Block[]): readonly Block[] {
  const [only, ...others] = blocks
  if (only?.type !== 'paragraph' || others.length > 0 || only.end - only.start > 100) return blocks
  return text.slice(only.start, only.end).includes('\n') ? blocks : [{ ...only, type: 'heading', level: 1 }]
}

/**
 * Looks between two turns for what belongs to neither: a date by itself, what the program reports, a Markdown heading.
 * A heading ends the turn; what follows it is the document's.
 */
function separators(
  text: string,
  start: number,
  end: number,
  context: ParseContext,
): { textEnd: number; date?: WrittenTime['date']; blocks: Block[] } {
  let textEnd = -1
  let date: WrittenTime['date']
  let inFence = false
  const blocks: Block[] = []
  let partStart = -1
  for (const [lineStart, lineEnd] of linesOf(text, start, end)) {
    const line = text.slice(lineStart, Math.min(lineEnd, lineStart + 300))
    if (/^\s{0,3}(?:```|~~~)/.test(line)) inFence = !inFence
    if (inFence || line === '') continue
    const found = lineEnd - lineStart > 120 ? undefined : separatorDate(line, context)
    const isEvent = !found && isEventLine(line)
    if (!found && !isEvent && !/^#{1,6} +\S/.test(line)) continue
    if (textEnd < 0) textEnd = lineStart
    date = found ?? date
    if (isEvent) context.skip('boilerplate', 1, 'message', ' of the chat program')
    if (partStart >= 0) blocks.push(...markdownBlocks(text, partStart, lineStart, context))
    partStart = found || isEvent ? lineEnd : lineStart
  }
  if (partStart >= 0) blocks.push(...markdownBlocks(text, partStart, end, context))
  return { textEnd: textEnd < 0 ? end : textEnd, ...(date && { date }), blocks }
}

function separatorDate(line: string, context: ParseContext): WrittenTime['date'] {
  const words = line.replace(/^[-—–=#*_\s|]+|[-—–=*_\s|:]+$/g, '')
  if (words.length < 6 || words.length > 40 || !/\d/.test(words)) return undefined
  const weekday = /^(?:mon|tues|wednes|thurs|fri|satur|sun)day,? /i
  const shape =
    /^(?:\d{4}-\d{2}-\d{2}|\d{1,2}\.\d{1,2}\.\d{4}|(?:\p{L}{3,9}\.? \d{1,2}(?:st|nd|rd|th)?|\d{1,2}(?:st|nd|rd|th)?\.? \p{L}{3,9}),? \d{4})$/u
  const bare = words.replace(weekday, '')
  if (!shape.test(bare)) return undefined
  const { timeZone, uploadedAt } = context.file
  const moment = parseMoment(bare, { timeZone, reference: uploadedAt })
  return moment?.precision === 'day' ? wallTime(moment.start, timeZone) : undefined
}

function kindOf(heads: readonly FoundHead[], meta: DocumentMeta, context: ParseContext): Draft['kind'] {
  const { sourceType, fileName } = context.file
  if (sourceType === 'google_meets' || sourceType === 'youtube') return 'transcript'
  if (sourceType === 'slack' || sourceType === 'ms-teams') return 'chat'
  const recorded = isElapsed(heads.map(({ time }) => ({ ...(time !== undefined && { time }) })))
  return recorded || MEETING.test(meta.title ?? '') || MEETING.test(fileName) ? 'transcript' : 'chat'
}

function cleanName(name: string): string {
  return name
    .replace(/^@/, '')
    .replace(/[*_:]+$/, '')
    .trim()
}

/** Start and end of each line, without its line end. */
export function* linesOf(text: string, start = 0, end = text.length): Generator<[number, number]> {
  for (let at = start; at < end; ) {
    const newline = text.indexOf('\n', at)
    const lineEnd = newline < 0 || newline > end ? end : newline
    yield [at, lineEnd]
    at = lineEnd + 1
  }
}
