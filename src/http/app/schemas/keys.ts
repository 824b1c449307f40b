import { z } from 'zod'
import { SOURCE_TYPES } from '../../../domain/source-type.ts'

/** `all`, or those that are named; an empty list gives access to nothing. */
const keySources = z.union([z.literal('all'), z.array(z.enum(SOURCE_TYPES))], {
  error: 'must be "all" or a list of source types',
})

const apiKey = z.object({
  id: z.string(),
  name: z.string(),
  sources: keySources,
  /** The one that every account begins with; it can be regenerated, not deleted. */
  is_default: z.boolean(),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
})
export type ApiKey = z.infer<typeof apiKey>

/** `GET /app/api/keys`; never with the value of one. */
export const keyList = z.object({
  keys: z.array(apiKey),
  /** Keys that an account may have. */
  most: z.number(),
})
export type KeyList = z.infer<typeof keyList>

/** `POST /app/api/keys` */
export const newKey = z.strictObject({
  name: z.string({ error: 'must be text' }),
  sources: keySources,
})
export type NewKey = z.infer<typeof newKey>

/** The answer to a key made or regenerated: the only one that holds its value. */
export const shownKey = apiKey.extend({ value: z.string() })
export type ShownKey = z.infer<typeof shownKey>

export const keyReference = z.object({ id: z.string() })
