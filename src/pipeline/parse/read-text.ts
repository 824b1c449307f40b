import type { Block, DocumentMeta } from '../../domain/document.ts'
import { parseMoment } from '../../lib/dates/parse-moment.ts'
import { htmlToMarkdown } from '../../lib/html-to-markdown.ts'
import { isCalendar, readCalendar } from './calendar.ts'
import { isCaptions, readCaptions } from './conversation/captions.ts'
import { readChat } from './conversation/chat.ts'
import { readAgentSections, readIssue } from './conversation/sections.ts'
import { isSessionLog, readSessionLog } from './conversation/session-log.ts'
import { withoutRecalled } from './conversation/without-recalled.ts'
import { beginsWithDays, withDayHeadings } from './dated-sections.ts'
import { readCsv } from './document/csv.ts'
import { splitFrontMatter } from './front-matter.ts'
import { markdownBlocks, trimmedBlock } from './markdown.ts'
import { readNoteHead } from './note-head.ts'
import type { Draft, ParseContext } from './parse-context.ts'
import { isVCards, readVCards } from './vcard.ts'

/** Reads any text; its form determines the kind, the most specific forms first. */
export async function readText(source: string, context: ParseContext): Promise<Draft> {
  if (isVCards(source, context.file)) return readVCards(source, context)
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
  // `How to descale - Bean & Co` includes the site's name; the heading is the title of the page.
  const title = heading !== undefined && (named === undefined || isBeforeSite(heading, named)) ? heading : named
  const meta = { title, author: page.author, url: page.url, when: published }
  return { kind: 'document', text, blocks, meta }
}

function isBeforeSite(heading: string, title: string): boolean {
  return title.startsWith(heading) && /^\s*(?:$|[-–—|·:»•]\s)/.test(title.slice(heading.length))
}

const CONSENT =
  /\bcookies?\b.{0,200}\b(?:accept|consent|agree|settings|policy|allow)|\b(?:accept|allow|reject) all\b.{0,40}\bcookies?\b/is

/** Removes the cookie banner. */
function withoutConsent(text: string, blocks: readonly Block[], context: ParseContext): readonly Block[] {
  const kept = blocks.filter(
    ({ type, start, end }) => type !== 'paragraph' || end - start > 400 || !CONSENT.test(text.slice(start, end)),
  )
  context.skip('boilerplate', blocks.length - kept.length, 'cookie banner')
  return kept
}

/** Markdown and plain text: a document if it has structure, otherwise a note. */
function readProse(text: string, meta: DocumentMeta, context: ParseContext): Draft {
  const found = markdownBlocks(text, 0, text.length, context)
  const heading = firstHeading(text, found)
  const head = heading ?? (text.trimStart().split('\n', 1)[0] ?? '').slice(0, 100)
  const document = { title: meta.title ?? head, when: meta.when, file: context.file }
  const blocks = withDayHeadings(text, found, document)
  const title = beginsWithDays(text, blocks, document) ? undefined : firstHeading(text, blocks)
  const isDocument = found.some(({ type }) => type === 'heading' || type === 'table' || type === 'code')
  return {
    kind: isDocument ? 'document' : 'note',
    text,
    blocks,
    meta: firstOfEach(meta, { title }, readNoteHead(text, blocks, context)),
  }
}

/** Each field from the first source that has it. */
function firstOfEach(...metas: readonly DocumentMeta[]): DocumentMeta {
  const given = metas.toReversed().map((meta) => Object.entries(meta).filter(([, value]) => value !== undefined))
  return Object.fromEntries(given.flat())
}

/** A first heading at the top is the title. */
function firstHeading(text: string, blocks: readonly Block[]): string | undefined {
  const first = blocks[0]
  return first?.type === 'heading' ? text.slice(first.start, first.end).slice(0, 300) : undefined
}

const EXTENSION =
  /\.(?:py|m?js|cjs|tsx?|jsx|go|rs|java|kt|c|h|cc|cpp|hpp|cs|php|rb|swift|scala|sh|bash|zsh|sql|s?css|json|ya?ml|toml|ini|cfg|conf|xml|csv|tsv|lua|vue|svelte|tf|proto|gradle|log)$/i
/** Parsing distinguishes data from prose in brackets; for longer text the file name must show it. */
const LONGEST_PARSED = 1_000_000

/** A file of code or data by its name, or because it is JSON or a log: one block of code, titled with the file name. */
function readSourceCode(text: string, context: ParseContext): Draft | undefined {
  const { fileName } = context.file
  if (!EXTENSION.test(fileName) && !isJson(text) && !isLog(text)) return undefined
  const clean = context.redact(text)
  const blocks: Block[] = trimmedBlock(clean, 0, clean.length, { type: 'code' })
  return { kind: 'document', text: clean, blocks, meta: { title: context.redact(fileName) } }
}

const LOG_LINE =
  /^\[?(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d\S{0,12}[^\n]{0,60}?\b(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL)\b/

/** Most of the first lines have a time and a level. */
function isLog(text: string): boolean {
  const lines = text.slice(0, 8_000).split('\n', 40)
  return lines.filter((line) => LOG_LINE.test(line.slice(0, 200))).length >= Math.max(2, lines.length * 0.4)
}

function isJson(text: string): boolean {
  if (text.length > LONGEST_PARSED || !/^\s*[[{]/.test(text) || !/[\]}]\s*$/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

const DATA_URI = /data:[\w.+-]{1,40}\/[\w.+-]{1,80}(?:;[\w=.-]{1,60}){0,4},[A-Za-z0-9+/=%_.~-]{40,}/g

/** Removes the bytes of embedded pictures and fonts, which contain no words. */
function withoutEmbeddedData(text: string, context: ParseContext): string {
  if (!text.includes('data:')) return text
  let found = 0
  const without = text.replace(DATA_URI, () => {
    found++
    return 'data:'
  })
  context.skip('binary_part', found, 'embedded file')
  return without
}
