import { z } from 'zod'
import { connectionFields, grantFields } from '../../src/connector/connection-fields.ts'

const MICROSOFT_CLOUDS = ['global', 'us-government', 'us-government-dod', 'china'] as const
export type MicrosoftCloud = (typeof MICROSOFT_CLOUDS)[number]

/** Where a cloud signs in and where its Graph answers. */
export const CLOUD_HOSTS: Readonly<Record<MicrosoftCloud, { readonly login: string; readonly graph: string }>> = {
  global: { login: 'https://login.microsoftonline.com', graph: 'https://graph.microsoft.com' },
  'us-government': { login: 'https://login.microsoftonline.us', graph: 'https://graph.microsoft.us' },
  'us-government-dod': { login: 'https://login.microsoftonline.us', graph: 'https://dod-graph.microsoft.us' },
  china: { login: 'https://login.partner.microsoftonline.cn', graph: 'https://microsoftgraph.chinacloudapi.cn' },
}

/** The cloud of this name, `global` when there is none. */
export function microsoftCloud(name: string | undefined): MicrosoftCloud {
  return MICROSOFT_CLOUDS.find((cloud) => cloud === name) ?? 'global'
}

/** Settings of every connection to Microsoft 365, for the object schema of a connector's configuration. */
export function microsoftFields() {
  return {
    ...connectionFields(),
    ...grantFields(),
    cloud: z
      .enum(MICROSOFT_CLOUDS)
      .optional()
      .describe(
        `The cloud of the account: ${MICROSOFT_CLOUDS.join(', ')}. Default: the one chosen in \`recalld connect\`, otherwise global.`,
      ),
    api_url: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('Address of Microsoft Graph, with or without /v1.0. Default: the address of the cloud.'),
  }
}

const microsoftConfig = z.object(microsoftFields())

/** Settings of the gateway; each connector's configuration has more. */
export type MicrosoftConfig = z.infer<typeof microsoftConfig>

/** The tenant that all personal accounts are in. */
export const PERSONAL_TENANT = '9188040d-6c67-4c5b-b112-36a304b66dad'

/**
 * `tenant.user`, the same from the claims of a sign-in and from `/me`: personal accounts are 16 hexadecimal digits there,
 * and a UUID that ends in them here.
 *
 * @param tenant absent when Graph does not tell
 */
export function microsoftAccountId(tenant: string | undefined, user: string): string {
  if (/^[0-9a-f]{16}$/i.test(user)) {
    const digits = user.toLowerCase()
    return `${PERSONAL_TENANT}.00000000-0000-0000-${digits.slice(0, 4)}-${digits.slice(4)}`
  }
  return tenant === undefined ? user : `${tenant}.${user}`
}
