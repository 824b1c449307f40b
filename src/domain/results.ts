import { z } from 'zod'
import { HANDLE } from './handle.ts'
import { SOURCE_TYPES } from './source-type.ts'

/*
 * The memory's responses, in the terms of the specification. Types, validation and openapi.json are derived from these
 * declarations. Fields beyond the specification are marked as extensions, and other servers omit them.
 */

/** A response that is fenced for agents. */
export interface Fenceable {
  /**
   * Fence id by which the memory recognizes the text later (`recalled-fence.ts`). Extension: absent from other servers.
   */
  readonly fence?: string
}

export const sourceType = z.enum(SOURCE_TYPES).meta({ id: 'SourceType', description: 'Where an item comes from.' })

export const ITEM_STATUSES = ['queued', 'processing', 'ready', 'failed'] as const
export type ItemStatus = (typeof ITEM_STATUSES)[number]

export const uploadResult = z
  .object({
    status: z.literal('success'),
    user_id: z.string(),
    item_id: z.string(),
    workflow_execution: z.string().meta({ description: 'Reference of the processing. Clients need not use it.' }),
  })
  .meta({
    id: 'UploadResult',
    examples: [
      {
        status: 'success',
        user_id: 'user_8f14e45f',
        item_id: 'meeting-2026-03-04',
        workflow_execution: 'accounts/acct_1/workflows/memorize/executions/7d0c',
      },
    ],
  })
export type UploadResult = z.infer<typeof uploadResult>

const originalUrl = z.string().optional().meta({ description: 'Extension. Link to the original.', format: 'uri' })

const handle = z
  .string()
  .regex(HANDLE)
  .optional()
  .meta({
    description: 'Extension. Short name of the passage: number of the item, first and last position in its text.',
    examples: ['r12.7'],
  })

const agent = z.string().optional().meta({ description: 'Extension. Name of the agent that wrote it.' })

const connector = z
  .string()
  .optional()
  .meta({
    description: 'Extension. Connector that read the item, or app of an export.',
    examples: ['notion'],
  })

const tags = z
  .array(z.string())
  .readonly()
  .optional()
  .meta({ description: 'Extension. Tags of the item.', examples: [['taxes 2026']] })

const provenance = {
  title: z.string().optional().meta({ description: 'Extension. Title of the item.' }),
  when: z.string().optional().meta({ description: 'Extension. Time of the event, as text.' }),
  participants: z.array(z.string()).readonly().optional().meta({ description: 'Extension. Speakers or authors.' }),
  url: originalUrl,
  agent,
  connector,
}
/** Metadata of the item that contains a passage. */
export type Provenance = Readonly<z.infer<z.ZodObject<typeof provenance>>>

const copy = {
  item_id: z.string(),
  source: sourceType,
  when: z.string().optional().meta({ description: 'Free text.' }),
  title: z.string().optional(),
  url: originalUrl,
}

export const memoryCopy = z.object({ custom_id: z.string(), ...copy })
/** A memory with the same text as another, and its source. */
export type MemoryCopy = Readonly<z.infer<typeof memoryCopy>>

export const chunkCopy = z.object(copy)

const supersededMemory = z.object({ custom_id: z.string(), item_id: z.string(), when: z.string().optional() })
export type SupersededMemory = Readonly<z.infer<typeof supersededMemory>>

/** Who corrected, annotated or pinned a memory, and when (ISO 8601, UTC). */
const madeEdit = z.object({ by: z.string(), at: z.string().meta({ format: 'date-time' }) })

const notes = z
  .array(madeEdit.extend({ text: z.string(), item_id: z.string() }))
  .readonly()
  .optional()
  .meta({ description: "Extension. The owner's notes on this memory, oldest first, with their own items." })
export type ResultNotes = NonNullable<z.infer<typeof notes>>

const content = {
  narrative: z.string().optional().meta({ description: 'First-person account.' }),
  headline: z.string().optional(),
  body: z.string().optional().meta({ description: 'The passage it was extracted from.' }),
  participants: z.array(z.string()).readonly().optional(),
  when: z.string().optional().meta({ description: 'Free text.' }),
  where: z.string().nullable().optional(),
  url: originalUrl,
  tags: z.array(z.string()).readonly().optional(),
  other_entities: z
    .array(z.object({ entity_name: z.string(), entity_type: z.string() }))
    .readonly()
    .optional(),
}
/**
 * The content object of a memory (specification 2.2), as it is stored. The narrative is in the first person of the
 * upload's `user_name`, the body is verbatim except for redactions, and `when` is e.g. `2026-03-04 10:00` or `12 May
 * 2026, 10:00 to 11:00`.
 */
