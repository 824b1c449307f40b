import PDFDocument from 'pdfkit'
import { createCorpus } from './corpus.ts'

/** A text PDF a little below `bytes` bytes (uncompressed page streams), some thousand pages long. */
export async function largePdf(bytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const sample = await pdfOf(20)
  return pdfOf(Math.floor((bytes * 0.97 * 20) / sample.length))
}

function pdfOf(pages: number): Promise<Uint8Array<ArrayBuffer>> {
  const corpus = createCorpus()
  return new Promise((resolve, reject) => {
    const document = new PDFDocument({ compress: false, size: 'A4', autoFirstPage: false })
    const parts: Buffer[] = []
    document.on('data', (part: Buffer) => parts.push(part))
    document.once('error', reject)
    document.once('end', () => resolve(new Uint8Array(Buffer.concat(parts))))
    for (let page = 0; page < pages; page++) document.addPage().fontSize(10).text(corpus.text(page, 2_400))
    document.end()
  })
}
