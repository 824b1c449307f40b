export const MICROSOFT_CLOUDS = ['global', 'us-government', 'us-government-dod', 'china'] as const
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
