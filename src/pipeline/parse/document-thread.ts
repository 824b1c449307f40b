import { parentPort } from 'node:worker_threads'
import { type DocxText, readDocx } from './docx-text.ts'
import { type DocumentFailure, type PdfText, readPdf } from './pdf-text.ts'

/**
 * Entry of the thread that reads PDF and DOCX: started by document-reader.ts with a memory limit, ended by it when a
 * document takes too long.
 */
export interface DocumentRequest {
  readonly format: 'pdf' | 'docx'
  readonly bytes: Uint8Array
}

export type DocumentReply = { readonly result: PdfText | DocxText } | { readonly failure: DocumentFailure }

parentPort?.on('message', async ({ format, bytes }: DocumentRequest) => {
  const read = format === 'pdf' ? await readPdf(bytes) : await readDocx(bytes)
  const reply: DocumentReply = typeof read === 'string' ? { failure: read } : { result: read }
  parentPort?.postMessage(reply)
})
