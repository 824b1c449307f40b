import { z } from 'zod'

/* What the REST interface answers beside what a memory does (src/domain/results.ts). */

export const health = z
  .object({ status: z.literal('healthy'), message: z.string() })
  .meta({ id: 'Health', examples: [{ status: 'healthy', message: 'The recalld platform API is running.' }] })

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
