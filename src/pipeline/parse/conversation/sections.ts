import type { Block, DocumentMeta } from '../../../domain/document.ts'
import { AGENT_SOURCES, trackedNoun } from '../../../domain/source-type.ts'
import { parseMoment } from '../../../lib/dates/parse-moment.ts'
import { markdownBlocks, trimmedBlock } from '../markdown.ts'
import { type Draft, lineRanges, type ParseContext } from '../parse-context.ts'

const MAIL_SOURCES: ReadonlySet<string> = new Set(['email', 'ms-outlook'])

// ## User | ## Assistant (2026-03-04T10:12:00Z) | ### Tool: Bash
const ROLE =
  /^#{2,3} (User|Human|Assistant|Agent|System|Tool(?: (?:call|result|output|use))?)((?:\s*[([·—–|:-]| (?:at|on) | \d).{0,200})?$/i
const TOOL = /^#{2,3} (Tool)( \S.{0,200})$/i
// ## Comment by anna at 2026-03-04T10:12:00Z | ### Closed by Bob on 4 March 2026
const BY = /^#{2,4} (\p{L}[^\n]{0,60}?) by (@?\S[^\n]{0,80}?)(?:,? (?:at|on) (\S[^\n]{3,60}))?$/u
const ACTS =
  /^(?:(?:review |inline |issue |new )?(?:comment|review|reply|message|note|answer|update|description|post|story|status)|(?:re)?opened|closed|merged|approved|assigned|labell?ed|moved|completed|created|renamed|changes requested|requested changes)\b/i

// ## Comment | ### Comment #2, without a name
const BARE = /^#{2,4} (?:comment|reply)(?: #?\d{1,4})?:?$/i
/** Text below such a heading is always a message, with or without a time. */
const COMMENT = /^(?:review |inline |issue |new )?comment$/i

const ISSUE_URL = /^https?:\/\/.{1,200}\/(?:issues|pull|merge_requests)\/\d/

/** The heading of a message. */
interface SectionHead {
  readonly start: number
  readonly textAt: number
  readonly label: Pick<Block, 'speaker' | 'at' | 'role'>
  readonly isComment: boolean
  /** The message if no text follows: `Closed by anna`. */
  readonly words: { readonly start: number; readonly end: number }
}

/** Of sub-agents, whose sessions have no words of a person. */
const SUB_AGENT_TASK = /^### Tool: Sub-agent task$/m

