import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
/** First byte of what is sealed, for other forms to come. */
const FORM = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * @param boundTo it opens only with the same
 * @returns form, nonce, tag and the encrypted text, one after the other
 */
export function sealText(key: Uint8Array, text: string, boundTo: readonly string[]): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(additional(boundTo))
  const encrypted = [cipher.update(text, 'utf8'), cipher.final()]
  return new Uint8Array(Buffer.concat([Uint8Array.of(FORM), nonce, cipher.getAuthTag(), ...encrypted]))
}

/** @throws Error when it was sealed with another key or for something else, or is damaged */
export function openText(key: Uint8Array, sealed: Uint8Array, boundTo: readonly string[]): string {
  if (sealed[0] !== FORM) throw new Error('Another form')
  const nonce = sealed.subarray(1, 1 + NONCE_BYTES)
  const tag = sealed.subarray(1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES)
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(additional(boundTo))
  decipher.setAuthTag(tag)
  const encrypted = sealed.subarray(1 + NONCE_BYTES + TAG_BYTES)
  return Buffer.concat([decipher.update(encrypted), decipher.final()]).toString('utf8')
}

function additional(boundTo: readonly string[]): Buffer {
  return Buffer.from(JSON.stringify([FORM, ...boundTo]))
}
