import { z } from 'zod'
import type { Partition } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import type { GraphGateway } from './graph-gateway.ts'
import type { SharePointConfig } from './sharepoint-config.ts'

const siteAnswer = z.looseObject({
  id: z.string().min(1),
  displayName: z.string().nullish(),
  name: z.string().nullish(),
  webUrl: z.string().min(1),
})

const SELECT = { $select: 'id,displayName,name,webUrl' }

/** A site with the id that Graph knows it by. */
export interface Site {
  readonly id: string
  readonly title: string
}

/**
 * The sites that are read, by their address: it is known of a configured site too while that cannot be reached, so what
 * came from it is not forgotten then.
 */
export async function* sitePartitions(config: SharePointConfig, gateway: GraphGateway): AsyncGenerator<Partition> {
  const found = new Map<string, Partition>()
  const add = (address: string, title: string) => {
    const id = address.toLowerCase().replace(/\/+$/, '')
    if (!found.has(id)) found.set(id, { id, title })
  }
  const listings = [
    ...(config.followed ? [['/me/followedSites', SELECT] as const] : []),
    ...(config.all ? [['/sites', { search: '*', ...SELECT }] as const] : []),
  ]
  for (const [path, query] of listings) {
    for await (const { webUrl, displayName, name } of gateway.list(siteAnswer, path, { query })) {
      add(webUrl, displayName || name || webUrl)
    }
  }
  for (const address of config.sites) {
    const [name = address] = decodeURI(new URL(address).pathname).split('/').filter(Boolean).slice(-1)
    add(address, name)
  }
  if (found.size === 0) {
    const remedy = 'follow the sites that are to be read in SharePoint, or name them in sites'
    throw new SourceError('reconfigure', `There is no site to read: ${remedy}.`)
  }
  yield* found.values()
}

/** @throws SourceError `skip` when it is not there, or closed to this account */
export async function siteOf({ id, title }: Partition, gateway: GraphGateway): Promise<Site> {
  const { hostname, pathname } = new URL(id)
  const path = pathname === '/' ? '' : `:${pathname}`
  const site = await gateway.get(siteAnswer, `/sites/${hostname}${path}`, { query: SELECT })
  return { id: site.id, title }
}
