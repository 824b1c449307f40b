import { parentPort } from 'node:worker_threads'
import type { DocumentFormat } from '../../domain/content-format.ts'
import { giveWay } from '../../lib/give-way.ts'
import type { DocumentFailure, DocumentText } from './document-text.ts'
import { type DocxText, readDocx } from './docx-text.ts'
import { type PdfText, readPdf } from './pdf-text.ts'
import { readOffice } from './read-office.ts'

/**
 * Entry of the thread that reads PDFs and Office documents: started by document-reader.ts with a memory limit, ended by
 * it when a document takes too long.
 */
export interface DocumentRequest {
  readonly format: DocumentFormat
  readonly bytes: Uint8Array
}

export type ReadDocument = PdfText | DocxText | DocumentText

/** Preceded by `reading`, as soon as the thread has started. */
export type DocumentReply = { readonly result: ReadDocument } | { readonly failure: DocumentFailure }

if (parentPort !== null) giveWay()
parentPort?.on('message', async ({ format, bytes }: DocumentRequest) => {
  parentPort?.postMessage('reading')
  const read = await readFormat(format, bytes)
  const reply: DocumentReply = typeof read === 'string' ? { failure: read } : { result: read }
  parentPort?.postMessage(reply)
})

function readFormat(format: DocumentFormat, bytes: Uint8Array): Promise<ReadDocument | DocumentFailure> {
  if (format === 'pdf') return readPdf(bytes)
  return format === 'docx' ? readDocx(bytes) : readOffice(format, bytes)
}
