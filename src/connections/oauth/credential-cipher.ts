import { z } from 'zod'
import { SourceError } from '../../connector/source-error.ts'
import type { GrantFacts } from '../../store/grants/grants.ts'
import { openText, sealText } from './sealed-text.ts'
import type { SecretKey } from './secret-key.ts'

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
  seal(grant: SealedFor, secrets: GrantSecrets): Uint8Array
  /** @throws SourceError `reauthorize` when it was sealed with another key, or is damaged */
  open(grant: SealedFor & { readonly sealed: Uint8Array }): GrantSecrets
}

/** @param memoryId a grant of one memory opens in no other */
export function grantSeal(key: SecretKey, memoryId: string): GrantSeal {
  const boundTo = ({ provider, family, account }: SealedFor) => [memoryId, provider, family, account]
  return {
    seal: (grant, secrets) => sealText(key.forSealing(), JSON.stringify(secrets), boundTo(grant)),
    open(grant) {
      const opening = key.forOpening()
      if (opening === undefined) throw cannotOpen(grant, 'the secret key is gone')
      try {
        return secretsOf.parse(JSON.parse(openText(opening, grant.sealed, boundTo(grant))))
      } catch (error) {
        // Not its cause: a schema's error may hold what was read.
        if (error instanceof Error)
          throw cannotOpen(grant, 'it was sealed with another secret key than this process has')
        throw error
      }
    },
  }
}

function cannotOpen({ provider }: SealedFor, reason: string): SourceError {
  return new SourceError(
    'reauthorize',
    `The grant for ${provider} cannot be opened: ${reason}. Put the key back that belongs to this database, or connect again.`,
  )
}
