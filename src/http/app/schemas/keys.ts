import { z } from 'zod'
import { SOURCE_TYPES, type SourceType } from '../../../domain/source-type.ts'

/** `all`, or those that are named; an empty list gives access to nothing. */
const keySources = z.union([z.literal('all'), z.array(z.enum(SOURCE_TYPES))], {
  error: 'must be "all" or a list of source types',
})

export interface ApiKey {
  readonly id: string
  readonly name: string
  readonly sources: 'all' | SourceType[]
  /** The one that every account begins with; it can be regenerated, not deleted. */
  readonly is_default: boolean
  readonly created_at: string
  readonly last_used_at: string | null
}

/** `GET /app/api/keys`; never with the value of one. */
export interface KeyList {
  readonly keys: ApiKey[]
  /** Keys that an account may have. */
  readonly most: number
}

/** `POST /app/api/keys` */
export const newKey = z.strictObject({
  name: z.string({ error: 'must be text' }),
  sources: keySources,
})
export type NewKey = z.infer<typeof newKey>

/** The answer to a key made or regenerated: the only one that holds its value. */
export interface ShownKey extends ApiKey {
  readonly value: string
}

export const keyReference = z.object({ id: z.string() })
