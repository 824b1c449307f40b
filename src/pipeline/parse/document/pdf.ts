import { getDocumentProxy } from 'unpdf'
import type { DocumentFailure } from './document-text.ts'

/** Text beyond this many characters, or pages beyond this number, is skipped: about a thousand books' pages. */
const MAX_PDF_CHARACTERS = 20_000_000
const MAX_PAGES = 20_000
/** pdf.js keeps what it has read of a document; after so many pages it forgets that. */
const PAGES_KEPT = 100
/** Minimum characters for a text layer. */
const LEAST_TEXT = 10

export interface PdfText {
  readonly format: 'pdf'
  readonly blocks: readonly PdfBlock[]
  readonly title?: string
  readonly author?: string
  /** ISO 8601, from the document's information. */
  readonly createdAt?: string
  /** Numbers of the pages without text. */
  readonly emptyPages: readonly number[]
  readonly repeated: number
  readonly pagesLeftOut: number
}

/** The text of a PDF in reading order, or why there is none. Uses the CPU for seconds, so call it on its own thread. */
export async function readPdf(bytes: Uint8Array): Promise<PdfText | DocumentFailure> {
  const pdf = await openPdf(bytes)
  if (typeof pdf === 'string') return pdf
  try {
    const pages: PdfLine[][] = []
    let characters = 0
    const emptyPages: number[] = []
    let number = 1
    for (; number <= Math.min(pdf.numPages, MAX_PAGES) && characters < MAX_PDF_CHARACTERS; number++) {
      const lines = await pageLines(pdf, number)
      const length = lines.reduce((sum, line) => sum + line.text.length, 0)
      characters += length
      if (length === 0) emptyPages.push(number)
      pages.push(lines)
      if (number % PAGES_KEPT === 0) await pdf.cleanup()
    }
    const { info } = await pdf.getMetadata()
    const { blocks, repeated } = layOutPages(characters < LEAST_TEXT ? [] : pages)
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

/** Errors that pdf.js throws for invalid files: its own exceptions, and plain errors of its parsers. */
export function isPdfProblem(error: unknown): boolean {
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
  // Default titles of word processors.
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

/** A line at its position on a page, in PDF units (1/72 inch); `y` grows upwards. */
interface PdfLine {
  readonly text: string
  readonly x: number
  readonly right: number
  readonly y: number
  readonly size: number
}

interface PdfBlock {
  readonly type: 'heading' | 'paragraph'
  readonly level?: number
  readonly text: string
  /** Where it begins, from 1. */
  readonly page: number
}

interface PdfLayout {
  readonly blocks: readonly PdfBlock[]
  /** Repeated headers and footers, page numbers. */
  readonly repeated: number
}

/** Maximum distance between two lines of a header or footer, relative to their size. */
const EDGE_DISTANCE = 2
const HEADING_MAX = 150

/**
 * Joins lines of pages to paragraphs: repeated headers and footers removed, wrapped lines joined, hyphenation undone.
 */
function layOutPages(pages: readonly (readonly PdfLine[])[]): PdfLayout {
  const { kept, repeated } = dropRepeated(pages)
  const lines = kept.flat()
  const body = weightedMedian(lines.map(({ size, text }) => [size, text.length]))
  const blocks: PdfBlock[] = []
  let open: PdfLine[] = []
  let openedOn = 1
  const flush = () => {
    if (open.length > 0) blocks.push({ ...toBlock(open, body), page: openedOn })
    open = []
  }
  for (const [pageIndex, page] of kept.entries()) {
    const shape = pageShape(page)
    for (const [index, line] of page.entries()) {
      const before = open.at(-1)
      if (before && !continues(before, line, shape, index === 0)) flush()
      if (open.length === 0) openedOn = pageIndex + 1
      open.push(line)
    }
  }
  flush()
  return { blocks, repeated }
}

interface PageShape {
  /** Usual distance of two lines. */
  readonly leading: number
  readonly right: number
}

function pageShape(page: readonly PdfLine[]): PageShape {
  const gaps = page.slice(1).flatMap((line, index) => {
    const gap = page[index]!.y - line.y
    return gap > 0 ? [gap] : []
  })
  return { leading: lineGap(gaps), right: page.reduce((most, line) => Math.max(most, line.right), 0) }
}

/** Whether a line continues the paragraph of the line before. */
function continues(before: PdfLine, line: PdfLine, shape: PageShape, newPage: boolean): boolean {
  if (Math.abs(before.size - line.size) > 0.6) return false
  if (/^(?:[•▪◦‣–—*-]|\(?\d{1,3}[.)])\s/.test(line.text)) return false
  const ends = /[.!?:;…]["'”’)\]]*$/.test(before.text)
  // A page break in the middle of a sentence does not end a paragraph.
  if (newPage) return !ends && /^[\p{Ll}\p{N}(]/u.test(line.text)
  const gap = before.y - line.y
  if (gap > Math.max(shape.leading * 1.35, line.size * 1.6) || gap < -line.size) return false
  // The last line of a paragraph is short.
  return !(ends && before.right < shape.right * 0.8)
}

function toBlock(lines: readonly PdfLine[], body: number): Omit<PdfBlock, 'page'> {
  const text = joinLines(lines.map((line) => line.text))
  const size = lines[0]!.size
  const isHeading = size > body * 1.12 && text.length <= HEADING_MAX && lines.length <= 3 && /\p{L}/u.test(text)
  if (!isHeading) return { type: 'paragraph', text }
  return { type: 'heading', level: size > body * 1.7 ? 1 : size > body * 1.35 ? 2 : 3, text }
}

/** Joins wrapped lines; a hyphen between two lower-case letters at a line end comes from typesetting. */
function joinLines(lines: readonly string[]): string {
  let joined = ''
  for (const line of lines) {
    const next = line.trim()
    if (joined === '') joined = next
    else if (/\p{Ll}[-\u00ad\u2010]$/u.test(joined.slice(-4)) && /^\p{Ll}/u.test(next))
      joined = joined.slice(0, -1) + next
    else if (/[\u3040-\u30ff\u4e00-\u9fff]$/.test(joined.slice(-1)) && /^[\u3040-\u30ff\u4e00-\u9fff]/.test(next))
      joined += next
    else joined += ` ${next}`
  }
  return joined
}

function dropRepeated(pages: readonly (readonly PdfLine[])[]): { kept: PdfLine[][]; repeated: number } {
  const counts = new Map<string, number>()
  for (const page of pages) {
    const keys = new Set(page.flatMap((line, index) => (isEdge(page, index) ? [edgeKey(line)] : [])))
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const often = Math.max(3, pages.length * 0.4)
  let repeated = 0
  const kept = pages.map((page) =>
    page.filter((line, index) => {
      const drop =
        isEdge(page, index) && ((counts.get(edgeKey(line)) ?? 0) >= often || isPageNumber(line.text, pages.length))
      if (drop) repeated++
      return !drop
    }),
  )
  return { kept, repeated }
}

/** The first and last line, and a second one right next to it. Other lines are text, even if every page has them. */
function isEdge(page: readonly PdfLine[], index: number): boolean {
  if (index === 0 || index === page.length - 1) return true
  const outer = index === 1 ? page[0] : index === page.length - 2 ? page.at(-1) : undefined
  const line = page[index]
  return outer !== undefined && line !== undefined && Math.abs(outer.y - line.y) <= line.size * EDGE_DISTANCE
}

/** Equal for lines that differ only in the page number, at about the same height. */
function edgeKey(line: PdfLine): string {
  return `${Math.round(line.y / 12)} ${line.text.slice(0, 200).replace(/\d+/g, '#').trim()}`
}

function isPageNumber(text: string, pages: number): boolean {
  const match =
    /^(?:(?:page|seite|página|pág\.|p\.) ?)?[-–—]? ?(\d{1,5})(?: ?(?:of|von|de|sur|\/) ?\d{1,5})? ?[-–—]?$/i.exec(
      text.trim(),
    )
  return match !== null && pages > 1 && Number(match[1]) <= pages + 50
}

/** Gaps inside paragraphs are the smaller ones, and on a page of short paragraphs not the most frequent. */
function lineGap(gaps: readonly number[]): number {
  return gaps.toSorted((a, b) => a - b)[Math.floor((gaps.length - 1) * 0.35)] ?? 0
}

function weightedMedian(values: readonly (readonly [number, number])[]): number {
  const total = values.reduce((sum, [, weight]) => sum + weight, 0)
  let seen = 0
  for (const [value, weight] of values.toSorted((a, b) => a[0] - b[0])) {
    seen += weight
    if (seen >= total / 2) return value
  }
  return 0
}
