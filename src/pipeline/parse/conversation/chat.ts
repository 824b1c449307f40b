import type { Block, DocumentMeta } from '../../../domain/document.ts'
import type { MomentRange } from '../../../domain/moment-range.ts'
import { markdownBlocks, trimmedBlock } from '../markdown.ts'
import { dayInName } from '../named-day.ts'
import { listedPeople } from '../note-head.ts'
import { type Draft, lineRanges, type ParseContext } from '../parse-context.ts'
import { contentLines, conversationMode, type HeadFinder } from './conversation-mode.ts'
import { isProgramMessage, PROGRAM_MARK } from './program-messages.ts'
import { isSavedChat, isSavedEvent, withoutSavedQuotes } from './saved-chat.ts'
import { isEventLine, type TurnHead } from './turn-head.ts'
import { type DateLine, isElapsed, readDateLine, turnTimes, type WrittenTime } from './turn-times.ts'

const MEETING =
  /\b(?:transcript|meeting|minutes|standup|stand-up|interview|call|sync|retro|1:1|besprechung|protokoll|réunion|reunión)\b/i

interface FoundHead extends TurnHead {
  readonly lineStart: number
  readonly lineEnd: number
}

/** Turns of a chat log or transcript in plain text; `undefined` when the text is not one. */
export function readChat(written: string, meta: DocumentMeta, context: ParseContext): Draft | undefined {
  const text = isSavedChat(written) ? withoutSavedQuotes(written) : written
  const mode = conversationMode(text, meta, context)
  if (!mode) return undefined
  const heads = findHeads(text, mode)
  if (heads.length === 0) return undefined
  const { blocks, when } = chatBlocks(text, heads, meta, context)
  const [first] = blocks
  const title = meta.title ?? (first?.type === 'heading' ? text.slice(first.start, first.end) : undefined)
  const named = { ...meta, title, when: meta.when ?? when }
  return { kind: conversationKind(text, heads, named, context), text, blocks, meta: named }
}

function findHeads(text: string, mode: HeadFinder): FoundHead[] {
  const heads: FoundHead[] = []
  for (const line of contentLines(text)) {
    const head = mode(line)
    if (!head) continue
    const { start: lineStart, end: lineEnd } = line
    const headStart = text.startsWith(PROGRAM_MARK, lineStart) ? lineStart + PROGRAM_MARK.length : lineStart
    heads.push({ ...head, textAt: head.style === 'line' ? lineEnd : headStart + head.textAt, lineStart, lineEnd })
  }
  return heads
}

function chatBlocks(
  text: string,
  heads: readonly FoundHead[],
  meta: DocumentMeta,
  context: ParseContext,
): { blocks: Block[]; when: MomentRange | undefined } {
  const written: WrittenTime[] = []
  const turns: { head: FoundHead; end: number; between: Block[] }[] = []
  const preamble = separators(text, { start: 0, end: heads[0]!.lineStart, isTurn: false }, context)
  let { line } = preamble
  let last = line
  for (const [index, head] of heads.entries()) {
    const end = heads[index + 1]?.lineStart ?? text.length
    const tail = separators(text, { start: head.textAt, end, isTurn: true }, context)
    const date = line && !saysLess(line.moment, meta.when) ? { date: line.date } : {}
    written.push({ ...(head.time !== undefined && { time: head.time }), ...date })
    line = tail.line
    last = line ?? last
    turns.push({ head, end: tail.textEnd, between: tail.blocks })
  }
  const times = turnTimes(written, meta.when ?? dayInName(meta.title, context.file), context.file.timeZone)
  const blocks = [...titled(text, markdownBlocks(text, 0, preamble.textEnd, context)), ...preamble.blocks]
  for (const [index, { head, end, between }] of turns.entries()) {
    const at = times[index]
    const said = head.isQuoted ? insideQuotes(text, head.textAt, end) : withoutProgramEnd(text, head.textAt, end)
    const label = { type: 'turn', speaker: speakerName(head.speaker), ...(at && { at }) } as const
    const isMarked = text.startsWith(PROGRAM_MARK, head.lineStart)
    if (isProgramMessage(text.slice(said.start, said.end), isMarked)) skipProgramMessage(context)
    else blocks.push(...trimmedBlock(text, said.start, said.end, label))
    blocks.push(...between)
  }
  return { blocks, when: preamble.line && withEnd(preamble.line.moment, last?.moment.start) }
}

/** A day without a time adds nothing to a document's time on that day. */
function saysLess(line: MomentRange, document: MomentRange | undefined): boolean {
  if (line.precision !== 'day' || document?.precision !== 'minute') return false
  const hours = (document.start.getTime() - line.start.getTime()) / 3_600_000
  return hours >= 0 && hours < 24
}

function withEnd(moment: MomentRange, end: Date | undefined): MomentRange {
  return end && end > moment.start ? { ...moment, end } : moment
}

/** Counts a message that nobody wrote. */
function skipProgramMessage(context: ParseContext): void {
  context.skip('boilerplate', 1, 'message', ' of the chat program')
}

/** The words of a turn without what WhatsApp wrote behind them: `<This message was edited>`. */
function withoutProgramEnd(text: string, start: number, end: number): { start: number; end: number } {
  const said = text.slice(start, end)
  const at = said.lastIndexOf(`${PROGRAM_MARK}<`)
  return { start, end: at > 0 && isProgramMessage(said.slice(at), false) ? start + at : end }
}

