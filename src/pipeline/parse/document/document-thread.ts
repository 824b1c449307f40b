import { parentPort } from 'node:worker_threads'
import type { DocumentFormat } from '../../../domain/content-format.ts'
import { lowerThreadPriority } from '../../../lib/worker-thread.ts'
import {
  type DocumentBlock,
  type DocumentFailure,
  DocumentProblem,
  type DocumentSkip,
  type DocumentText,
} from './document-text.ts'
import { type DocxText, readDocx } from './docx.ts'
import { openZip, type ZipParts } from './office-package.ts'
import { readOpenDocument } from './open-document.ts'
import { type PdfText, readPdf } from './pdf.ts'
import { type PageScan, readPageImages } from './pdf-scan.ts'
import { readSlides } from './slides.ts'
import { readWorkbook } from './workbook.ts'

/**
 * Entry of the thread that reads PDFs and Office documents: started with a memory limit by document-process.ts,
 * which watches its time.
 */
export interface DocumentRequest {
  readonly format: DocumentFormat
  readonly bytes: Uint8Array
  /** Of a PDF: asks for the images of this page instead of the text. */
  readonly imagesOfPage?: number
}

export interface PageImages extends PageScan {
  readonly format: 'images'
}

export type ReadDocument = PdfText | DocxText | DocumentText | PageImages

/** Preceded by `reading`, as soon as the thread has started. */
export type DocumentReply = { readonly result: ReadDocument } | { readonly failure: DocumentFailure }

if (parentPort !== null) lowerThreadPriority()
parentPort?.on('message', async ({ format, bytes, imagesOfPage }: DocumentRequest) => {
  parentPort?.postMessage('reading')
  const read = imagesOfPage === undefined ? await readFormat(format, bytes) : await pageImages(bytes, imagesOfPage)
  const reply: DocumentReply = typeof read === 'string' ? { failure: read } : { result: read }
  parentPort?.postMessage(reply)
})

async function pageImages(bytes: Uint8Array, page: number): Promise<PageImages> {
  return { format: 'images', ...(await readPageImages(bytes, page)) }
}

function readFormat(format: DocumentFormat, bytes: Uint8Array): Promise<ReadDocument | DocumentFailure> {
  if (format === 'pdf') return readPdf(bytes)
  return format === 'docx' ? readDocx(bytes) : readOffice(format, bytes)
}

/** Text beyond this many characters is skipped, as in a PDF: about a thousand books' pages. */
const MAX_CHARACTERS = 20_000_000

type OfficeFormat = DocumentText['format']

/** The text of an Office document, or why there is none. Uses the CPU for seconds, so call it on its own thread. */
export async function readOffice(format: OfficeFormat, bytes: Uint8Array): Promise<DocumentText | DocumentFailure> {
  try {
    const read = await readParts(format, await openZip(bytes))
    return read.blocks.length === 0 ? 'no_text' : withinLimit(read)
  } catch (error) {
    if (error instanceof DocumentProblem) return error.failure
    if (isWrongFile(error)) return 'damaged'
    throw error
  }
}

function readParts(format: OfficeFormat, parts: ZipParts): Promise<DocumentText> {
  if (format === 'pptx') return readSlides(parts)
  return format === 'xlsx' ? readWorkbook(parts) : readOpenDocument(format, parts)
}

/** Errors of the zip and XML libraries mean a damaged file; defects of the program have another class. */
function isWrongFile(error: unknown): boolean {
  return error instanceof Error && !(error instanceof ReferenceError) && !(error instanceof TypeError)
}

function withinLimit(read: DocumentText): DocumentText {
  let characters = 0
  const kept: DocumentBlock[] = []
  for (const block of read.blocks) {
    characters += block.text.length
    if (characters > MAX_CHARACTERS) break
    kept.push(block)
  }
  const leftOut: DocumentSkip = {
    reason: 'limit',
    count: read.blocks.length - kept.length,
    noun: 'part',
    suffix: ' beyond the limit',
  }
  return { ...read, blocks: kept, skips: [...read.skips, leftOut] }
}
