import type { Block, DocumentMeta } from '../../domain/document.ts'
import { isCalendar, readCalendar } from './calendar.ts'
import { isCaptions, readCaptions } from './captions.ts'
import { readChat } from './chat.ts'
import { splitFrontMatter } from './front-matter.ts'
import { htmlToMarkdown } from './html.ts'
import { markdownBlocks } from './markdown.ts'
import { parseMoment } from './moment.ts'
import type { Draft, ParseContext } from './parse-context.ts'
import { readAgentSections, readIssue } from './sections.ts'
import { isSessionLog, readSessionLog } from './session-log.ts'

/** Everything that is text: tells the kind by what the text looks like, the most telling forms first. */
export function readText(text: string, context: ParseContext): Draft {
  if (isCalendar(text)) return readCalendar(text, context)
  if (isSessionLog(text)) return readSessionLog(text, context)
  if (isHtml(text, context)) return readHtml(text, context)
  const front = splitFrontMatter(text, context)
  const meta = front?.meta ?? {}
  const rest = front?.rest ?? text
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
  const title = page.title === undefined ? undefined : context.redact(page.title)
  const blocks = markdownBlocks(text, 0, text.length, context)
  const meta = { title: title ?? firstHeading(text, blocks), author: page.author, url: page.url, when: published }
  return { kind: 'document', text, blocks, meta }
}

/** Markdown and plain text: a document when it has structure, else a note. */
function readProse(text: string, meta: DocumentMeta, context: ParseContext): Draft {
  const blocks = markdownBlocks(text, 0, text.length, context)
  const isDocument = blocks.some(({ type }) => type === 'heading' || type === 'table' || type === 'code')
  return {
    kind: isDocument ? 'document' : 'note',
    text,
    blocks,
    meta: meta.title === undefined ? { ...meta, title: firstHeading(text, blocks) } : meta,
  }
}

/** A first heading at the top names the document. */
function firstHeading(text: string, blocks: readonly Block[]): string | undefined {
  const first = blocks[0]
  return first?.type === 'heading' ? text.slice(first.start, first.end).slice(0, 300) : undefined
}
