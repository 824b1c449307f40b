import { z } from 'zod'
import {
  askResult,
  chunkCopy,
  chunkResult,
  citation,
  fileList,
  fileRecord,
  memoryCopy,
  memoryResult,
  openedPassage,
  openResult,
  recalledContent,
  recallResult,
  recentPassage,
  recentResult,
  uploadResult,
} from '../domain/results.ts'

/*
 * The responses that the client accepts. Other servers implement the same interface, whose specification leaves fields
 * open, so an optional field with an unexpected type is dropped instead of failing the whole response.
 */

/** The same schema, but an optional field with an unexpected type counts as absent. */
function lenient<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>): z.ZodObject<Shape> {
  const optional = Object.entries(schema.shape).filter(([, field]) => z.safeParse(field, undefined).success)
  const shape = Object.fromEntries(optional.map(([name, field]) => [name, z.catch(field, undefined)]))
  return z.object({ ...schema.shape, ...shape })
}

/** An address that may be shown as a link. */
const url = z
  .url({ protocol: /^https?$/, normalize: true })
  .max(2_000)
  .optional()
  .catch(undefined)

const content = lenient(recalledContent).extend({
  url,
  also_in: z.array(lenient(memoryCopy).extend({ url })).optional().catch(undefined),
})

export const uploadResponse = uploadResult.extend({ workflow_execution: z.string().default('') })

/** `source` may be absent (specification 2.3), and the elements of `qa` and `chunks` are not specified. */
export const recallResponse = lenient(recallResult).extend({
  trace_id: z.string(),
  memories: z.array(
    memoryResult.extend({
      source: memoryResult.shape.source.optional(),
      handle: memoryResult.shape.handle.catch(undefined),
      content,
    }),
  ),
  qa: z.array(z.unknown()).default([]),
  chunks: z.array(z.unknown()).default([]),
})

export const chunkResponse = lenient(chunkResult).extend({
  url,
  also_in: z.array(lenient(chunkCopy).extend({ url })).optional().catch(undefined),
})

export const citationResponse = lenient(citation).extend({ url })

export const askResponse = lenient(askResult).extend({
  citations: z.array(z.unknown()).optional().catch(undefined),
})

export const recentResponse = recentResult.extend({ passages: z.array(lenient(recentPassage).extend({ url })) })

export const openResponse = openResult.extend({ passages: z.array(lenient(openedPassage).extend({ url })) })

const listedFile = lenient(fileRecord).extend({ created_at: z.string(), updated_at: z.string() })

export const listResponse = fileList.extend({ files: z.array(listedFile) })

export const errorResponse = z.object({ detail: z.string() })
