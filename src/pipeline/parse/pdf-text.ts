import { getDocumentProxy } from 'unpdf'
import type { DocumentFailure } from './document-text.ts'
import { layOutPages, type PdfBlock, type PdfLine } from './pdf-layout.ts'

/** Text beyond this many characters, or pages beyond this number, is left out: some thousand books' pages. */
export const MAX_PDF_CHARACTERS = 20_000_000
const MAX_PAGES = 20_000
/** Characters for which a document is taken to have a text layer at all. */
const LEAST_TEXT = 10

export interface PdfText {
  readonly format: 'pdf'
  readonly blocks: readonly PdfBlock[]
  readonly title?: string
  readonly author?: string
  /** ISO 8601, from the document's information. */
  readonly createdAt?: string
  readonly emptyPages: number
  readonly repeated: number
  readonly pagesLeftOut: number
}

/** The text of a PDF in reading order, or why there is none. CPU-bound for seconds: to be called in a thread of its own. */
export async function readPdf(bytes: Uint8Array): Promise<PdfText | DocumentFailure> {
  const pdf = await openPdf(bytes)
  if (typeof pdf === 'string') return pdf
  try {
    const pages: PdfLine[][] = []
    let characters = 0
    let emptyPages = 0
    let number = 1
    for (; number <= Math.min(pdf.numPages, MAX_PAGES) && characters < MAX_PDF_CHARACTERS; number++) {
      const lines = await pageLines(pdf, number)
      const length = lines.reduce((sum, line) => sum + line.text.length, 0)
      characters += length
      if (length === 0) emptyPages++
      pages.push(lines)
    }
    if (characters < LEAST_TEXT) return 'no_text'
    const { info } = await pdf.getMetadata()
    const { blocks, repeated } = layOutPages(pages)
    return { format: 'pdf', blocks, ...readInfo(info), emptyPages, repeated, pagesLeftOut: pdf.numPages - (number - 1) }
  } catch (error) {
    if (isPdfProblem(error)) return 'damaged'
    throw error
  } finally {
    await pdf.loadingTask.destroy()
  }
}

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>

async function openPdf(bytes: Uint8Array): Promise<Pdf | DocumentFailure> {
  try {
    return await getDocumentProxy(bytes, { verbosity: 0, disableFontFace: true })
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException') return 'encrypted'
    if (isPdfProblem(error)) return 'damaged'
    throw error
  }
}

/** What pdf.js throws for wrong files: its own exceptions, and plain errors of its parsers. */
function isPdfProblem(error: unknown): boolean {
  return error instanceof Error && !(error instanceof ReferenceError) && error.name !== 'AbortError'
}

async function pageLines(pdf: Pdf, number: number): Promise<PdfLine[]> {
  const page = await pdf.getPage(number)
  const { items } = await page.getTextContent()
  page.cleanup()
  const lines: PdfLine[] = []
  let open: { text: string; x: number; right: number; y: number; size: number } | undefined
  const flush = () => {
    const text = open?.text.replace(/\s+/g, ' ').trim()
    if (open && text) lines.push({ ...open, text })
    open = undefined
  }
  for (const item of items) {
    if (!('str' in item)) continue
    const x = Number(item.transform[4])
    const y = Number(item.transform[5])
    const size = item.height || Math.abs(Number(item.transform[3]))
    if (open && item.str.trim() !== '' && Math.abs(open.y - y) > size * 0.6) flush()
    if (open) {
      const gap = x - open.right
      open.text += gap > size * 0.2 && !open.text.endsWith(' ') && !item.str.startsWith(' ') ? ` ${item.str}` : item.str
      open.right = Math.max(open.right, x + item.width)
      if (item.str.trim() !== '') open.size = Math.max(open.size, size)
    } else if (item.str.trim() !== '') open = { text: item.str, x, right: x + item.width, y, size }
    if (item.hasEOL) flush()
  }
  flush()
  return lines
}

function readInfo(info: object): Pick<PdfText, 'title' | 'author' | 'createdAt'> {
  const field = (name: string): string | undefined => {
    const value: unknown = Reflect.get(info, name)
    return typeof value === 'string' && value.trim() !== ''
      ? value.replace(/\s+/g, ' ').trim().slice(0, 300)
      : undefined
  }
  const title = field('Title')
  // What word processors put there by themselves.
  const isOwn =
    title !== undefined &&
    !/^(?:untitled|microsoft (?:word|powerpoint|excel) - .*|.*\.(?:docx?|pptx?|indd|tex|dvi|pdf))$/i.test(title)
  return { ...(isOwn && { title }), author: field('Author'), createdAt: pdfDate(field('CreationDate')) }
}

/** `D:20261120143227+01'00'` (PDF 1.7, 7.9.4) */
function pdfDate(value: string | undefined): string | undefined {
  const match = /^D:(\d{4})(\d{2})(\d{2})(?:(\d{2})(\d{2})(\d{2})?)?(?:Z|([+-])(\d{2})'?(\d{2}))?/.exec(value ?? '')
  if (!match) return undefined
  const [, year, month, day, hour = '00', minute = '00', second = '00', sign, zoneHour, zoneMinute] = match
  const at = new Date(
    `${year}-${month}-${day}T${hour}:${minute}:${second}${sign ? `${sign}${zoneHour}:${zoneMinute}` : 'Z'}`,
  )
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}
