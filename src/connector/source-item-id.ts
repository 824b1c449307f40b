import { createHash } from 'node:crypto'

/** Longest `item_id` of the specification, in characters. */
const LONGEST = 500
const KEPT_OF_A_LONG_ID = 440
const ACCOUNT_DIGITS = 10

/** A named part: `day=2026-11-20`, `s=0001`. */
export interface NamedPart {
  /** Letters only. */
  readonly name: string
  readonly value: string
}

/**
 * The `item_id` of an object in a source: `provider:part:part...`. Deterministic; within one pattern of parts,
 * different values give different ids: forbidden characters and those with a meaning here are escaped as `=` and two
 * hexadecimal digits per UTF-8 byte, so `.` is `=2E` and a `:` inside a part is `=3A`. An id longer than 500 characters
 * is shortened and ends in a hash.
 * @param parts immutable identifiers, never names that can change
 */
export function sourceItemId(provider: string, ...parts: readonly (string | NamedPart)[]): string {
  const id = [provider, ...parts.map(written)].join(':')
  if (id.length <= LONGEST) return id
  return `${id.slice(0, KEPT_OF_A_LONG_ID)}:h=${createHash('sha256').update(id).digest('base64url')}`
}

/** A short, stable id of an account for use in an `item_id`. @param account the immutable id from `check` */
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

/** A digest for revisions, equal for equal values: 132 bits of the SHA-256 of the JSON. */
export function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22)
}
