import type { DocumentFormat } from '../../../domain/content-format.ts'
import type { Block, SkipReason } from '../../../domain/document.ts'

/** A piece of an Office document in reading order, not redacted yet. */
export interface DocumentBlock {
  readonly type: Extract<Block['type'], 'heading' | 'paragraph' | 'list' | 'table'>
  readonly level?: number
  readonly text: string
}

/** As in `ParseContext.skip`. */
export interface DocumentSkip {
  readonly reason: SkipReason
  readonly count: number
  readonly noun: string
  readonly suffix?: string
}

/** Properties of an Office document. */
export interface DocumentProperties {
  readonly title?: string
  readonly author?: string
  /** ISO 8601, perhaps without a zone: when it was last changed, otherwise created. */
  readonly changedAt?: string
}

/** An Office document as blocks; PDF and DOCX have their own formats. */
export interface DocumentText {
  readonly format: Exclude<DocumentFormat, 'pdf' | 'docx'>
  readonly blocks: readonly DocumentBlock[]
  readonly properties: DocumentProperties
  readonly skips: readonly DocumentSkip[]
}

export type DocumentFailure = 'encrypted' | 'damaged' | 'no_text' | 'too_large'

/** Ends the reading of a document; `readOffice` returns its reason. */
export class DocumentProblem extends Error {
  override readonly name = 'DocumentProblem'
  readonly failure: DocumentFailure

  constructor(failure: DocumentFailure) {
    super(failure)
    this.failure = failure
  }
}
