import { createHash } from 'node:crypto'

/** Equal for equal values, as a revision has to be: 132 bits of the SHA-256 of its JSON. */
export function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22)
}
