import { z } from 'zod'
import { ITEM_STATUSES } from '../domain/memory.ts'
import { SOURCE_TYPES } from '../domain/source-type.ts'

/*
 * What the client reads of an answer. Other servers implement the same interface, whose specification leaves fields
 * open, so what it does not promise is optional here, and what is unknown is passed over.
 */

const source = z.enum(SOURCE_TYPES)

export const uploadResponse = z.object({
  status: z.literal('success'),
  user_id: z.string(),
  item_id: z.string(),
  workflow_execution: z.string().default(''),
})

/** Extensions: a value of another form is passed over. */
const url = z
  .url({ protocol: /^https?$/, normalize: true })
  .max(2_000)
  .optional()
  .catch(undefined)
const madeEdit = z.object({ by: z.string(), at: z.string() }).optional().catch(undefined)
const provenance = {
  title: z.string().optional().catch(undefined),
  when: z.string().optional().catch(undefined),
  participants: z.array(z.string()).optional().catch(undefined),
  url,
}

const copy = {
  item_id: z.string(),
  source,
  when: z.string().optional().catch(undefined),
  title: z.string().optional().catch(undefined),
  url,
}
const supersededBy = z.string().optional().catch(undefined)

const content = z.object({
  narrative: z.string().optional(),
  headline: z.string().optional(),
  body: z.string().optional(),
  participants: z.array(z.string()).optional(),
  when: z.string().optional(),
  where: z.string().nullable().optional(),
  url,
  tags: z.array(z.string()).optional(),
  other_entities: z.array(z.object({ entity_name: z.string(), entity_type: z.string() })).optional(),
  also_in: z
    .array(z.object({ custom_id: z.string(), ...copy }))
    .optional()
    .catch(undefined),
  superseded_by: supersededBy,
  supersedes: z
    .array(z.object({ custom_id: z.string(), item_id: z.string(), when: z.string().optional() }))
    .optional()
    .catch(undefined),
  correction: madeEdit,
  pin: madeEdit,
})

/** `source` may be absent (specification 2.3). */
export const recallResponse = z.object({
  trace_id: z.string(),
  memories: z.array(
    z.object({
      custom_id: z.string(),
      item_id: z.string(),
      score: z.number(),
      source: source.optional(),
      content,
    }),
  ),
  qa: z.array(z.unknown()).default([]),
  chunks: z.array(z.unknown()).default([]),
  confidence: z.number().optional().catch(undefined),
  filters: z
    .object({
      sources: z.array(source).optional(),
      person: z.string().optional(),
      since: z.string().optional(),
      until: z.string().optional(),
    })
    .optional()
    .catch(undefined),
  notice: z.string().optional().catch(undefined),
})

/** Element fields are open in the specification: elements of another shape than ours are left out. */
export const qaResponse = z.object({
  question: z.string(),
  answer: z.string(),
  item_id: z.string(),
  source,
  score: z.number(),
})

export const chunkResponse = z.object({
  text: z.string(),
  item_id: z.string(),
  source,
  score: z.number(),
  ...provenance,
  also_in: z.array(z.object(copy)).optional().catch(undefined),
  superseded_by: supersededBy,
})

export const citationResponse = z.object({
  n: z.int().positive(),
  item_id: z.string(),
  source,
  quote: z.string(),
  ...provenance,
})

export const askResponse = z.object({
  response: z.string(),
  abstained: z.boolean().optional().catch(undefined),
  citations: z.array(z.unknown()).optional().catch(undefined),
  notice: z.string().optional().catch(undefined),
})

export const listResponse = z.object({
  files: z.array(
    z.object({
      item_id: z.string(),
      source_type: source,
      file_name: z.string(),
      title: z.string().optional(),
      content_type: z.string(),
      size_bytes: z.number(),
      status: z.enum(ITEM_STATUSES),
      memory_count: z.number(),
      created_at: z.string(),
      updated_at: z.string(),
      error: z.string().optional(),
    }),
  ),
  total: z.number(),
  limit: z.number(),
  offset: z.number(),
})

export const forgetResponse = z.object({
  status: z.literal('success'),
  item_id: z.string(),
  source_type: source,
  deleted_memories: z.number(),
})

export const errorResponse = z.object({ detail: z.string() })

export const correctionResponse = z.object({
  status: z.literal('success'),
  custom_id: z.string(),
  item_id: z.string(),
  source_type: source,
  corrects: z.string(),
})

export const pinResponse = z.object({ status: z.literal('success'), custom_id: z.string(), source_type: source })

export const undoResponse = z.object({ status: z.literal('success'), undone: z.number() })
