import { createHash } from 'node:crypto'

/** Longest `item_id` of the specification, in characters. */
const LONGEST = 500
const KEPT_OF_A_LONG_ID = 440
const ACCOUNT_DIGITS = 10

/** A part that carries its name: `day=2026-11-20`, `s=0001`. */
export interface NamedPart {
  /** Letters only. */
  readonly name: string
  readonly value: string
}

/**
 * The `item_id` of something in a source: `provider:part:part...`. Deterministic, and within one pattern of parts
 * different values give different ids: what the specification does not allow, and what has a meaning here, is written as
 * `=` and two hexadecimal digits per UTF-8 byte, so `.` is `=2E` and a `:` inside a part is `=3A`. An id that would be longer
 * than 500 characters ends in a hash of all of it.
 *
 * @param parts immutable identifiers, never names that can change
 */
export function sourceItemId(provider: string, ...parts: readonly (string | NamedPart)[]): string {
  const id = [provider, ...parts.map(written)].join(':')
  if (id.length <= LONGEST) return id
  return `${id.slice(0, KEPT_OF_A_LONG_ID)}:h=${createHash('sha256').update(id).digest('base64url')}`
}

/** Short and stable stand-in for an account in an `item_id`. @param account the immutable id that `check` gave */
export function accountPart(account: string): string {
  return createHash('sha256').update(account).digest('hex').slice(0, ACCOUNT_DIGITS)
}

function written(part: string | NamedPart): string {
  return typeof part === 'string' ? encoded(part) : `${part.name}=${encoded(part.value)}`
}

function encoded(value: string): string {
  return value.replace(/[^A-Za-z0-9_-]/gu, (character) =>
    [...Buffer.from(character, 'utf8')].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  )
}

/** Equal for equal values, as a revision has to be: 132 bits of the SHA-256 of its JSON. */
export function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22)
}
