import type {
  CorrectionResult,
  EditKind,
  EditList,
  MarkResult,
  NoteResult,
  TagResult,
  UndoResult,
} from './change-results.ts'
import type {
  AskResult,
  Fenceable,
  FileList,
  ForgetResult,
  OpenResult,
  RecallResult,
  RecentResult,
  UploadResult,
} from './results.ts'
import type { SourceType } from './source-type.ts'

/**
 * The memory as clients see it: connectors memorize into it, MCP and the command line recall from it. Two
 * implementations with one contract suite: the service in process, and the REST client. Both are bound to one key, so
 * no method takes an account. Every method rejects with an `AppError`.
 */
export interface Memory {
  memorize(upload: Upload): Promise<UploadResult>
  recall(query: RecallQuery, options?: CallOptions): Promise<RecallResult>
  ask(question: AskQuery, options?: CallOptions): Promise<AskResult>
  /** Recent passages, the newest of each source first. */
  recent(query: RecentQuery, options?: CallOptions): Promise<RecentResult>
  /** The passages around a handle; `not_found` if the key can't read it. */
  open(query: OpenQuery, options?: CallOptions): Promise<OpenResult>
  list(query: ListQuery): Promise<FileList>
  /** Without a `sourceType`, every source of the key is searched. */
  download(ref: { readonly itemId: string; readonly sourceType?: SourceType }): Promise<Download>
  forget(ref: { readonly itemId: string; readonly sourceType: SourceType }): Promise<ForgetResult>
}

export interface CallOptions {
  /** Aborted when the caller no longer waits; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /** `trace_id` of the response and of log lines; a new one when absent. */
  readonly traceId?: string
}

/** Uploads of low priority are processed after all others, of any account, before old items are processed again. */
export const PRIORITIES = ['normal', 'low'] as const
export type Priority = (typeof PRIORITIES)[number]

export interface Upload {
  readonly body: Uint8Array
  readonly fileName: string
  readonly contentType?: string
  readonly userName: string
  readonly itemId?: string
  readonly sourceType?: SourceType
  /** `reject` (default): 409 when the item exists. `replace`: old memories stay until the new ones are ready. */
  readonly onConflict?: 'reject' | 'replace'
  /** Default: `normal`. */
  readonly priority?: Priority
  /** Name of the agent that wrote it, such as `claude-code 2.1`. */
  readonly agent?: string
  /** The connector that read it, such as `notion`, or the app of an export. */
  readonly connector?: string
}

/** Filters of a question. */
export interface MemoryFilters {
  /** Only what happened at or after / before this time. */
  readonly since?: TimeBound
  readonly until?: TimeBound
  /** Only what this person said, wrote or took part in: a name, part of one, or the start of a part. */
  readonly person?: string
  /**
   * Only what is from this project or mentions it: a repository (`shop` or `acme/shop`), a folder, a project or a
   * channel.
   */
  readonly project?: string
  /** Only items of this connector, by ID or title: `notion`, `jira`, `whatsapp`. */
  readonly connector?: string
  /** Only items with this tag; case does not matter. */
  readonly tag?: string
}

export interface RecallQuery extends MemoryFilters {
  readonly text: string
  readonly source?: SourceType
  /** Maximum number of memories, and of chunks. 1 to 100. */
  readonly limit?: number
  /** The state at the end of this time: later items are not found, and `yesterday` is relative to it. */
  readonly asOf?: TimeBound
}

/** A query for recent passages. */
export interface RecentQuery extends MemoryFilters {
  /** Absent: everything that the key can read. */
  readonly source?: SourceType
  /** Maximum number of items: 1 to 100; 20 when absent. */
  readonly limit?: number
}

/**
 * A time, or words for one: an ISO 8601 time or date (UTC without an offset), a month (`2026-03`), a year, or words
 * (`yesterday`, `last week`, `March 2026`) in the account's time zone.
 */
export type TimeBound = Date | string

export interface AskQuery extends MemoryFilters {
  readonly text: string
  /** As in `RecallQuery`. */
  readonly asOf?: TimeBound
  /** Earlier questions and answers, latest last, for understanding a follow-up question. */
  readonly context?: string
}

