import { z } from 'zod'
import { connectionFields, grantFields } from '../../src/connector/connection-fields.ts'

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
        'The key file (JSON) of a service account, in a Google Workspace whose administrator delegated the scopes to it; needs `subject`.',
      ),
    subject: z
      .email()
      .optional()
      .describe('With `service_account_file`: the address of the person whose data is read.'),
    api_url: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('Address of the API, for tests; only its origin counts. Default: that of each API of Google.'),
  }
}

/** What `googleFields` makes. */
export interface GoogleConfig {
  readonly name: string
  readonly account?: string | undefined
  readonly token?: string | undefined
  readonly token_file?: string | undefined
  readonly service_account_file?: string | undefined
  readonly subject?: string | undefined
  readonly api_url?: string | undefined
}
