import type { MemoryContent } from './results.ts'
import type { SourceType } from './source-type.ts'

/** What an upload says of itself; input of the first stage. */
export interface SourceFile {
  readonly body: Uint8Array
  readonly fileName: string
  readonly contentType: string
  readonly sourceType: SourceType
  readonly itemId: string
  /** The person whose memory this is: the "I" of the narratives. */
  readonly userName: string
  /** IANA time zone of the account, for times written without one. */
  readonly timeZone: string
  /** When the item was uploaded: the reference for "yesterday" when the content has no time of its own. */
  readonly uploadedAt: Date
  /** Of the account: recognizes what was recalled out of it. Absent: nothing is recognized. */
  readonly fenceKey?: Uint8Array
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

/** From YAML front matter, mail headers, calendar properties, or what a PDF or an Office document says of itself. */
export interface DocumentMeta {
  readonly title?: string
  /** The original, where it came from: `http` or `https`, at most 2,000 characters, without secrets. */
  readonly url?: string
  readonly when?: MomentRange
  readonly where?: string
  readonly author?: string
  readonly participants?: readonly string[]
  /** Of mails: the address of each participant who has a name too, by that name. */
  readonly addresses?: ReadonlyMap<string, string>
  readonly parents?: readonly string[]
  readonly visibility?: string
}

export interface MomentRange {
  readonly start: Date
  readonly end?: Date
  /** `day` when the source names no time of day. */
  readonly precision: 'minute' | 'day' | 'month' | 'year'
}

export const BLOCK_TYPES = ['heading', 'paragraph', 'list', 'code', 'table', 'turn', 'quote'] as const
export interface Block {
  readonly type: (typeof BLOCK_TYPES)[number]
  readonly start: number
  readonly end: number
  /** 1 to 6, for headings. */
  readonly level?: number
  /** Who said it, for turns (chat, transcript, one message of a mail or issue thread). */
  readonly speaker?: string
  /** When it was said, for turns. */
  readonly at?: Date
  /** `tool` marks the output of a coding agent's tools: indexed raw, never made into memories. */
  readonly role?: 'user' | 'assistant' | 'tool'
}

/** What was left out and why: kept with the item, never silently dropped. */
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
  'limit',
  // Quoted by an agent from this memory.
  'recalled',
  // A language model quoted what is not in the source.
  'evidence_missing',
] as const
export type SkipReason = (typeof SKIP_REASONS)[number]

/** Smallest unit that is indexed: one turn, paragraph or section part. Always whole text, nothing summarised. */
export interface Chunk {
  /** 0, 1, 2 ... in reading order; neighbours in the document are neighbours here. */
  readonly ordinal: number
  /** Decides the weights it is ranked by (decision 7). */
  readonly kind: 'turn' | 'prose'
  readonly text: string
  readonly start: number
  readonly end: number
  readonly speaker?: string
  /** Of the block that it was cut from; `tool` marks the output of a coding agent's tools. */
  readonly role?: 'user' | 'assistant' | 'tool'
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
  /** Ordinal of the chunk that holds the answer. */
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
  readonly kind: DocumentKind
  readonly when?: MomentRange
  readonly chunks: readonly IndexedChunk[]
  readonly memories: readonly ExtractedMemory[]
  readonly qas: readonly ExtractedQa[]
  readonly skips: readonly Skip[]
  readonly spaceId: string
  /** The stages with their versions that made this, e.g. `parse@1 segment@1 extract@1 embed@1 index@1`. */
  readonly pipelineVersion: string
}
