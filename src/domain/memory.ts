import type {
  AskResult,
  CorrectionResult,
  Fenceable,
  FileList,
  ForgetResult,
  PinResult,
  RecallResult,
  UndoResult,
  UploadResult,
} from './results.ts'
import type { SourceType } from './source-type.ts'

/**
 * The memory as its readers and writers see it: connectors memorize into it, MCP and the command line recall from it.
 * Two implementations with one contract suite: the service in process, and the REST client. Both are bound to one key,
 * so no method takes an account. Every method rejects with an `AppError`.
 */
export interface Memory {
  memorize(upload: Upload): Promise<UploadResult>
  recall(query: RecallQuery, options?: CallOptions): Promise<RecallResult>
  ask(question: AskQuery, options?: CallOptions): Promise<AskResult>
  list(query: ListQuery): Promise<FileList>
  /** Without a `sourceType`, every source of the key is searched. */
  download(ref: { readonly itemId: string; readonly sourceType?: SourceType }): Promise<Download>
  forget(ref: { readonly itemId: string; readonly sourceType: SourceType }): Promise<ForgetResult>
}

export interface CallOptions {
  /** Aborted: nobody waits for the answer any more; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /** `trace_id` of the answer and of what is logged for it; a fresh one when absent. */
  readonly traceId?: string
}

export interface Upload {
  readonly body: Uint8Array
  readonly fileName: string
  readonly contentType?: string
  readonly userName: string
  readonly itemId?: string
  readonly sourceType?: SourceType
  /** `reject` (default): 409 when the item exists. `replace`: old memories stay until the new ones are ready. */
  readonly onConflict?: 'reject' | 'replace'
}

export interface RecallQuery {
  readonly text: string
  readonly source?: SourceType
  /** Most memories, and most chunks, to return. 1 to 100. */
  readonly limit?: number
  /** Only what happened at or after / before this time. */
  readonly since?: TimeBound
  readonly until?: TimeBound
  /** Only what this person says or takes part in: a name, a part of it, or how a part begins. */
  readonly person?: string
  /** As things stood at the end of this time: nothing later is found, and `yesterday` is counted from there. */
  readonly asOf?: TimeBound
}

/**
 * A time, or words for one: an ISO 8601 time or date (UTC without an offset), a month (`2026-03`), a year, or a time as a
 * question names it (`yesterday`, `last week`, `March 2026`) in the zone of the account.
 */
export type TimeBound = Date | string

export interface AskQuery {
  readonly text: string
  /** As in `RecallQuery`. */
  readonly asOf?: TimeBound
  /** Earlier questions and answers, latest last: a follow-up is understood from them. */
  readonly context?: string
}

/** A memory that its owner can put right. `custom_id` as a recall gives it; rejects with `not_found` when there is none. */
export interface EditableMemory extends Memory {
  /** Stores a memory of its own, which replaces the named one in every answer. Forgetting its item undoes that. */
  correct(edit: { readonly memory: MemoryRef; readonly text: string }): Promise<CorrectionResult>
  /** Undoes all corrections of a memory, or the one that it states. Returns how many. */
  undoCorrection(memory: MemoryRef): Promise<UndoResult>
  pin(memory: MemoryRef): Promise<PinResult>
  unpin(memory: MemoryRef): Promise<UndoResult>
}

export interface MemoryRef {
  readonly customId: string
  /** Without it, every source of the key is searched. */
  readonly sourceType?: SourceType
}

export interface ListQuery {
  readonly sourceType: SourceType
  /** 1 to 10,000; 1,000 when absent. */
  readonly limit?: number
  readonly offset?: number
}

export interface Download extends Fenceable {
  readonly body: Uint8Array
  readonly contentType: string
  readonly fileName: string
}

/** What a score is made of, in the order in which it is shown. */
export const EXPLANATION_KINDS = [
  /** Words of the question in the text itself, also side by side. */
  'words',
  /** Words of the question in the speaker, the heading or the date. */
  'names',
  /** Likeness of meaning, by tokens and by vector. */
  'meaning',
  /** What stands before and after it. */
  'around',
  /** It lies in the time that the question names. */
  'time',
  /** It holds the kind of words that such a question asks for: of time for "when". */
  'answer',
  /** The person in the question speaks about themselves. */
  'self',
  /** How long it is. */
  'length',
  /** The question names its source. */
  'source',
  /** What a reranker says of it. */
  'reranker',
  /** It stands where what it replaces stood, or behind what replaces it. */
  'update',
  /** The owner pinned it, or states a correction by it. */
  'edit',
] as const
export type ExplanationKind = (typeof EXPLANATION_KINDS)[number]
