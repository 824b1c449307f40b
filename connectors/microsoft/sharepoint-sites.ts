import { z } from 'zod'
import type { Partition } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { decodedPart } from './graph-address.ts'
import type { GraphGateway } from './graph-gateway.ts'
import type { SharePointConfig } from './sharepoint-config.ts'

const siteAnswer = z.looseObject({
  id: z.string().min(1),
  displayName: z.string().nullish(),
  name: z.string().nullish(),
  webUrl: z.string().min(1),
})

type SiteAnswer = z.infer<typeof siteAnswer>

const SELECT = { $select: 'id,displayName,name,webUrl' }

/** A site with its Graph id. */
export interface Site {
  readonly id: string
  readonly title: string
}

/**
 * The synced sites by URL. A configured site is listed even while it cannot be reached, so that its items are not
 * deleted.
 */
export async function* sitePartitions(config: SharePointConfig, gateway: GraphGateway): AsyncGenerator<Partition> {
  const found = new Map<string, Partition>()
  const add = (address: string, title: string) => {
    const url = URL.parse(address)
    const id = (url === null ? address : `${url.origin}${url.pathname}`).toLowerCase().replace(/\/+$/, '')
    if (!found.has(id)) found.set(id, { id, title })
  }
  if (config.followed) for await (const site of followedSites(gateway)) add(site.webUrl, siteName(site))
  if (config.all) {
    for await (const site of gateway.list(siteAnswer, '/sites', { query: { search: '*', ...SELECT } })) {
      if (!isPersonal(site)) add(site.webUrl, siteName(site))
    }
  }
  for (const address of config.sites) {
    const [name = address] = new URL(address).pathname.split('/').filter(Boolean).slice(-1)
    add(address, decodedPart(name))
  }
  if (found.size === 0) {
    const remedy = 'follow the sites in SharePoint, or add them to sites'
    throw new SourceError('reconfigure', `There are no sites to sync: ${remedy}.`)
  }
  yield* found.values()
}

async function* followedSites(gateway: GraphGateway): AsyncGenerator<SiteAnswer> {
  try {
    yield* gateway.list(siteAnswer, '/me/followedSites', { query: SELECT })
  } catch (error) {
    if (!(error instanceof SourceError) || error.remedy !== 'skip') throw error
    const remedy = 'set followed to false and add the sites to sites'
    throw new SourceError('reconfigure', `The sites you follow can't be listed: ${remedy}. ${error.message}`, {
      cause: error,
    })
  }
}

/** The OneDrive connector reads personal OneDrive sites. */
function isPersonal({ webUrl }: SiteAnswer): boolean {
  return /^\/personal\//i.test(URL.parse(webUrl)?.pathname ?? '')
}

function siteName({ displayName, name, webUrl }: SiteAnswer): string {
  return displayName || name || webUrl
}

/** @throws SourceError `skip` when it does not exist, or this account has no access */
export async function siteOf({ id, title }: Partition, gateway: GraphGateway): Promise<Site> {
  const { hostname, pathname } = new URL(id)
  const path = pathname === '/' ? '' : `:${pathname}`
  const site = await gateway.get(siteAnswer, `/sites/${hostname}${path}`, { query: SELECT })
  return { id: site.id, title }
}
