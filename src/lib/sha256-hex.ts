import { createHash } from 'node:crypto'

const HASH_HERE_BYTES = 256 * 1024

/** SHA-256, lowercase hexadecimal. Large bodies are hashed off the calling thread, which has others to answer. */
export async function sha256Hex(bytes: Uint8Array): Promise<string> {
  if (bytes.length < HASH_HERE_BYTES) return createHash('sha256').update(bytes).digest('hex')
  return Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(bytes))).toString('hex')
}
