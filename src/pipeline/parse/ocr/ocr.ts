import { AppError } from '../../../domain/errors.ts'

/** Reads the text in images. */
export interface Ocr {
  /**
   * @param image a PNG, JPEG, TIFF (also with several pages), WebP or PGM
   * @returns its pages; `undefined` when it can't be read, or takes too long
   * @throws AppError `unreadable` with the remedy when nothing can be read on this machine
   */
  read(image: Uint8Array): Promise<OcrPage[] | undefined>
  /**
   * Draws a page of a PDF whose images can't be decoded otherwise; nothing when it can't be drawn.
   * @throws AppError as `read`
   */
  renderPage(pdf: Uint8Array, page: number): Promise<readonly Uint8Array[]>
}

export interface OcrPage {
  readonly paragraphs: readonly string[]
  /** Of the words, weighted by their length: 0 to 100. */
  readonly confidence: number
}

/** Thrown in the quick lane instead of reading a scan: the item is processed again in the slow lane. */
export class NeedsSlowLane extends Error {
  constructor() {
    super('reading scans takes the slow lane')
    this.name = 'NeedsSlowLane'
  }
}

export const SLOW_LANE_ONLY: Ocr = refusing(() => new NeedsSlowLane())

export const OCR_OFF: Ocr = refusing(
  () =>
    new AppError(
      'unreadable',
      'It holds only images, and reading text in images is switched off; set ocr to auto in config.yaml and run "recalld retry", or run text recognition (OCR) over it and upload the result',
    ),
)

function refusing(reason: () => Error): Ocr {
  return { read: () => Promise.reject(reason()), renderPage: () => Promise.reject(reason()) }
}
