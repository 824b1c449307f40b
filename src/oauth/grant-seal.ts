import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { SourceError } from '../connector/source-error.ts'
import type { GrantFacts } from '../store/grants.ts'
import type { SecretKey } from './secret-key.ts'

const CIPHER = 'aes-256-gcm'
/** First byte of what is sealed, for other forms to come. */
const FORM = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16

const secretsOf = z.object({
  clientId: z.string(),
  clientSecret: z.string().optional(),
  accessToken: z.string(),
  refreshToken: z.string().optional(),
})

/** What of a grant nobody but the provider may see. */
export type GrantSecrets = z.infer<typeof secretsOf>

/** Whose secrets they are: they open only in the row that they were sealed for. */
export type SealedFor = Pick<GrantFacts, 'provider' | 'family' | 'account'>

export interface GrantSeal {
  /** Form, nonce, tag and the encrypted JSON, one after the other. */
  seal(grant: SealedFor, secrets: GrantSecrets): Uint8Array
  /** @throws SourceError `reauthorize` when it was sealed with another key, or is damaged */
  open(grant: SealedFor & { readonly sealed: Uint8Array }): GrantSecrets
}

/** @param memoryId a grant of one memory opens in no other */
export function grantSeal(key: SecretKey, memoryId: string): GrantSeal {
  const boundTo = ({ provider, family, account }: SealedFor) =>
    Buffer.from(JSON.stringify([FORM, memoryId, provider, family, account]))
  return {
    seal(grant, secrets) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, key.forSealing(), nonce, { authTagLength: TAG_BYTES })
      cipher.setAAD(boundTo(grant))
      const encrypted = [cipher.update(JSON.stringify(secrets), 'utf8'), cipher.final()]
      return new Uint8Array(Buffer.concat([Uint8Array.of(FORM), nonce, cipher.getAuthTag(), ...encrypted]))
    },
    open(grant) {
      const opening = key.forOpening()
      if (opening === undefined) throw cannotOpen(grant, 'secret.key is gone from the home folder')
      try {
        return secretsOf.parse(JSON.parse(decrypt(opening, grant.sealed, boundTo(grant))))
      } catch (error) {
        // Not its cause: a schema's error may hold what was read.
        if (error instanceof Error) throw cannotOpen(grant, 'it was sealed with another secret.key')
        throw error
      }
    },
  }
}

function decrypt(key: Uint8Array, sealed: Uint8Array, boundTo: Uint8Array): string {
  if (sealed[0] !== FORM) throw new Error('Another form')
  const nonce = sealed.subarray(1, 1 + NONCE_BYTES)
  const tag = sealed.subarray(1 + NONCE_BYTES, 1 + NONCE_BYTES + TAG_BYTES)
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(boundTo)
  decipher.setAuthTag(tag)
  const encrypted = sealed.subarray(1 + NONCE_BYTES + TAG_BYTES)
  return Buffer.concat([decipher.update(encrypted), decipher.final()]).toString('utf8')
}

function cannotOpen({ provider }: SealedFor, reason: string): SourceError {
  return new SourceError(
    'reauthorize',
    `The grant for ${provider} cannot be opened: ${reason}. Put the key back that belongs to this database, or connect again.`,
  )
}
