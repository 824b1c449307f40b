import type { Block, DocumentMeta } from '../../domain/document.ts'
import { htmlToMarkdown } from '../../lib/html-to-markdown.ts'
import { isCalendar, readCalendar } from './calendar.ts'
import { isCaptions, readCaptions } from './captions.ts'
import { readChat } from './chat.ts'
import { readCsv } from './csv-table.ts'
import { withoutEmbeddedData } from './embedded-data.ts'
import { splitFrontMatter } from './front-matter.ts'
import { markdownBlocks, trimmedBlock } from './markdown.ts'
import { parseMoment } from './moment.ts'
import { bareDay, readNoteHead } from './note-head.ts'
import type { Draft, ParseContext } from './parse-context.ts'
import { readAgentSections, readIssue } from './sections.ts'
import { isSessionLog, readSessionLog } from './session-log.ts'
import { readSourceCode } from './source-code.ts'
import { withoutRecalled } from './without-recalled.ts'

/** Everything that is text: tells the kind by what the text looks like, the most telling forms first. */
export async function readText(source: string, context: ParseContext): Promise<Draft> {
  const text = withoutEmbeddedData(source, context)
  if (isCalendar(text)) return readCalendar(text, context)
  if (isSessionLog(text)) return readSessionLog(text, context)
  if (isHtml(text, context)) return readHtml(text, context)
  const table = await readCsv(text, context)
  if (table) return table
  const code = readSourceCode(text, context)
  if (code) return code
  const front = splitFrontMatter(text, context)
  const meta = front?.meta ?? {}
  const rest = withoutRecalled(front?.rest ?? text, context)
  if (isCaptions(rest.trimStart())) return readCaptions(rest.trimStart(), meta, context)
  const clean = context.redact(rest)
  return (
    readAgentSections(clean, meta, context) ??
    readIssue(clean, meta, context) ??
    readChat(clean, meta, context) ??
    readProse(clean, meta, context)
  )
}

function isHtml(text: string, { file }: ParseContext): boolean {
  const head = text.slice(0, 2_000).trimStart()
  if (/^(?:<\?xml[^<>]{0,200}\?>\s{0,20})?(?:<!--[^<>]{0,500}-->\s{0,20})?<(?:!doctype html|html)\b/i.test(head))
    return true
  const declared = /^text\/html|^application\/xhtml\+xml/i.test(file.contentType) || /\.x?html?$/i.test(file.fileName)
  return declared && /<(?:p|div|h[1-6]|body|head|table|ul|ol|br|span|a|section|article)\b/i.test(text.slice(0, 65_536))
}

function readHtml(html: string, context: ParseContext): Draft {
  const page = htmlToMarkdown(html)
  const text = context.redact(page.markdown.trim())
  context.skip('boilerplate', page.furniture, 'navigation, script or style element')
  context.skip('limit', page.flattened, 'part', ' of which only the words were taken')
  const { timeZone, uploadedAt } = context.file
  const published =
    page.published === undefined ? undefined : parseMoment(page.published, { timeZone, reference: uploadedAt })
  const blocks = withoutConsent(text, markdownBlocks(text, 0, text.length, context), context)
  const heading = firstHeading(text, blocks)
  const named = page.title === undefined ? undefined : context.redact(page.title)
  // `How to descale - Bean & Co` names the site too; the heading is the title of the page.
  const title = heading !== undefined && (named === undefined || isBeforeSite(heading, named)) ? heading : named
  const meta = { title, author: page.author, url: page.url, when: published }
  return { kind: 'document', text, blocks, meta }
}

function isBeforeSite(heading: string, title: string): boolean {
  return title.startsWith(heading) && /^\s*(?:$|[-–—|·:»•]\s)/.test(title.slice(heading.length))
}

const CONSENT =
  /\bcookies?\b.{0,200}\b(?:accept|consent|agree|settings|policy|allow)|\b(?:accept|allow|reject) all\b.{0,40}\bcookies?\b/is

/** Without the banner that asks to accept cookies. */
function withoutConsent(text: string, blocks: readonly Block[], context: ParseContext): readonly Block[] {
  const kept = blocks.filter(
    ({ type, start, end }) => type !== 'paragraph' || end - start > 400 || !CONSENT.test(text.slice(start, end)),
  )
  context.skip('boilerplate', blocks.length - kept.length, 'cookie banner')
  return kept
}

/** Markdown and plain text: a document when it has structure, else a note. */
function readProse(text: string, meta: DocumentMeta, context: ParseContext): Draft {
  const found = markdownBlocks(text, 0, text.length, context)
  const blocks = withDays(text, found, context)
  const isDocument = found.some(({ type }) => type === 'heading' || type === 'table' || type === 'code')
  return {
    kind: isDocument ? 'document' : 'note',
    text,
    blocks,
    meta: firstOfEach(meta, { title: firstHeading(text, found) }, readNoteHead(text, blocks, context)),
  }
}

/** Each field from the first that has it. */
function firstOfEach(...metas: readonly DocumentMeta[]): DocumentMeta {
  const given = metas.toReversed().map((meta) => Object.entries(meta).filter(([, value]) => value !== undefined))
  return Object.fromEntries(given.flat())
}

/** A diary: the days that stand alone above several entries are headings, so that each entry has its own date. */
function withDays(text: string, blocks: readonly Block[], context: ParseContext): readonly Block[] {
  const split = blocks.flatMap((block): Block[] => {
    if (block.type !== 'paragraph') return [block]
    const newline = text.indexOf('\n', block.start)
    const end = newline < 0 || newline > block.end ? block.end : newline
    if (!bareDay(text.slice(block.start, end), context)) return [block]
    return [
      { type: 'heading', level: 2, start: block.start, end },
      ...trimmedBlock(text, end, block.end, { type: 'paragraph' }),
    ]
  })
  return split.filter(({ type }) => type === 'heading').length -
    blocks.filter(({ type }) => type === 'heading').length <
    2
    ? blocks
    : split
}

/** A first heading at the top names the document. */
function firstHeading(text: string, blocks: readonly Block[]): string | undefined {
  const first = blocks[0]
  return first?.type === 'heading' ? text.slice(first.start, first.end).slice(0, 300) : undefined
}