/** Sessions with a coding agent in the connectors' format; `undefined` without a user or assistant section. */
export function readAgentSections(text: string, meta: DocumentMeta, context: ParseContext): Draft | undefined {
  if (!/^#{2,3} (?:User|Human|Assistant|Agent)\b/im.test(text)) return undefined
  const heads = agentHeads(text, meta, context)
  const spoken = heads.filter(({ label }) => label.role !== 'tool').length
  const expected = AGENT_SOURCES.has(context.file.sourceType) || SUB_AGENT_TASK.test(text)
  const roles = new Set(heads.map(({ label }) => label.role))
  if (spoken === 0 || (!expected && !(roles.has('user') && roles.has('assistant')))) return undefined
  return { kind: 'agent', text, blocks: sectionBlocks(text, heads, {}, context), meta }
}

/**
 * Issues, pull requests, tasks and mail threads: the description is a turn of its author, and each comment, message and event
 * is a separate turn.
 */
export function readIssue(text: string, meta: DocumentMeta, context: ParseContext): Draft | undefined {
  const expected = trackedNoun(context.file.sourceType) !== undefined || ISSUE_URL.test(meta.url ?? '')
  const named = / by /.test(text) ? issueHeads(text, expected, context) : []
  const heads = named.length === 0 && expected ? bareHeads(text) : named
  const comments = heads.filter(({ label, isComment }) => isComment || label.at !== undefined).length
  if (!(expected && (heads.length > 0 || meta.title !== undefined)) && comments === 0) return undefined
  const first = meta.author === undefined ? {} : { speaker: meta.author, ...(meta.when && { at: meta.when.start }) }
  const kind = MAIL_SOURCES.has(context.file.sourceType) ? 'email' : 'issue'
  return { kind, text, blocks: sectionBlocks(text, heads, first, context), meta }
}

function sectionBlocks(
  text: string,
  heads: readonly SectionHead[],
  first: SectionHead['label'],
  context: ParseContext,
): Block[] {
  const opening = first.speaker === undefined ? undefined : first
  const blocks = markdownBlocks(text, 0, heads[0]?.start ?? text.length, context, opening)
  for (const [index, { textAt, label, words }] of heads.entries()) {
    const end = heads[index + 1]?.start ?? text.length
    const said = text.slice(textAt, end).trim() === '' ? [] : messageBlocks(text, textAt, end, label, context)
    if (said.length > 0) blocks.push(...said)
    else if (label.role === undefined) blocks.push({ type: 'turn', ...words, ...label })
  }
  return blocks
}

function messageBlocks(
  text: string,
  start: number,
  end: number,
  label: SectionHead['label'],
  context: ParseContext,
): Block[] {
  // Tool output is raw: its `#` lines are not headings, and its indentation is not code.
  if (label.role === 'tool') return trimmedBlock(text, start, end, { type: 'turn', ...label })
  return markdownBlocks(text, start, end, context, label)
}

function agentHeads(text: string, meta: DocumentMeta, context: ParseContext): SectionHead[] {
  const heads: SectionHead[] = []
  for (const [start, end] of lineRanges(text)) {
    if (text.charCodeAt(start) !== 35 /* # */ || end - start > 240) continue
    const line = text.slice(start, end).trimEnd()
    const match = ROLE.exec(line) ?? TOOL.exec(line)
    if (!match) continue
    const role = agentRole(match[1]!)
    const at = momentIn(match[2] ?? '', context)
    const speaker =
      role === 'user'
        ? context.file.userName
        : role === 'assistant'
          ? agentName(context.file.sourceType, meta)
          : undefined
    heads.push({
      start,
      textAt: end,
      words: { start, end },
      isComment: false,
      label: { role, ...(speaker && { speaker }), ...(at && { at }) },
    })
  }
  return heads
}

function agentRole(word: string): 'user' | 'assistant' | 'tool' {
  const lower = word.toLowerCase()
  if (lower === 'user' || lower === 'human') return 'user'
  return lower === 'assistant' || lower === 'agent' ? 'assistant' : 'tool'
}

/** The display name of the agent. */
export function agentName(sourceType: string, meta: DocumentMeta = {}): string {
  const names: Readonly<Record<string, string>> = {
    claude_code: 'Claude',
    codex: 'Codex',
    cursor: 'Cursor',
    vscode: 'Copilot',
  }
  return names[sourceType] ?? meta.author ?? 'Assistant'
}

function issueHeads(text: string, expected: boolean, context: ParseContext): SectionHead[] {
  const heads: SectionHead[] = []
  for (const [start, end] of lineRanges(text)) {
    if (text.charCodeAt(start) !== 35 /* # */ || end - start > 240) continue
    const line = text.slice(start, end).trimEnd()
    const match = BY.exec(line)
    if (!match || !ACTS.test(match[1]!)) continue
    const isComment = COMMENT.test(match[1]!)
    if (!expected && match[3] === undefined && !isComment) continue
    const at = match[3] === undefined ? undefined : momentIn(match[3], context)
    if (match[3] !== undefined && !at && !expected && !isComment) continue
    const speaker = match[2]!.replace(/^@/, '').replace(/^\*+|\*+$/g, '')
    const wordsStart = start + line.search(/[^#\s]/)
    const wordsEnd = wordsStart + match[1]!.length + 4 + match[2]!.length
    heads.push({
      start,
      textAt: end,
      isComment,
      words: { start: wordsStart, end: wordsEnd },
      label: { speaker, ...(at && { at }) },
    })
  }
  return heads
}

/** Comments without writer and time in the heading. */
function bareHeads(text: string): SectionHead[] {
  const heads: SectionHead[] = []
  for (const [start, end] of lineRanges(text)) {
    if (text.charCodeAt(start) !== 35 /* # */ || end - start > 40 || !BARE.test(text.slice(start, end).trimEnd()))
      continue
    if (text.slice(end).trim() !== '')
      heads.push({ start, textAt: end, isComment: true, words: { start, end }, label: {} })
  }
  return heads
}

function momentIn(text: string, context: ParseContext): Date | undefined {
  const words = text.replace(/^[\s([·—–:,-]+|[\s)\]]+$/g, '').replace(/^(?:at|on) /i, '')
  if (!/\d/.test(words)) return undefined
  return parseMoment(words, { timeZone: context.file.timeZone, reference: context.file.uploadedAt })?.start
}
