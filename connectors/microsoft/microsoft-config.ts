import { z } from 'zod'
import { connectionFields, grantFields } from '../../src/connector/connection-fields.ts'
import { MICROSOFT_CLOUDS } from './microsoft-clouds.ts'

/** Settings of every connection to Microsoft 365, for the object schema of a connector's configuration. */
export function microsoftFields() {
  return {
    ...connectionFields(),
    ...grantFields(),
    cloud: z
      .enum(MICROSOFT_CLOUDS)
      .optional()
      .describe(
        `Which cloud holds the account, of ${MICROSOFT_CLOUDS.join(', ')}. Default: that of \`recalld connect\`, else global.`,
      ),
    api_url: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('Address of Microsoft Graph, with or without /v1.0. Default: that of the cloud.'),
  }
}

const microsoftConfig = z.object(microsoftFields())

/** What the gateway needs to know; each connector's own configuration has more. */
export type MicrosoftConfig = z.infer<typeof microsoftConfig>