/**
 * Marks on a memory. `pin`: it ranks higher. `hide`: it, its corrections and its notes are left out of every answer;
 * its item stays.
 */
export const MEMORY_MARKS = ['pin', 'hide'] as const
export type MemoryMark = (typeof MEMORY_MARKS)[number]

/**
 * A memory that its owner can correct and annotate. `custom_id` as returned by recall; rejects with `not_found` when it does not
 * exist.
 */
export interface EditableMemory extends Memory {
  /** Stores a correction, which replaces the memory in every answer. Deleting the correction's item undoes it. */
  correct(edit: { readonly memory: MemoryRef; readonly text: string }): Promise<CorrectionResult>
  /** Undoes all corrections of a memory, or the given correction. Returns how many. */
  undoCorrection(memory: MemoryRef): Promise<UndoResult>
  /**
   * Stores a note on a memory, which stays unchanged. A memory can have several. Deleting the note's item undoes it.
   */
  note(edit: { readonly memory: MemoryRef; readonly text: string }): Promise<NoteResult>
  /** Undoes all notes on a memory, or the given note. Returns how many. */
  undoNote(memory: MemoryRef): Promise<UndoResult>
  /** Marking it again changes nothing. */
  mark(mark: MemoryMark, memory: MemoryRef): Promise<MarkResult>
  /** Returns 0 if it had no such mark. */
  unmark(mark: MemoryMark, memory: MemoryRef): Promise<UndoResult>
  /** What people changed, newest first. */
  edits(query: EditQuery): Promise<EditList>
  /** Undoes one of them by its ID. Rejects with `not_found` when it does not exist. */
  undoEdit(id: string): Promise<UndoResult>
}

export interface EditQuery {
  /** Absent: all. */
  readonly kind?: EditKind
  /** 1 to 200; 50 when absent. */
  readonly limit?: number
  readonly offset?: number
}

/** A memory whose items people can tag. */
export interface TaggableMemory extends Memory {
  /** Rejects with `not_found` when the item does not exist. */
  tags(ref: { readonly itemId: string; readonly sourceType: SourceType }): Promise<TagResult>
  /**
   * Adds and removes tags of an item. Tags are compared without case. Rejects with `invalid` when the item would have
   * more than 20, and with `not_found` when it does not exist.
   */
  tag(change: {
    readonly itemId: string
    readonly sourceType: SourceType
    readonly add?: readonly string[]
    readonly remove?: readonly string[]
  }): Promise<TagResult>
}

export interface MemoryRef {
  readonly customId: string
  /** Without it, every source of the key is searched. */
  readonly sourceType?: SourceType
}

export interface OpenQuery {
  /** As in results: `r12.7` or `r12.7-9`; or `slack/ITEM`, for the beginning of an item. */
  readonly handle: string
  /** Passages before and after it: 0 to 20; 3 when absent. */
  readonly around?: number
}

export interface ListQuery {
  readonly sourceType: SourceType
  /** This and `tag`: as in `MemoryFilters`. */
  readonly connector?: string
  readonly tag?: string
  /** 1 to 10,000; 1,000 when absent. */
  readonly limit?: number
  readonly offset?: number
}

export interface Download extends Fenceable {
  readonly body: Uint8Array
  readonly contentType: string
  readonly fileName: string
}

/** The parts of a score, in display order. */
export const EXPLANATION_KINDS = [
  /** Query words in the text itself, also adjacent ones. */
  'words',
  /** Query words in the speaker, the heading or the date. */
  'names',
  /** Similarity of meaning, by tokens and by vector. */
  'meaning',
  /** The chunks before and after it. */
  'around',
  /** It is in the time range of the question. */
  'time',
  /** It contains the kind of words that answer the question: a time for "when". */
  'answer',
  /** The person in the question speaks about themselves. */
  'self',
  /** Its length. */
  'length',
  /** The question names its source. */
  'source',
  /** The reranker's score. */
  'reranker',
  /** It takes the rank of what it replaces, or ranks behind its replacement. */
  'update',
  /** The owner pinned it, or corrected something with it. */
  'edit',
] as const
export type ExplanationKind = (typeof EXPLANATION_KINDS)[number]
