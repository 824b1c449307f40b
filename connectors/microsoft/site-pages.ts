import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Change, ItemRef, SourceItem } from '../../src/connector/connector.ts'
import { sourceItemId } from '../../src/connector/source-item-id.ts'
import { htmlToMarkdown } from '../../src/connector/source-text.ts'
import { graphTime } from './graph-address.ts'
import { type GraphGateway, isNotThere } from './graph-gateway.ts'
import type { Site } from './sharepoint-sites.ts'

const person = z.looseObject({ user: z.looseObject({ displayName: z.string().nullish() }).nullish() }).nullish()

const pageAnswer = z.looseObject({
  id: z.string().min(1),
  title: z.string().nullish(),
  name: z.string().nullish(),
  description: z.string().nullish(),
  webUrl: z.string().nullish(),
  createdDateTime: z.string().nullish(),
  lastModifiedDateTime: z.string().nullish(),
  publishingState: z.looseObject({ level: z.string().nullish(), versionId: z.string().nullish() }).nullish(),
  createdBy: person,
})

type Page = z.infer<typeof pageAnswer>

const webPart = z.looseObject({
  innerHtml: z.string().nullish(),
  data: z
    .looseObject({
      title: z.string().nullish(),
      serverProcessedContent: z
        .looseObject({
          htmlStrings: z.array(z.looseObject({ value: z.string().nullish() })).catch([]),
          searchablePlainTexts: z.array(z.looseObject({ value: z.string().nullish() })).catch([]),
        })
        .nullish(),
    })
    .nullish(),
})
const webParts = z.array(webPart).catch([])
const layoutAnswer = z.looseObject({
  canvasLayout: z
    .looseObject({
      horizontalSections: z
        .array(z.looseObject({ columns: z.array(z.looseObject({ webparts: webParts })).catch([]) }))
        .catch([]),
      verticalSection: z.looseObject({ webparts: webParts }).nullish(),
    })
    .nullish(),
})

const SELECT = 'id,title,name,description,webUrl,createdDateTime,lastModifiedDateTime,publishingState,createdBy'
const PAGE_SIZE = 100
const DIGEST_DIGITS = 12

export interface PageSource {
  readonly site: Site
  readonly gateway: GraphGateway
}

export type KnownPages = Readonly<Record<string, string>>

/**
 * The changed pages of a site since `known`, and its deleted ones. Graph has no delta for pages, so all are listed, one
 * request per 100.
 *
 * @returns the pages known from now on
 */
export async function* pageChanges(
  source: PageSource,
  known: KnownPages | undefined,
): AsyncGenerator<Exclude<Change<never>, { type: 'checkpoint' }>, KnownPages> {
  const now: Record<string, string> = {}
  for await (const page of listed(source, known)) {
    if (!isPublished(page)) continue
    const item = pageItem(page, source)
    now[page.id] = createHash('sha256').update(item.revision).digest('hex').slice(0, DIGEST_DIGITS)
    if (known?.[page.id] !== now[page.id]) yield { type: 'item', item }
  }
  for (const [id, digest] of Object.entries(known ?? {})) {
    if (now[id] !== undefined) continue
    // A page that is deleted during the listing can hide another one.
    if ((await readPage(source, id)) === undefined) yield { type: 'gone', ref: pageRef(id, source) }
    else now[id] = digest
  }
  return now
}

async function* listed({ site, gateway }: PageSource, known: KnownPages | undefined): AsyncGenerator<Page> {
  const query = { $select: SELECT, $top: PAGE_SIZE }
  try {
    yield* gateway.list(pageAnswer, `${pagesOf(site)}/microsoft.graph.sitePage`, { query })
  } catch (error) {
    // Classic sites have no library of pages.
    if (!isNotThere(error) || Object.keys(known ?? {}).length > 0) throw error
  }
}

/** A page as it is now; `undefined` when it was deleted. */
export async function readPage(source: PageSource, id: string): Promise<SourceItem | undefined> {
  const path = `${pagesOf(source.site)}/${encodeURIComponent(id)}/microsoft.graph.sitePage`
  const page = await source.gateway.find(pageAnswer, path, { query: { $select: SELECT } })
  return page && isPublished(page) ? pageItem(page, source) : undefined
}

/** Pages that were never published are skipped. */
function isPublished({ publishingState }: Page): boolean {
  return !/^0\./.test(publishingState?.versionId ?? '')
}

function pagesOf({ id }: Site): string {
  return `/sites/${encodeURIComponent(id)}/pages`
}

function pageRef(id: string, { site }: PageSource): ItemRef {
  return { sourceType: 'ms-sharepoint', itemId: sourceItemId('sppage', site.id, id), locator: `page ${id}` }
}

function pageItem(page: Page, source: PageSource): SourceItem {
  const { title, name, webUrl, createdDateTime, lastModifiedDateTime, publishingState, createdBy } = page
  const author = createdBy?.user?.displayName
  const createdAt = graphTime(createdDateTime)
  const updatedAt = graphTime(lastModifiedDateTime)
  return {
    ...pageRef(page.id, source),
    title: title || name || 'Page',
    revision: `${lastModifiedDateTime ?? ''} ${publishingState?.versionId ?? ''} ${title ?? ''}`,
    where: source.site.title,
    ...(webUrl && { url: webUrl }),
    ...(author && { author }),
    ...(createdAt && { createdAt }),
    ...(updatedAt && { updatedAt }),
    body: () => pageText(page, source),
  }
}

async function pageText(page: Page, { site, gateway }: PageSource): Promise<string | undefined> {
  const path = `${pagesOf(site)}/${encodeURIComponent(page.id)}/microsoft.graph.sitePage`
  const layout = await gateway.find(layoutAnswer, path, { query: { $expand: 'canvasLayout' } })
  if (layout === undefined) return undefined
  const { horizontalSections = [], verticalSection } = layout.canvasLayout ?? {}
  const parts = [
    ...horizontalSections.flatMap(({ columns }) => columns.flatMap(({ webparts }) => webparts)),
    ...(verticalSection?.webparts ?? []),
  ]
  const texts = [page.description ?? '', ...parts.map(partText)]
  return texts
    .map((text) => text.trim())
    .filter(Boolean)
    .join('\n\n')
}

function partText({ innerHtml, data }: z.infer<typeof webPart>): string {
  if (innerHtml) return htmlToMarkdown(innerHtml).markdown
  const { htmlStrings = [], searchablePlainTexts = [] } = data?.serverProcessedContent ?? {}
  return [
    ...htmlStrings.map(({ value }) => htmlToMarkdown(value ?? '').markdown),
    ...searchablePlainTexts.map(({ value }) => value ?? ''),
  ].join('\n\n')
}
