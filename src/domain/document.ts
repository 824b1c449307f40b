import type { MomentRange } from './moment-range.ts'
import type { MemoryContent } from './results.ts'
import type { SourceType } from './source-type.ts'

/** The metadata of an upload. */
export interface UploadedFile {
  readonly fileName: string
  readonly contentType: string
  readonly sourceType: SourceType
  readonly itemId: string
  /** The account's owner: the "I" of the narratives. */
  readonly userName: string
  /** IANA time zone of the account, for times without one. */
  readonly timeZone: string
  /** When the item was uploaded: the reference for "yesterday" when the content has no time of its own. */
  readonly uploadedAt: Date
  /** The account's key for fences, which recognizes recalled text. Absent: nothing is recognized. */
  readonly fenceKey?: Uint8Array
}

/** Input of the first stage. */
export interface SourceFile extends UploadedFile {
  readonly body: Uint8Array
}

export const DOCUMENT_KINDS = [
  'note', // plain text without structure
  'document', // headings and paragraphs: Markdown, HTML, PDF, Office documents, tables
  'chat', // speaker turns: Slack threads, Teams, channels
  'transcript', // meetings
  'agent', // sessions with a coding agent
  'email',
  'calendar',
  'issue', // issues, pull requests, tasks
] as const
export type DocumentKind = (typeof DOCUMENT_KINDS)[number]

/** Output of `parse`: the text with its structure. All offsets point into `text`, which is already free of secrets. */
export interface ParsedDocument {
  readonly kind: DocumentKind
  readonly text: string
  readonly blocks: readonly Block[]
  readonly meta: DocumentMeta
  readonly skips: readonly Skip[]
}

/** From YAML front matter, mail headers, calendar properties, or the properties of a PDF or Office document. */
export interface DocumentMeta {
  readonly title?: string
  /** Link to the original: `http` or `https`, at most 2,000 characters, without secrets. */
  readonly url?: string
  readonly when?: MomentRange
  readonly where?: string
  readonly author?: string
  readonly participants?: readonly string[]
  /** For mails: the address of each participant with a name, by that name. */
  readonly addresses?: ReadonlyMap<string, string>
  readonly parents?: readonly string[]
  readonly visibility?: string
}

export const BLOCK_TYPES = ['heading', 'paragraph', 'list', 'code', 'table', 'turn', 'quote'] as const
export interface Block {
  readonly type: (typeof BLOCK_TYPES)[number]
  readonly start: number
  readonly end: number
  /** 1 to 6, for headings. */
  readonly level?: number
  /** The speaker, for turns (chat, transcript, one message of a mail or issue thread). */
  readonly speaker?: string
  /** Sender and recipients, for one mail of several. */
  readonly participants?: readonly string[]
  /** When it was said, for turns; the time of an event; the day of the section it is in. */
  readonly at?: Date
  /** `tool` marks the output of a coding agent's tools, `quoted` an earlier mail: indexed as is, never extracted as memories. */
  readonly role?: 'user' | 'assistant' | 'tool' | 'quoted'
}

/** What was skipped and why: stored with the item. */
export interface Skip {
  readonly reason: SkipReason
  readonly count: number
  /** Short, without contents: `3 quoted replies`, `2 API tokens redacted`. */
  readonly detail: string
}
export const SKIP_REASONS = [
  'secret_redacted',
  'quoted_reply',
  'signature',
  'boilerplate',
  'tool_output',
  'too_short',
  // Greetings, wishes and exclamations.
  'chatter',
  'duplicate',
  'binary_part',
  // Lines that are damaged, or in an unknown format.
  'unreadable',
  'limit',
  // Read by OCR, perhaps wrongly.
  'low_confidence',
  // Text that an agent quoted from this memory.
  'recalled',
  // A language model's quote that is not in the source.
  'evidence_missing',
] as const
export type SkipReason = (typeof SKIP_REASONS)[number]

/** The smallest indexed unit: one turn, paragraph or section part. Verbatim, but for the fences of a code block that was cut. */
export interface Chunk {
  /** 0, 1, 2 ... in reading order; neighbors in the document are neighbors here. */
  readonly ordinal: number
  /** Selects the ranking weights (decision 7). */
  readonly kind: 'turn' | 'prose'
  readonly text: string
  readonly start: number
  readonly end: number
  readonly speaker?: string
  /** From its block. */
  readonly role?: NonNullable<Block['role']>
  /** Title and heading path, or mail subject, or channel. */
  readonly heading?: string
  readonly at?: Date
}

/** A memory, made from the chunks `firstChunk` to `lastChunk` (ordinals, inclusive). */
export interface ExtractedMemory {
  readonly index: number
  readonly content: MemoryContent
  readonly firstChunk: number
  readonly lastChunk: number
  readonly when?: MomentRange
}

export interface ExtractedQa {
  readonly question: string
  readonly answer: string
  /** Ordinal of the chunk with the answer. */
  readonly chunk: number
}

/** Output of `extract`. */
export interface Extraction {
  readonly chunks: readonly Chunk[]
  readonly memories: readonly ExtractedMemory[]
  readonly qas: readonly ExtractedQa[]
  readonly skips: readonly Skip[]
}

/** A chunk as it is stored and searched. */
export interface IndexedChunk extends Chunk {
  /** Space-joined terms of the text, for the full-text index. */
  readonly bodyTerms: string
  /** Space-joined terms of speaker, heading and date, for the full-text index. */
  readonly metaTerms: string
  /** 32-bit hashes of the body terms in order, repeats included: term frequencies and length for BM25F. */
  readonly bodyHashes: Uint32Array
  readonly metaHashes: Uint32Array
  /** Distinct token ids for soft matching; empty when the embedder has none. */
  readonly tokens: Uint16Array
  readonly vector: Float32Array
}

/** Output of the last stage; the worker commits it whole. */
export interface IndexedItem {
  readonly title?: string
  readonly url?: string
  /** The repository, folder, project or channel that it is from. */
  readonly place?: string
  readonly kind: DocumentKind
  readonly when?: MomentRange
  readonly chunks: readonly IndexedChunk[]
  readonly memories: readonly ExtractedMemory[]
  readonly qas: readonly ExtractedQa[]
  readonly skips: readonly Skip[]
  readonly spaceId: string
  /** The versioned stages that created this, e.g. `parse@1 segment@1 extract@1 embed@1 index@1`. */
  readonly pipelineVersion: string
}