export type MemoryContent = Readonly<z.infer<z.ZodObject<typeof content>>>
export type OtherEntity = NonNullable<MemoryContent['other_entities']>[number]

export const recalledContent = z
  .object({
    ...content,
    agent,
    also_in: z.array(memoryCopy).readonly().optional().meta({
      description: 'Extension. Memories with the same text, which are not returned separately.',
    }),
    superseded_by: z.string().optional().meta({
      description: 'Extension. `custom_id` of the memory that replaces this one.',
    }),
    supersedes: z
      .array(supersededMemory)
      .readonly()
      .optional()
      .meta({ description: 'Extension. The memories that this one replaces, newest first.' }),
    correction: madeEdit.optional().meta({
      description: 'Extension. Present if the owner wrote this memory to correct what it supersedes.',
    }),
    note: madeEdit.extend({ item_id: z.string() }).optional().meta({
      description: 'Extension. Present if the owner wrote this memory as a note on a memory of this item.',
    }),
    notes,
    pin: madeEdit
      .optional()
      .meta({ description: 'Extension. Present if the owner pinned it; pinned memories rank higher.' }),
  })
  .meta({ id: 'MemoryContent', description: 'Every field depends on the source and may be absent.' })
/** Content as a recall gives it, which knows of other memories. */
export type RecalledContent = Readonly<z.infer<typeof recalledContent>>

const notice = z.string().optional().meta({
  description: 'Extension. Why the response is limited, for example because a model does not respond.',
})

/** Comparable between queries. */
const score = z.number().meta({ description: 'Relevance from 0 to 1; higher is more relevant.' })

export const memoryResult = z
  .object({
    custom_id: z.string().meta({ description: '`<item_id>_memory_<index>`' }),
    item_id: z.string(),
    score,
    source: sourceType,
    connector,
    tags,
    handle,
    content: recalledContent,
  })
  .meta({ id: 'MemoryResult' })
export type MemoryResult = Readonly<z.infer<typeof memoryResult>>

export const qaResult = z
  .object({ question: z.string(), answer: z.string(), item_id: z.string(), source: sourceType, score })
  .meta({ id: 'QaResult' })
export type QaResult = Readonly<z.infer<typeof qaResult>>

export const chunkResult = z
  .object({
    text: z.string(),
    item_id: z.string(),
    source: sourceType,
    score,
    handle,
    ...provenance,
    tags,
    also_in: z.array(chunkCopy).readonly().optional().meta({
      description: 'Extension. Chunks with the same text, which are not returned separately.',
    }),
    superseded_by: z.string().optional().meta({
      description: 'Extension. `custom_id` of the memory that replaces this statement.',
    }),
  })
  .meta({ id: 'ChunkResult' })
export type ChunkResult = Readonly<z.infer<typeof chunkResult>>

/** Times are ISO 8601, `until` exclusive. */
export const recallFilters = z
  .object({
    sources: z.array(sourceType).readonly().optional(),
    connector: z.string().optional(),
    person: z.string().optional(),
    since: z.string().optional(),
    until: z.string().optional(),
  })
  .meta({
    id: 'RecallFilters',
    description: 'Extension. Filters found in the question, such as `emails from Priya last week`.',
  })
export type RecallFilters = Readonly<z.infer<typeof recallFilters>>

export const recallResult = z
  .object({
    trace_id: z.uuid(),
    memories: z.array(memoryResult).readonly(),
    qa: z.array(qaResult).readonly(),
    chunks: z.array(chunkResult).readonly(),
    confidence: z.number().optional().meta({
      description:
        'Extension. Probability from 0 to 1 that the best result is relevant. If low, the results share words with the question but may not answer it.',
    }),
    filters: recallFilters.optional(),
    notice,
  })
  .meta({
    id: 'RecallResult',
    examples: [
      {
        trace_id: 'b3f0c2de-5a1b-4b6e-9a2e-0d6f5f1f7c11',
        memories: [
          {
            custom_id: 'meeting-2026-03-04_memory_0',
            item_id: 'meeting-2026-03-04',
            score: 0.87,
            source: 'text',
            content: { narrative: 'I agreed with Grace to start the billing migration on 1 April.', tags: ['billing'] },
          },
        ],
        qa: [],
        chunks: [],
      },
    ],
  })
export type RecallResult = Readonly<z.infer<typeof recallResult>> & Fenceable

