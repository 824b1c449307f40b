import type { DocumentMeta } from '../../domain/document.ts'
import { cleanText } from './decode-text.ts'
import type { DocumentReader } from './document-reader.ts'
import type { DocxText } from './docx-text.ts'
import { markdownBlocks } from './markdown.ts'
import type { Draft, ParseContext } from './parse-context.ts'
import type { PdfText } from './pdf-text.ts'
import { createTextBuilder } from './text-builder.ts'

/** PDF and DOCX: the text comes from the reader's thread, redaction and blocks are made here. */
export async function readDocument(
  format: 'pdf' | 'docx',
  reader: DocumentReader,
  context: ParseContext,
): Promise<Draft> {
  const read = await reader.read({ format, bytes: context.file.body })
  return read.format === 'pdf' ? pdfDraft(read, context) : docxDraft(read, context)
}

function pdfDraft(pdf: PdfText, context: ParseContext): Draft {
  const builder = createTextBuilder(context)
  for (const { type, level, text } of pdf.blocks) {
    const clean = context.redact(cleanText(text))
    builder.add(clean, { type, ...(level !== undefined && { level }) })
  }
  context.skip('boilerplate', pdf.repeated, 'repeated header, footer or page number')
  context.skip('binary_part', pdf.emptyPages, 'page', ' without text')
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
  return { kind: 'document', text, blocks, meta: { title: heading && text.slice(heading.start, heading.end) } }
}
