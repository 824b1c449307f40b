import { createHash, randomBytes } from 'node:crypto'

const SHAPE = /^[A-Za-z0-9_-]{43}$/

/** 256 random bits, as they stand in a link. */
export function newLinkToken(): string {
  return randomBytes(32).toString('base64url')
}

/** SHA-256; enough for a value that nobody can guess. */
export function hashLinkToken(token: string): Uint8Array {
  return createHash('sha256').update(token, 'utf8').digest()
}

export function looksLikeLinkToken(token: string): boolean {
  return SHAPE.test(token)
}
