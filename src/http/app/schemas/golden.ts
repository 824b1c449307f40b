import { z } from 'zod'
import { SOURCE_TYPES } from '../../../domain/source-type.ts'
import { conversation } from './recall.ts'

const MOST_ITEMS = 20

/** `POST /app/api/golden`: keeps a question with the items that answer it. */
export const newGoldenQuestion = z.strictObject({
  question: z.string({ error: 'must be text' }),
  /** Of a follow-up: the conversation before it, as for `POST /app/api/ask`. */
  context: conversation,
  items: z
    .array(
      z.object({
        source: z.enum(SOURCE_TYPES, { error: 'must be a supported source type' }),
        item_id: z.string().max(500, 'is too long'),
      }),
    )
    .min(1, 'must name an item')
    .max(MOST_ITEMS, `must name at most ${MOST_ITEMS} items`),
})
export type NewGoldenQuestion = z.infer<typeof newGoldenQuestion>

export interface GoldenQuestionReference {
  readonly number: number
}

/** `DELETE /app/api/golden/:number` */
export const goldenReference = z.object({ number: z.coerce.number().int().min(1) })
