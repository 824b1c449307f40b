import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { SourceError } from '../../connector/source-error.ts'
import type { GrantFacts } from '../../store/grants/grants.ts'
import type { SecretKey } from './secret-key.ts'

const secretsOf = z.object({
  clientId: z.string(),
  clientSecret: z.string().optional(),
  accessToken: z.string(),
  refreshToken: z.string().optional(),
})

/** The secrets of a grant. */
type GrantSecrets = z.infer<typeof secretsOf>

/** The row of the secrets, which can only be decrypted for the same row. */
type SealedFor = Pick<GrantFacts, 'provider' | 'family' | 'account'>

export interface CredentialCipher {
  seal(grant: SealedFor, secrets: GrantSecrets): Uint8Array
  /** @throws SourceError `reauthorize` when it was encrypted with another key, or is damaged */
  open(grant: SealedFor & { readonly sealed: Uint8Array }): GrantSecrets
}

/** @param memoryId a grant of one memory cannot be decrypted for another */
export function credentialCipher(key: SecretKey, memoryId: string): CredentialCipher {
  const boundTo = ({ provider, family, account }: SealedFor) => [memoryId, provider, family, account]
  return {
    seal: (grant, secrets) => encryptText(key.forSealing(), JSON.stringify(secrets), boundTo(grant)),
    open(grant) {
      const opening = key.forOpening()
      if (opening === undefined) throw cannotOpen(grant, 'the secret key is missing')
      try {
        return secretsOf.parse(JSON.parse(decryptText(opening, grant.sealed, boundTo(grant))))
      } catch (error) {
        // Without the cause, because a schema error may contain decrypted data.
        if (error instanceof Error) throw cannotOpen(grant, 'it was encrypted with a different secret key')
        throw error
      }
    },
  }
}

function cannotOpen({ provider }: SealedFor, reason: string): SourceError {
  return new SourceError(
    'reauthorize',
    `The grant for ${provider} can't be decrypted: ${reason}. Restore the secret key of this database, or connect again.`,
  )
}

const CIPHER = 'aes-256-gcm'
/** First byte of encrypted data, for future formats. */
const FORM = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * @param boundTo required again for decryption
 * @returns format, nonce, tag and the encrypted text, concatenated
 */
export function encryptText(key: Uint8Array, text: string, boundTo: readonly string[]): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(additional(boundTo))
  const encrypted = [cipher.update(text, 'utf8'), cipher.final()]
  return new Uint8Array(Buffer.concat([Uint8Array.of(FORM), nonce, cipher.getAuthTag(), ...encrypted]))
}

/** @throws Error when it was encrypted with another key or for something else, or is damaged */
export function decryptText(key: Uint8Array, sealed: Uint8Array, boundTo: readonly string[]): string {
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
