import { z } from 'zod'
import type { Connector, Context, ItemRef, Partition, SourceItem } from '../../src/connector/connector.ts'
import { chosenParts, listedPart } from '../../src/connector/listed-parts.ts'
import { type ListedRows, listedRows, oddRowChange } from '../../src/connector/listed-rows.ts'
import { nextPage } from '../../src/connector/next-page.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { sourceItemId } from '../../src/connector/source-item-id.ts'
import { adfText } from './adf-text.ts'
import {
  ATLASSIAN_TOKEN_STEPS,
  type AtlassianConfig,
  type AtlassianCursor,
  absentIn,
  askAtlassian,
  atlassianAccount,
  atlassianConfig,
  atlassianCursor,
  isSince,
} from './atlassian-api.ts'

const DAY_MS = 24 * 60 * 60_000
const OVERLAP_MS = 5 * 60_000

const text = z.string().nullish().catch(undefined)
const time = z.iso.datetime({ offset: true }).transform((value) => new Date(value))
/** A missing `next` ends the listing, so an unexpected form is an error. */
const links = z.looseObject({ next: z.string().nullish(), webui: text }).optional()

const page = z.looseObject({
  id: z.string().min(1),
  title: z.string().catch('(no title)'),
  status: text,
  createdAt: time,
  version: z.looseObject({ number: z.number(), createdAt: time }),
  body: z.looseObject({ atlas_doc_format: z.looseObject({ value: text }).optional() }).optional(),
  spaceId: text,
  _links: links.catch(undefined),
})
type Page = z.infer<typeof page>
const pagesAnswer = z.looseObject({ results: listedRows(page, 'id'), _links: links })
const spacesAnswer = z.looseObject({
  results: z.array(listedPart),
  _links: links,
})

/** Pages of Confluence Cloud. */
export const confluence: Connector<AtlassianConfig, AtlassianCursor> = {
  manifest: {
    id: 'confluence',
    title: 'Confluence',
    sourceTypes: ['technical_docs'],
    auth: 'token',
    config: atlassianConfig('spaces'),
    cursor: atlassianCursor,
    schedule: '*/20 * * * *',
    deletions: 'inventory',
    inventoryEveryMs: DAY_MS,
    // A page that is edited while they are listed moves to the beginning.
    missingMayExist: true,
    vanished: 'forget',
    provider: 'atlassian',
    quotas: { confluence: { atOnce: 4 } },
    version: 1,
    quietPeriodMs: 10 * 60_000,
    selection: ({ site, since, include, exclude }) => ({ site, since: since?.toISOString(), include, exclude }),
    listing: {
      summary: 'Pages of the spaces you see.',
      icon: 'file',
      group: 'Work',
      partNoun: { one: 'space', many: 'spaces' },
      tokenSteps: ATLASSIAN_TOKEN_STEPS,
    },
    documentation: {
      item: 'a page with its text; files by name only',
      removed: 'within a day',
      needs: 'the address of your site, your email address and an API token',
      api: 'Confluence Cloud REST API 2: spaces, pages',
      cursor: 'the time of the last run',
      limits:
        '`Retry-After` is respected; comments and blog posts are left out; Confluence Data Center is not supported',
      verified: 'local fake server with limits and faults',
    },
  },

  check: (context) => atlassianAccount(context, 'Confluence'),

  async *partitions(context) {
    const asked = 'your spaces'
    for (let path: string | undefined = 'wiki/api/v2/spaces?limit=250&status=current'; path !== undefined; ) {
      const found = await askAtlassian('Confluence', { path, answer: spacesAnswer, asked }, context)
      yield* chosenParts(found?.results ?? [], 'Confluence space', context)
      path = followingPage(found?._links, path, asked)
    }
  },

  async *changes(partition, cursor, context) {
    const begun = cursor?.scan?.begun ?? context.clock().toISOString()
    const known = cursor?.readAt === undefined ? Number.NEGATIVE_INFINITY : Date.parse(cursor.readAt) - OVERLAP_MS
    const from = Math.max(known, context.config.since?.getTime() ?? Number.NEGATIVE_INFINITY)
    for await (const { pages, next } of pagesOf(partition, cursor?.scan?.after, context)) {
      const isNew = ({ version }: Page) => version.createdAt.getTime() >= from
      for (const one of pages.taken.filter(isNew)) yield { type: 'item', item: pageItem(one, partition, context) }
      for (const row of pages.odd) yield oddRowChange('Confluence', pageRef(row, context), row)
      if (next === undefined || !pages.taken.every(isNew)) break
      const readAt = cursor?.readAt
      yield { type: 'checkpoint', cursor: { ...(readAt && { readAt }), scan: { after: next, begun } } }
    }
    yield { type: 'checkpoint', cursor: { readAt: begun } }
  },

  async read({ locator, partition }, context) {
    if (locator === undefined) return undefined
    const path = `wiki/api/v2/pages/${encodeURIComponent(locator)}?body-format=atlas_doc_format`
    const found = await askAtlassian('Confluence', { path, answer: page, asked: 'a page', absent: [404] }, context)
    if (found === undefined)
      return absentIn('Confluence', `wiki/api/v2/spaces/${encodeURIComponent(partition.id)}`, partition, context)
    // The space that it moved to yields it.
    const isHere = found.status === 'current' && (found.spaceId ?? partition.id) === partition.id
    return isHere && isSince(found.version.createdAt, context) ? pageItem(found, partition, context) : undefined
  },

  async *inventory(partition, context): AsyncGenerator<ItemRef> {
    for await (const { pages } of pagesOf(partition, undefined, context, false)) {
      for (const one of pages.taken)
        if (isSince(one.version.createdAt, context)) yield { ...pageRef(one, context), title: one.title }
      for (const row of pages.odd) yield pageRef(row, context)
    }
  },
}

