import { z } from 'zod'
import { connectionFields, grantFields } from '../../src/connector/connection-fields.ts'

const MICROSOFT_CLOUDS = ['global', 'us-government', 'us-government-dod', 'china'] as const
export type MicrosoftCloud = (typeof MICROSOFT_CLOUDS)[number]

/** The sign-in and Graph URLs of a cloud. */
export const CLOUD_HOSTS: Readonly<Record<MicrosoftCloud, { readonly login: string; readonly graph: string }>> = {
  global: { login: 'https://login.microsoftonline.com', graph: 'https://graph.microsoft.com' },
  'us-government': { login: 'https://login.microsoftonline.us', graph: 'https://graph.microsoft.us' },
  'us-government-dod': { login: 'https://login.microsoftonline.us', graph: 'https://dod-graph.microsoft.us' },
  china: { login: 'https://login.partner.microsoftonline.cn', graph: 'https://microsoftgraph.chinacloudapi.cn' },
}

/** The cloud with this name, `global` by default. */
export function microsoftCloud(name: string | undefined): MicrosoftCloud {
  return MICROSOFT_CLOUDS.find((cloud) => cloud === name) ?? 'global'
}

/** Settings shared by all Microsoft 365 connections, for a connector's configuration schema. */
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

/** The gateway's settings; each connector's configuration has more. */
export type MicrosoftConfig = z.infer<typeof microsoftConfig>

/** The tenant of all personal accounts. */
export const PERSONAL_TENANT = '9188040d-6c67-4c5b-b112-36a304b66dad'

/**
 * `tenant.user`, the same from sign-in claims and from `/me`: a personal account's id has 16 hexadecimal digits in
 * `/me`, and is a UUID that ends in them in the claims.
 *
 * @param tenant absent when Graph does not return it
 */
export function microsoftAccountId(tenant: string | undefined, user: string): string {
  if (/^[0-9a-f]{16}$/i.test(user)) {
    const digits = user.toLowerCase()
    return `${PERSONAL_TENANT}.00000000-0000-0000-${digits.slice(0, 4)}-${digits.slice(4)}`
  }
  return tenant === undefined ? user : `${tenant}.${user}`
}
