import { z } from 'zod'
import { connectionFields, grantFields } from '../../src/connector/connection-fields.ts'
import { SourceError } from '../../src/connector/source-error.ts'

/** Settings that every Google connection has. */
export function googleFields() {
  return {
    ...connectionFields(),
    ...grantFields(),
    service_account_file: z
      .string()
      .min(1)
      .optional()
      .describe(
        'JSON key file of a service account to which a Google Workspace administrator has delegated the scopes; needs `subject`.',
      ),
    subject: z
      .email()
      .optional()
      .describe('With `service_account_file`: the address of the person whose data is synced.'),
    api_url: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('Address of the API, for tests; only its origin is used. Default: the address of each Google API.'),
  }
}

/** The result of `googleFields`. */
export interface GoogleConfig {
  readonly name: string
  readonly account?: string | undefined
  readonly token?: string | undefined
  readonly token_file?: string | undefined
  readonly service_account_file?: string | undefined
  readonly subject?: string | undefined
  readonly api_url?: string | undefined
}

/** The cursor of a kind of partition; another kind means a damaged ledger. @throws SourceError `restart` */
export function ownCursor<T>(schema: z.ZodType<T>, from: unknown): T | undefined {
  if (from === undefined) return undefined
  const read = schema.safeParse(from)
  if (read.success) return read.data
  throw new SourceError('restart', 'The cursor belongs to a different kind of partition.')
}