/** The text without enclosing quotation marks. */
function insideQuotes(text: string, start: number, end: number): { start: number; end: number } {
  const said = text.slice(start, end).trim()
  const from = text.indexOf(said, start)
  const isWhole = said.length > 2 && /["”“»«]$/.test(said) && !/["“”„«»]/.test(said.slice(1, -1))
  return isWhole ? { start: from + 1, end: from + said.length - 1 } : { start, end }
}

/** One short line above a conversation is its title. */
function titled(text: string, blocks: readonly Block[]): readonly Block[] {
  const [only, ...others] = blocks
  if (only?.type !== 'paragraph' || others.length > 0 || only.end - only.start > 100) return blocks
  return text.slice(only.start, only.end).includes('\n') ? blocks : [{ ...only, type: 'heading', level: 1 }]
}

interface Separators {
  /** End of the turn's words. */
  readonly textEnd: number
  /** The last date line. */
  readonly line: DateLine | undefined
  readonly blocks: Block[]
}

/**
 * Finds lines between two turns that belong to neither: a date line, a system message, a heading (`## Decisions`,
 * `Decisions:`). A heading ends the turn; the following text belongs to the document.
 */
function separators(
  text: string,
  { start, end, isTurn }: { start: number; end: number; isTurn: boolean },
  context: ParseContext,
): Separators {
  let textEnd = -1
  let line: DateLine | undefined
  const isSaved = isSavedChat(text)
  let inFence = false
  let isSaid = !isTurn
  const blocks: Block[] = []
  let partStart = -1
  for (const [lineStart, lineEnd] of lineRanges(text, start, end)) {
    const words = text.slice(lineStart, Math.min(lineEnd, lineStart + 300))
    if (/^\s{0,3}(?:```|~~~)/.test(words)) inFence = !inFence
    if (inFence) isSaid = true
    if (inFence || words === '') continue
    const read = readDateLine(words, context)
    // A turn can consist of a date.
    const found = read && (!isTurn || (isSaid && isBetween(text, read, { lineStart, lineEnd, end }))) ? read : undefined
    isSaid ||= words.trim() !== ''
    const isEvent = !found && (isEventLine(words) || (isSaved && isSavedEvent(words)))
    const isHeading = /^#{1,6} +\S/.test(words) || isLabelLine(text, lineStart, words)
    if (!found && !isEvent && !isHeading) continue
    if (textEnd < 0) textEnd = lineStart
    line = found ?? line
    if (isEvent) skipProgramMessage(context)
    if (partStart >= 0) blocks.push(...markdownBlocks(text, partStart, lineStart, context))
    partStart = found?.title === undefined && (found || isEvent) ? lineEnd : lineStart
    if (found?.title !== undefined && !isHeading) {
      const at = text.indexOf(found.title, lineStart)
      blocks.push({ type: 'heading', level: 2, start: at, end: at + found.title.length })
      partStart = lineEnd
    }
  }
  if (partStart >= 0) blocks.push(...markdownBlocks(text, partStart, end, context))
  return { textEnd: textEnd < 0 ? end : textEnd, line, blocks }
}

/** What stands below the talk in minutes. */
const MINUTES_PART =
  /^[*_]{0,3}(?:decisions?|decided|agreed|action items?|actions?|to-?dos?|next steps?|open(?: questions| points| issues)?|results?|outcomes?|summary|follow-?ups?)[*_]{0,3}[:：][*_]{0,3}\s*$/i

/** `Decisions:` between blank lines. */
function isLabelLine(text: string, lineStart: number, words: string): boolean {
  const isAlone = text.startsWith('\n\n', lineStart - 2) && text.startsWith('\n\n', lineStart + words.length)
  return isAlone && MINUTES_PART.test(words)
}

/** Whether a date below a turn is not part of it: it ends a paragraph, and a label (`Date:`) has its own line. */
function isBetween(
  text: string,
  { mark }: DateLine,
  { lineStart, lineEnd, end }: { lineStart: number; lineEnd: number; end: number },
): boolean {
  if (mark === 'rule') return true
  if (mark === 'none') return lineEnd + 1 >= end || text[lineEnd + 1] === '\n'
  const below = end - lineEnd > 80 ? undefined : text.slice(lineEnd, end).trim()
  return text[lineStart - 2] === '\n' && below !== undefined && /^(?:[\p{L} ]{1,30}:)?$/u.test(below)
}

function conversationKind(
  text: string,
  heads: readonly FoundHead[],
  meta: DocumentMeta,
  context: ParseContext,
): Draft['kind'] {
  const { sourceType, fileName } = context.file
  if (sourceType === 'google_meets' || sourceType === 'youtube') return 'transcript'
  if (sourceType === 'slack' || sourceType === 'ms-teams') return 'chat'
  const recorded = isElapsed(heads.map(({ time }) => ({ ...(time !== undefined && { time }) })))
  const isMeeting = [meta.title ?? '', fileName].some((name) => MEETING.test(name)) || listedPeople(text).length > 0
  return recorded || isMeeting ? 'transcript' : 'chat'
}

function speakerName(name: string): string {
  return name
    .replace(/^@/, '')
    .replace(/[*_:]+$/, '')
    .trim()
}
