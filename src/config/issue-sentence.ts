import type { z } from 'zod'
import { closestName } from '../lib/closest-name.ts'
import { expectedAt, namesAt } from './field-schema.ts'

/** How zod itself begins its messages; anything else was written for people by whoever made the schema. */
const OF_ZOD = /^(Invalid|Too |Unrecognized)/

/**
 * What is wrong, for a person: which setting, and what is allowed there. The value is never repeated, because it may be a
 * token.
 *
 * @param value what was checked, to tell what is missing from what is wrong
 */
export function issueSentence(issue: z.core.$ZodIssue, schema: z.ZodType, value: unknown): string {
  if (issue.code === 'unrecognized_keys') return unknownKey(issue.keys[0] ?? '', issue.path, schema)
  const field = fieldName(issue.path)
  if (!OF_ZOD.test(issue.message)) {
    return issue.message.startsWith('must ') && field !== '' ? `${field} ${issue.message}` : issue.message
  }
  const expected = expectedAt(schema, issue.path) ?? 'something else'
  const found = issue.path.reduce(inside, value)
  if (found === undefined) return `${field} is missing; it must be ${expected}`
  const quotes = expected.startsWith('a text') && (typeof found === 'number' || typeof found === 'boolean')
  return `${field} must be ${expected}${quotes ? '; put it in quotes' : ''}`
}

function unknownKey(key: string, path: readonly PropertyKey[], schema: z.ZodType): string {
  const known = namesAt(schema, path)
  const meant = closestName(key, known)
  const where = path.length === 0 ? '' : ` in ${fieldName(path)}`
  return `there is no setting ${key}${where}${meant === undefined ? '.' : `; did you mean ${meant}?`} Allowed: ${known.join(', ')}`
}

/** `paths`, `paths, entry 2`. */
function fieldName(path: readonly PropertyKey[]): string {
  return path.map((part) => (typeof part === 'number' ? `entry ${part + 1}` : String(part))).join(', ')
}

function inside(value: unknown, part: PropertyKey): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, part) : undefined
}
