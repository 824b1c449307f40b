import { z } from 'zod'
import {
  type AskResult,
  type CorrectionResult,
  type FileList,
  type FileRecord,
  type ForgetResult,
  ITEM_STATUSES,
  type PinResult,
  type RecallResult,
  type UndoResult,
  type UploadResult,
} from '../../domain/memory.ts'
import { sourceType } from './schemas.ts'

/* What the REST interface answers; /openapi.json is generated from it. */

export const health = z
  .object({ status: z.literal('healthy'), message: z.string() })
  .meta({ id: 'Health', examples: [{ status: 'healthy', message: 'The recalld platform API is running.' }] })

export const uploadResult: z.ZodType<UploadResult> = z
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

const originalUrl = z
  .string()
  .optional()
  .meta({ description: 'Extension. The original, where it came from: an address for a browser.', format: 'uri' })

/** What is known of the item that a passage stands in. */
const provenance = {
  title: z.string().optional().meta({ description: 'Extension. Title of the item.' }),
  when: z.string().optional().meta({ description: 'Extension. Time of what is told, in free text.' }),
  participants: z.array(z.string()).optional().meta({ description: 'Extension. Who says it.' }),
  url: originalUrl,
}

/** Where a text stands as well. */
const copy = {
  item_id: z.string(),
  source: sourceType,
  when: z.string().optional().meta({ description: 'Free text.' }),
  title: z.string().optional(),
  url: originalUrl,
}

const superseded = { custom_id: z.string(), item_id: z.string(), when: z.string().optional() }

const madeEdit = z.object({ by: z.string(), at: z.string().meta({ format: 'date-time' }) })

const memoryContent = z
  .object({
    narrative: z.string().optional().meta({ description: 'First-person account.' }),
    headline: z.string().optional(),
    body: z.string().optional().meta({ description: 'The passage it was made from.' }),
    participants: z.array(z.string()).optional(),
    when: z.string().optional().meta({ description: 'Free text.' }),
    where: z.string().nullable().optional(),
    url: originalUrl,
    tags: z.array(z.string()).optional(),
    other_entities: z.array(z.object({ entity_name: z.string(), entity_type: z.string() })).optional(),
    also_in: z
      .array(z.object({ custom_id: z.string(), ...copy }))
      .optional()
      .meta({
        description: 'Extension. Memories that say the same to the word, and are therefore no results of their own.',
      }),
    superseded_by: z.string().optional().meta({
      description: 'Extension. `custom_id` of the memory that holds now instead of this one.',
    }),
    supersedes: z
      .array(z.object(superseded))
      .optional()
      .meta({ description: 'Extension. What held before this memory, newest first.' }),
    correction: madeEdit.optional().meta({
      description: 'Extension. The owner states by this memory what holds instead of what it supersedes.',
    }),
    pin: madeEdit.optional().meta({ description: 'Extension. The owner pinned it, so that it ranks higher.' }),
  })
  .meta({ id: 'MemoryContent', description: 'Every field depends on the source and may be absent.' })

const notice = z.string().optional().meta({
  description: 'Extension. Why the answer is less than it could be, such as a model that does not answer.',
})

const score = z.number().meta({ description: 'Relevance from 0 to 1; higher is more relevant.' })

export const recallResult: z.ZodType<RecallResult> = z
  .object({
    trace_id: z.uuid(),
    memories: z.array(
      z
        .object({
          custom_id: z.string().meta({ description: '`<item_id>_memory_<index>`' }),
          item_id: z.string(),
          score,
          source: sourceType,
          content: memoryContent,
        })
        .meta({ id: 'MemoryResult' }),
    ),
    qa: z.array(
      z
        .object({ question: z.string(), answer: z.string(), item_id: z.string(), source: sourceType, score })
        .meta({ id: 'QaResult' }),
    ),
    chunks: z.array(
      z
        .object({
          text: z.string(),
          item_id: z.string(),
          source: sourceType,
          score,
          ...provenance,
          also_in: z.array(z.object(copy)).optional().meta({
            description: 'Extension. Chunks that say the same to the word, and are therefore no results of their own.',
          }),
          superseded_by: z.string().optional().meta({
            description: 'Extension. `custom_id` of the memory that holds now instead of what this chunk says.',
          }),
        })
        .meta({ id: 'ChunkResult' }),
    ),
    confidence: z.number().optional().meta({
      description:
        'Extension. Probability from 0 to 1 that the best result is relevant. Low: the results share words with the question but may not answer it.',
    }),
    filters: z
      .object({
        sources: z.array(sourceType).optional(),
        person: z.string().optional(),
        since: z.string().optional(),
        until: z.string().optional(),
      })
      .optional()
      .meta({
        id: 'RecallFilters',
        description:
          'Extension. What the question itself restricted the results to, such as `emails from Priya last week`.',
      }),
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

const citation = z
  .object({
    n: z.int().min(1).meta({ description: 'Its number in `response`: `[1]`.' }),
    item_id: z.string(),
    source: sourceType,
    quote: z.string().meta({ description: 'The words that `response` quotes.' }),
    ...provenance,
  })
  .meta({ id: 'Citation' })

export const askResult: z.ZodType<AskResult> = z
  .object({
    response: z.string(),
    abstained: z.boolean().optional().meta({
      description:
        'Extension, with `citations=true`. Nothing was found that answers; `response` says so, and may show what comes closest.',
    }),
    citations: z
      .array(citation)
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

const fileRecord: z.ZodType<FileRecord> = z
  .object({
    item_id: z.string(),
    source_type: sourceType,
    file_name: z.string(),
    title: z.string().optional().meta({
      description: 'Extension: its path or name at its source, else the title of the document.',
    }),
    content_type: z.string(),
    size_bytes: z.int(),
    status: z.enum(ITEM_STATUSES),
    memory_count: z.int(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    error: z.string().optional().meta({ description: 'Why it failed, or why its next attempt is pending.' }),
  })
  .meta({ id: 'File' })

export const fileList: z.ZodType<FileList> = z
  .object({ files: z.array(fileRecord), total: z.int(), limit: z.int(), offset: z.int() })
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

export const forgetResult: z.ZodType<ForgetResult> = z
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

export const errorBody = z
  .object({
    detail: z.string().meta({ description: 'What is wrong and what to do about it.' }),
    errors: z
      .array(z.object({ field: z.string(), message: z.string() }))
      .optional()
      .meta({ description: 'With 422: each field at fault.' }),
  })
  .meta({ id: 'Error', examples: [{ detail: 'query text is required; text must not be blank' }] })

export type ErrorBody = z.infer<typeof errorBody>

/** A body as it was uploaded. */
export const originalFile: z.ZodType<unknown> = z.file()

export const correctionResult: z.ZodType<CorrectionResult> = z
  .object({
    status: z.literal('success'),
    custom_id: z.string().meta({ description: 'Of the correction, which can be recalled a moment later.' }),
    item_id: z.string(),
    source_type: sourceType,
    corrects: z.string(),
  })
  .meta({ id: 'CorrectionResult' })

export const pinResult: z.ZodType<PinResult> = z
  .object({ status: z.literal('success'), custom_id: z.string(), source_type: sourceType })
  .meta({ id: 'PinResult' })

export const undoResult: z.ZodType<UndoResult> = z
  .object({ status: z.literal('success'), undone: z.number().int() })
  .meta({ id: 'UndoResult' })
