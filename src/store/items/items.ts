import type { Priority } from '../../domain/memory.ts'
import type { ItemStatus } from '../../domain/results.ts'
import type { SourceType } from '../../domain/source-type.ts'
import type { StatedKind } from '../edits/edits.ts'

/** For the whole account, whatever the sources of the scope, because quotas and limits apply to the account. */
export interface Holdings {
  readonly items: number
  readonly bytes: number
  readonly memories: number
  /** Items waiting for processing, except reprocessing in the background. */
  readonly waiting: number
  /** Items whose last processing failed. */
  readonly failed: number
}

export interface NewItem {
  readonly itemId: string
  readonly sourceType: SourceType
  readonly userId: string
  readonly userName: string
  readonly fileName: string
  readonly contentType: string
  readonly body: Uint8Array
  /** SHA-256 of the body, lowercase hexadecimal. */
  readonly bodyHash: string
  /** `workflow_execution` of this upload. */
  readonly executionId: string
  readonly onConflict: 'reject' | 'replace'
  /** Default: `normal`. */
  readonly priority?: Priority
  /** The agent that wrote the item with a tool. */
  readonly agent?: string
  /** The connector that read it, or the app of an export. */
  readonly connector?: string
  /** The edit stored with an item that corrects or annotates a memory. The passage is encoded by `passageBytes`. */
  readonly states?: { readonly kind: StatedKind; readonly itemId: string; readonly passage: Uint8Array }
  /** For imported items: when it was first uploaded, and when these bytes were. Default: now. */
  readonly came?: { readonly createdAt: Date; readonly uploadedAt: Date }
}

export type PutOutcome =
  | { readonly outcome: 'created' | 'replaced' | 'unchanged'; readonly executionId: string }
  /** The triple exists (`ready`, `failed`) or is being processed (`queued`, `processing`). */
  | { readonly outcome: 'conflict'; readonly status: ItemStatus }

export interface ListedItems {
  readonly sourceType: SourceType
  readonly connector?: string
  readonly tag?: string
  readonly limit: number
  readonly offset: number
}

export interface ItemRow {
  readonly itemId: string
  readonly sourceType: SourceType
  readonly fileName: string
  /** Title of the document, once it is processed. */
  readonly title: string | undefined
  readonly contentType: string
  readonly sizeBytes: number
  readonly status: ItemStatus
  readonly memoryCount: number
  readonly agent: string | undefined
  readonly connector: string | undefined
  readonly tags: readonly string[]
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly error: string | undefined
}
