import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

const PREFIX = 'rk_'
const SHAPE = /^rk_[A-Za-z0-9_-]{43}$/

/** A new key: 256 random bits. Shown once; the store keeps its hash only. */
export function newKeySecret(): string {
  return PREFIX + randomBytes(32).toString('base64url')
}

/** SHA-256; enough for a value with 256 random bits, which nobody can guess, unlike a password. */
export function hashKey(secret: string): Uint8Array {
  return createHash('sha256').update(secret, 'utf8').digest()
}

/** Whether a text can be a key at all; what cannot is refused without looking it up. */
export function looksLikeKey(text: string): boolean {
  return SHAPE.test(text)
}

/** Compares two hashes in a time that does not depend on where they differ. */
export function sameHash(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && timingSafeEqual(left, right)
}
