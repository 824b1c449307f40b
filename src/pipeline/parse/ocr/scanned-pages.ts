import type { createTextBuilder } from '../markdown.ts'
import { cleanText, type ParseContext } from '../parse-context.ts'
import type { OcrPage } from './ocr.ts'

/** Below this confidence, the text is marked as possibly wrong. A clean print has more than 90. */
const LOW_CONFIDENCE = 80
/** Below this confidence, it is not text: a photo, or handwriting. */
const NO_TEXT = 45
/** A file of more pages, or that takes longer, is read in part: at most 7 minutes with the last page. */
const MOST_PAGES = 100
const MOST_MS = 180_000

interface ScannedPage extends OcrPage {
  readonly number: number
}

/** The pages of a file that OCR has read, and what it left out. */
export class ScannedPages {
  readonly pages: ScannedPage[] = []
  readonly #startedAt = performance.now()
  readonly #seen = new Set<number>()
  #leftOut = 0
  #written = 0
  #wasLow = false

  get isAtLimit(): boolean {
    return this.#seen.size >= MOST_PAGES || performance.now() - this.#startedAt > MOST_MS
  }

  /** @param read what OCR found in an image: one page, or those of a file with several */
  add(number: number, read: readonly OcrPage[] | undefined): void {
    for (const [at, page] of (read ?? []).entries()) {
      this.#seen.add(number + at)
      if (page.paragraphs.length > 0 && page.confidence >= NO_TEXT) this.pages.push({ ...page, number: number + at })
    }
  }

  /** Stops before pages that may hold more text. */
  leaveOut(pages: number): void {
    this.#leftOut += pages
  }

  /**
   * Writes the pages before `page`, or all. Pages of low confidence get a heading that says so, which is shown with all of
   * their passages.
   */
  write(builder: ReturnType<typeof createTextBuilder>, context: ParseContext, page = Number.POSITIVE_INFINITY): void {
    for (let next = this.pages[this.#written]; next && next.number < page; next = this.pages[++this.#written]) {
      const { number, confidence, paragraphs } = next
      const isLow = confidence < LOW_CONFIDENCE
      const heading = isLow ? `Page ${number}, read by OCR with low confidence (${confidence}%)` : `Page ${number}`
      if (isLow || this.#wasLow) builder.add(heading, { type: 'heading', level: 2 })
      this.#wasLow = isLow
      for (const text of paragraphs) builder.add(context.redact(cleanText(text)), { type: 'paragraph' })
    }
  }

  /** Notes the pages without text, beyond the limit, or of low confidence. @param all number of pages without a text layer */
  noteSkips(context: ParseContext, all: number): void {
    const read = new Set(this.pages.map(({ number }) => number)).size
    const low = this.pages.filter(({ confidence }) => confidence < LOW_CONFIDENCE)
    const least = Math.min(...low.map(({ confidence }) => confidence))
    context.skip('binary_part', all - read - this.#leftOut, 'page', ' without text')
    context.skip('limit', this.#leftOut, 'scanned page', ' beyond the limit')
    context.skip('low_confidence', low.length, 'page', ` read by OCR with low confidence (${least}%)`)
  }
}