export const citation = z
  .object({
    n: z.int().min(1).meta({ description: 'Its number in `response`: `[1]`.' }),
    item_id: z.string(),
    source: sourceType,
    quote: z.string().meta({ description: 'The words that `response` quotes.' }),
    handle,
    notes,
    ...provenance,
  })
  .meta({ id: 'Citation' })
export type Citation = Readonly<z.infer<typeof citation>>

export const askResult = z
  .object({
    response: z.string(),
    abstained: z.boolean().optional().meta({
      description:
        'Extension, with `citations=true`. `true` if no answer was found; `response` states that and may quote the closest passages.',
    }),
    citations: z
      .array(citation)
      .readonly()
      .optional()
      .meta({ description: 'Extension, with `citations=true`. What `response` quotes, in the order of its numbers.' }),
    notice,
  })
  .meta({
    id: 'AskResult',
    examples: [
      {
        response: 'Grace (4 March 2026): “It starts on 1 April.” [1]\n\n[1] text, 4 March 2026, meeting-2026-03-04',
        abstained: false,
        citations: [
          {
            n: 1,
            item_id: 'meeting-2026-03-04',
            source: 'text',
            quote: 'It starts on 1 April.',
            title: 'Billing meeting',
            when: '4 March 2026, 10:12',
            participants: ['Grace'],
            url: 'https://wiki.example.com/meetings/2026-03-04',
          },
        ],
      },
    ],
  })
export type AskResult = Readonly<z.infer<typeof askResult>> & Fenceable

const MOST_PASSAGES = 999_999_999

export const openedPassage = z.object({ handle: z.string().regex(HANDLE), text: z.string(), notes, ...provenance })

export const openResult = z
  .object({
    item_id: z.string(),
    source: sourceType,
    before: z.int().min(0).max(MOST_PASSAGES).meta({ description: 'Passages of the item before these.' }),
    passages: z.array(openedPassage).readonly().meta({ description: 'In the order of the text.' }),
    after: z.int().min(0).max(MOST_PASSAGES).meta({ description: 'Passages of the item after these.' }),
  })
  .meta({ id: 'OpenResult' })
export type OpenResult = Readonly<z.infer<typeof openResult>> & Fenceable

export const recentPassage = z.object({
  handle: z.string().regex(HANDLE),
  item_id: z.string(),
  source: sourceType,
  text: z.string(),
  notes,
  ...provenance,
  tags,
  where: z.string().optional().meta({ description: 'Repository, folder, project or channel.' }),
})
export type RecentPassage = Readonly<z.infer<typeof recentPassage>>

export const recentResult = z
  .object({
    passages: z.array(recentPassage).readonly().meta({
      description: 'The latest item of each source, then the second latest of each, and so on: the end of each item.',
    }),
  })
  .meta({ id: 'RecentResult' })
export type RecentResult = Readonly<z.infer<typeof recentResult>> & Fenceable

export const fileRecord = z
  .object({
    item_id: z.string(),
    source_type: sourceType,
    file_name: z.string(),
    title: z.string().optional().meta({
      description: 'Extension. Its path or name in the source, otherwise the title of the document.',
    }),
    content_type: z.string(),
    size_bytes: z.int(),
    status: z.enum(ITEM_STATUSES),
    memory_count: z.int(),
    agent,
    connector,
    tags,
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    error: z.string().optional().meta({ description: 'Why it failed, or why its next attempt is pending.' }),
  })
  .meta({ id: 'File' })
export type FileRecord = Readonly<z.infer<typeof fileRecord>>

export const fileList = z
  .object({ files: z.array(fileRecord).readonly(), total: z.int(), limit: z.int(), offset: z.int() })
  .meta({
    id: 'FileList',
    examples: [
      {
        files: [
          {
            item_id: 'meeting-2026-03-04',
            source_type: 'text',
            file_name: 'meeting.md',
            content_type: 'text/markdown',
            size_bytes: 2_048,
            status: 'ready',
            memory_count: 7,
            created_at: '2026-03-04T10:00:00.000Z',
            updated_at: '2026-03-04T10:00:01.000Z',
          },
        ],
        total: 1,
        limit: 1_000,
        offset: 0,
      },
    ],
  })
export type FileList = Readonly<z.infer<typeof fileList>>

export const forgetResult = z
  .object({
    status: z.literal('success'),
    item_id: z.string(),
    source_type: sourceType,
    deleted_memories: z.int(),
  })
  .meta({
    id: 'DeleteResult',
    examples: [{ status: 'success', item_id: 'meeting-2026-03-04', source_type: 'text', deleted_memories: 7 }],
  })
export type ForgetResult = Readonly<z.infer<typeof forgetResult>>
