import type { z } from 'zod'
import { InputError } from './problem.ts'

/**
 * Input by its schema: a required field that is absent is 422 `missing_field`, anything else that is wrong 400
 * `invalid`; absent fields are told first.
 *
 * @throws InputError naming each field at fault
 */
export function checkInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  const given = new Set(Object.keys(typeof input === 'object' && input !== null ? input : {}))
  const missing: Issue[] = []
  const invalid: Issue[] = []
  for (const issue of result.error.issues) {
    const field = String(issue.path[0] ?? 'request')
    if (!given.has(field)) missing.push({ field, message: 'is required' })
    else invalid.push({ field, message: asPredicate(issue.message) })
  }
  throw missing.length > 0 ? new InputError('missing_field', missing) : new InputError('invalid', invalid)
}

interface Issue {
  readonly field: string
  readonly message: string
}

// A parameter that is given twice arrives as a list.
function asPredicate(message: string): string {
  return message.startsWith('Invalid input') ? 'must be given once, as text' : message
}
