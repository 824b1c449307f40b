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

export interface UploadResult {
  readonly status: 'success'
  readonly user_id: string
  readonly item_id: string
  readonly workflow_execution: string
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
  /** What was asked and answered before, latest last: a question that goes on with it is understood by it. */
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

export interface CorrectionResult {
  readonly status: 'success'
  /** `custom_id` of the correction, once it is processed. */
  readonly custom_id: string
  readonly item_id: string
  readonly source_type: SourceType
  /** `custom_id` of the memory that it replaces. */
  readonly corrects: string
}

export interface PinResult {
  readonly status: 'success'
  readonly custom_id: string
  readonly source_type: SourceType
}

export interface UndoResult {
  readonly status: 'success'
  /** Corrections or pins that were there. */
  readonly undone: number
}

/** What a memory that can recognize it later names for the fence around its answer (`recalled-fence.ts`). */
interface Fenceable {
  /** Extension: absent from other servers. */
  readonly fence?: string
}

export interface RecallResult extends Fenceable {
  readonly trace_id: string
  readonly memories: readonly MemoryResult[]
  readonly qa: readonly QaResult[]
  readonly chunks: readonly ChunkResult[]
  /** Extension: probability in [0, 1] that the best result is relevant. */
  readonly confidence?: number
  /** Extension. */
  readonly filters?: RecallFilters
  /** Extension: why the answer is less than it could be, such as a model that is away; a sentence for people. */
  readonly notice?: string
}

/** What a question itself restricts the result to: `emails from Priya`, `last week`. Times are ISO 8601, `until` exclusive. */
export interface RecallFilters {
  readonly sources?: readonly SourceType[]
  readonly person?: string
  readonly since?: string
  readonly until?: string
}

export interface MemoryResult {
  /** `<item_id>_memory_<index>` */
  readonly custom_id: string
  readonly item_id: string
  /** Relevance in [0, 1], comparable between queries. */
  readonly score: number
  readonly source: SourceType
  readonly content: RecalledContent
}

export interface QaResult {
  readonly question: string
  readonly answer: string
  readonly item_id: string
  readonly source: SourceType
  readonly score: number
}

/** Where it comes from is an extension: other servers leave it out. */
export interface ChunkResult extends Provenance {
  readonly text: string
  readonly item_id: string
  readonly source: SourceType
  readonly score: number
  /** Extension: chunks that say the same to the word, and are therefore no results of their own. */
  readonly also_in?: readonly Copy[]
  /** Extension: `custom_id` of the memory that holds now instead of what this chunk says. */
  readonly superseded_by?: string
}

/** What is known of the item that a passage stands in. */
export interface Provenance {
  readonly title?: string
  /** Of what is told, as in `MemoryContent`. */
  readonly when?: string
  /** Who says it: the speaker of a turn, else nobody. */
  readonly participants?: readonly string[]
  /** The original, where it came from: an address for a browser. */
  readonly url?: string
}

export interface AskResult extends Fenceable {
  readonly response: string
  /** Extension: nothing was found that answers; `response` says so, and may show what comes closest. */
  readonly abstained?: boolean
  /** Extension: what `response` quotes, in the order of its numbers. */
  readonly citations?: readonly Citation[]
  /** As in `RecallResult`. */
  readonly notice?: string
}

export interface Citation extends Provenance {
  /** As in the response: `[1]`. */
  readonly n: number
  readonly item_id: string
  readonly source: SourceType
  /** The words of the source, whole turns or sentences. */
  readonly quote: string
}

export interface ListQuery {
  readonly sourceType: SourceType
  /** 1 to 10,000; 1,000 when absent. */
  readonly limit?: number
  readonly offset?: number
}

export const ITEM_STATUSES = ['queued', 'processing', 'ready', 'failed'] as const
export type ItemStatus = (typeof ITEM_STATUSES)[number]

export interface FileRecord {
  readonly item_id: string
  readonly source_type: SourceType
  readonly file_name: string
  /** Extension: its path or name at its source, else the title of the document. */
  readonly title?: string
  readonly content_type: string
  readonly size_bytes: number
  readonly status: ItemStatus
  readonly memory_count: number
  /** ISO 8601, UTC. */
  readonly created_at: string
  readonly updated_at: string
  /** Why the item is `failed`, or why its next attempt is pending. */
  readonly error?: string
}

export interface FileList {
  readonly files: readonly FileRecord[]
  readonly total: number
  readonly limit: number
  readonly offset: number
}

export interface Download extends Fenceable {
  readonly body: Uint8Array
  readonly contentType: string
  readonly fileName: string
}

export interface ForgetResult {
  readonly status: 'success'
  readonly item_id: string
  readonly source_type: SourceType
  readonly deleted_memories: number
}

/** The content object of a memory (specification 2.2): every field is optional because it depends on the source. */
export interface MemoryContent {
  /** First-person account, written for the `user_name` of the upload. */
  readonly narrative?: string
  readonly headline?: string
  /** The passage the memory was made from, verbatim but for redactions. */
  readonly body?: string
  readonly participants?: readonly string[]
  /** Free-text time of the event, e.g. `2026-03-04 10:00` or `12 May 2026, 10:00 to 11:00`. */
  readonly when?: string
  readonly where?: string | null
  /** Extension: the original, where it came from: an address for a browser. */
  readonly url?: string
  readonly tags?: readonly string[]
  readonly other_entities?: readonly OtherEntity[]
}

export interface OtherEntity {
  readonly entity_name: string
  readonly entity_type: string
}

/** Content as recall gives it, which knows of other memories. All fields of its own are extensions. */
export interface RecalledContent extends MemoryContent {
  /** Memories that say the same to the word, and are therefore no results of their own. */
  readonly also_in?: readonly MemoryCopy[]
  /** `custom_id` of the memory that holds now instead of this one. */
  readonly superseded_by?: string
  /** What held before this memory, newest first. */
  readonly supersedes?: readonly SupersededMemory[]
  /** The owner states by it what holds instead of what it supersedes. */
  readonly correction?: MadeEdit
  /** The owner wants it to rank higher. */
  readonly pin?: MadeEdit
}

/** Who corrected or pinned a memory, and when (ISO 8601, UTC). */
interface MadeEdit {
  readonly by: string
  readonly at: string
}

/** Where a text stands as well. */
interface Copy {
  readonly item_id: string
  readonly source: SourceType
  readonly when?: string
  readonly title?: string
  readonly url?: string
}

export interface MemoryCopy extends Copy {
  readonly custom_id: string
}

export interface SupersededMemory {
  readonly custom_id: string
  readonly item_id: string
  readonly when?: string
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
  /** The person who is asked about tells of themselves. */
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
