import { z } from 'zod'

/**
 * What a language model answers for one batch. Nothing is optional, because providers that keep a model to a schema
 * want every field; lengths are limited when the answer is read, so that a long headline costs no second call.
 */
export const EXTRACT_ANSWER = z.object({
  memories: z
    .array(
      z.object({
        headline: z.string(),
        narrative: z.string().describe('first person, as the user'),
        participants: z.array(z.string()),
        when: z.string().nullable().describe('YYYY-MM-DD or YYYY-MM-DD HH:MM'),
        where: z.string().nullable(),
        tags: z.array(z.string()),
        entities: z.array(z.object({ name: z.string(), type: z.string() })),
        evidence: z
          .array(z.object({ chunk: z.int().describe('n of the passage'), quote: z.string() }))
          .min(1)
          .describe('verbatim'),
      }),
    )
    .describe('in the order of the passages'),
  qas: z.array(z.object({ question: z.string(), answer: z.string(), chunk: z.int() })),
})
export type ExtractAnswer = z.infer<typeof EXTRACT_ANSWER>
