import type { BlobRef } from '../blobs.ts'

/** The bytes of an upload; or the object that holds them, and then `body` is empty. */
export interface PlacedBody {
  readonly body: Uint8Array
  /** SHA-256 of what was uploaded, lowercase hexadecimal. */
  readonly bodyHash: string
  readonly blob: BlobRef | undefined
}

export function placedBody(row: {
  readonly bytes: Uint8Array
  readonly blob_key: string | null
  readonly body_hash: string
  readonly size_bytes: number
}): PlacedBody {
  const { bytes: body, blob_key: key, body_hash: bodyHash, size_bytes: bytes } = row
  return { body, bodyHash, blob: key === null ? undefined : { key, sha256: bodyHash, bytes } }
}
