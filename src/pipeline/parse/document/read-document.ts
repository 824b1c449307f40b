import type { DocumentFormat } from '../../../domain/content-format.ts'
import type { DocumentMeta } from '../../../domain/document.ts'
import { AppError } from '../../../domain/errors.ts'
import { readStamp, stampInstant } from '../../../lib/dates/stamp.ts'
import { createTextBuilder, markdownBlocks } from '../markdown.ts'
import type { Ocr } from '../ocr/ocr.ts'
import { ScannedPages } from '../ocr/scanned-pages.ts'
import { cleanText, type Draft, type ParseContext } from '../parse-context.ts'
import type { DocumentReader } from './document-reader.ts'
import type { DocumentProperties, DocumentText } from './document-text.ts'
import type { DocxText } from './docx.ts'
import type { PdfText } from './pdf.ts'

/**
 * Reads PDFs and Office documents: the reader's thread returns the text, which is redacted and split into blocks here.
 */
export async function readDocument(
  format: DocumentFormat,
  { reader, ocr }: { readonly reader: DocumentReader; readonly ocr: Ocr },
  context: ParseContext,
): Promise<Draft> {
  const read = await reader.read({ format, bytes: context.file.body })
  if (read.format === 'pdf') return pdfDraft(read, await readEmptyPages(read, { reader, ocr }, context), context)
  return read.format === 'docx' ? docxDraft(read, context) : officeDraft(read, context)
}

/** Reads the scans among the pages without text. Where nothing is installed for that, a PDF with other text is fine. */
async function readEmptyPages(
  pdf: PdfText,
  { reader, ocr }: { readonly reader: DocumentReader; readonly ocr: Ocr },
  context: ParseContext,
): Promise<ScannedPages> {
  const scans = new ScannedPages()
  const hasText = pdf.blocks.length > 0
  for (const [at, page] of pdf.emptyPages.entries()) {
    if (scans.isAtLimit) {
      scans.leaveOut(pdf.emptyPages.length - at)
      break
    }
    const scan = await reader.pageImages(context.file.body, page)
    try {
      const images = scan.isIncomplete ? await ocr.renderPage(context.file.body, page) : scan.images
      for (const image of images) scans.add(page, await ocr.read(image))
    } catch (error) {
      if (hasText && error instanceof AppError) break
      throw error
    }
  }
  if (!hasText && scans.pages.length === 0) {
    throw new AppError(
      'unreadable',
      'No text could be read in the PDF; scan it again with 300 dpi or more, or upload the file that its content comes from',
    )
  }
  return scans
}

function pdfDraft(pdf: PdfText, scans: ScannedPages, context: ParseContext): Draft {
  const builder = createTextBuilder(context)
  for (const { type, level, text, page } of pdf.blocks) {
    scans.write(builder, context, page)
    const clean = context.redact(cleanText(text))
    builder.add(clean, { type, ...(level !== undefined && { level }) })
  }
  context.skip('boilerplate', pdf.repeated, 'repeated header, footer or page number')
  scans.write(builder, context)
  scans.noteSkips(context, pdf.emptyPages.length)
  context.skip('limit', pdf.pagesLeftOut, 'page', ' beyond the limit')
  const { text, blocks } = builder.build()
  const heading = blocks.find((block) => block.type === 'heading' && block.level === 1)
  const title = pdf.title === undefined ? heading && text.slice(heading.start, heading.end) : context.redact(pdf.title)
  const meta: DocumentMeta = {
    title,
    author: pdf.author,
    when: pdf.createdAt === undefined ? undefined : { start: new Date(pdf.createdAt), precision: 'day' },
  }
  return { kind: 'document', text, blocks, meta }
}

function docxDraft(docx: DocxText, context: ParseContext): Draft {
  const text = context.redact(cleanText(docx.markdown).trim())
  context.skip('binary_part', docx.images, 'image')
  context.skip('limit', docx.flattened, 'part', ' of which only the words were taken')
  const blocks = markdownBlocks(text, 0, text.length, context)
  const heading = blocks.find((block) => block.type === 'heading' && block.level === 1)
  const title = heading && text.slice(heading.start, heading.end)
  return { kind: 'document', text, blocks, meta: officeMeta(docx.properties, title, context) }
}

function officeDraft({ format, blocks: read, properties, skips }: DocumentText, context: ParseContext): Draft {
  const builder = createTextBuilder(context)
  for (const { text, ...block } of read) builder.add(context.redact(cleanText(text)), block)
  for (const { reason, count, noun, suffix } of skips) context.skip(reason, count, noun, suffix)
  const { text, blocks } = builder.build()
  // The file name is the title of a workbook; its first heading is the name of a sheet.
  const isWorkbook = format === 'xlsx' || format === 'ods'
  return {
    kind: 'document',
    text,
    blocks,
    meta: officeMeta(properties, isWorkbook ? context.file.fileName : undefined, context),
  }
}

/** @param title for a document without one */
function officeMeta(
  { title: own, author, changedAt }: DocumentProperties,
  title: string | undefined,
  context: ParseContext,
): DocumentMeta {
  const shown = own ?? title
  const stamp = changedAt === undefined ? undefined : readStamp(changedAt, 'day-first')
  const start = stamp && stampInstant(stamp, context.file.timeZone)
  return {
    title: shown === undefined ? undefined : context.redact(cleanText(shown)),
    author: author === undefined ? undefined : context.redact(cleanText(author)),
    when: start && { start, precision: 'day' },
  }
}
