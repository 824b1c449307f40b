import { z } from 'zod'

/* Responses of the REST interface other than the memory's (src/domain/results.ts). */

export const health = z
  .object({ status: z.literal('healthy'), message: z.string() })
  .meta({ id: 'Health', examples: [{ status: 'healthy', message: 'The recalld platform API is running.' }] })

export const errorBody = z
  .object({
    detail: z.string().meta({ description: 'The problem and the remedy.' }),
    errors: z
      .array(z.object({ field: z.string(), message: z.string() }))
      .optional()
      .meta({ description: 'With 422: each invalid field.' }),
  })
  .meta({ id: 'Error', examples: [{ detail: 'query text is required; text must not be blank' }] })

export type ErrorBody = z.infer<typeof errorBody>

/** A body as uploaded. */
export const originalFile: z.ZodType<unknown> = z.file()
