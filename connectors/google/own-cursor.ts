import type { z } from 'zod'
import { SourceError } from '../../src/connector/source-error.ts'

/** The cursor of a kind of partition; one of another kind can only come from a damaged ledger. @throws SourceError `restart` */
export function ownCursor<T>(schema: z.ZodType<T>, from: unknown): T | undefined {
  if (from === undefined) return undefined
  const read = schema.safeParse(from)
  if (read.success) return read.data
  throw new SourceError('restart', 'The cursor belongs to another kind of partition.')
}
