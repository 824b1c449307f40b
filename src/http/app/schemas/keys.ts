import { z } from 'zod'
import { SOURCE_TYPES, type SourceType } from '../../../domain/source-type.ts'

/** `all`, or a list; an empty list gives access to nothing. */
const keySources = z.union([z.literal('all'), z.array(z.enum(SOURCE_TYPES))], {
  error: 'must be "all" or a list of source types',
})

export interface ApiKey {
  readonly id: string
  readonly name: string
  readonly sources: 'all' | SourceType[]
  /** The first key of every account; it can be regenerated, but not deleted. */
  readonly is_default: boolean
  readonly created_at: string
  readonly last_used_at: string | null
}

/** `GET /app/api/keys`; never includes the value of a key. */
export interface KeyList {
  readonly keys: ApiKey[]
  /** Maximum keys of an account. */
  readonly most: number
}

/** `POST /app/api/keys` */
export const newKey = z.strictObject({
  name: z.string({ error: 'must be text' }),
  sources: keySources,
})
export type NewKey = z.infer<typeof newKey>

/** The response to a created or regenerated key: the only one with its value. */
export interface ShownKey extends ApiKey {
  readonly value: string
}

export const keyReference = z.object({ id: z.string() })