/** Newest version first. @param after the address where to go on */
async function* pagesOf(
  { id, title }: Partition,
  after: string | undefined,
  context: Context<AtlassianConfig>,
  withText = true,
): AsyncGenerator<{ readonly pages: ListedRows<Page>; readonly next: string | undefined }> {
  const first = `wiki/api/v2/spaces/${id}/pages?status=current&sort=-modified-date&limit=${withText ? 50 : 250}${withText ? '&body-format=atlas_doc_format' : ''}`
  for (let path = after ?? first; ; ) {
    const request = { path, answer: pagesAnswer, asked: `the pages of ${title}`, absent: path === first ? [] : [400] }
    const found = await askAtlassian('Confluence', request, context)
    if (found === undefined) throw new SourceError('restart', 'Confluence no longer accepts where the listing stopped.')
    const next = followingPage(found._links, path, request.asked)
    yield { pages: found.results, next }
    if (next === undefined) return
    path = next
  }
}

function followingPage(page: z.infer<typeof links>, before: string, asked: string): string | undefined {
  const cursor = page?.next || undefined
  return nextPage({ hasMore: cursor !== undefined, cursor, before }, { title: 'Confluence', asked })
}

function pageRef({ id }: { readonly id: string }, { config }: Context<AtlassianConfig>): ItemRef {
  return {
    sourceType: 'technical_docs',
    itemId: sourceItemId('confluence', new URL(config.site).host, id),
    locator: id,
  }
}

function pageItem(found: Page, { title: space }: Partition, context: Context<AtlassianConfig>): SourceItem {
  const { version, createdAt, body, _links } = found
  return {
    ...pageRef(found, context),
    title: found.title,
    revision: String(version.number),
    ...(_links?.webui && { url: `${context.config.site}/wiki${_links.webui}` }),
    where: space,
    parents: [space],
    visibility: 'shared',
    createdAt,
    updatedAt: version.createdAt,
    body: `${adfText(parsed(body?.atlas_doc_format?.value ?? ''))}\n`,
  }
}

function parsed(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}
