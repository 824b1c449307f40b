import { z } from 'zod'
import type { Change, ItemRef, SourceItem } from '../../src/connector/connector.ts'
import { sourceItemId } from '../../src/connector/source-item-id.ts'
import { htmlToMarkdown } from '../../src/connector/source-text.ts'
import { graphTime } from './graph-address.ts'
import { type GraphGateway, linkAfter } from './graph-gateway.ts'
import type { Site } from './sharepoint-sites.ts'

const person = z.looseObject({ user: z.looseObject({ displayName: z.string().nullish() }).nullish() }).nullish()

const listAnswer = z.looseObject({
  id: z.string().min(1),
  name: z.string().nullish(),
  displayName: z.string().nullish(),
  list: z.looseObject({ template: z.string().nullish() }).nullish(),
})

const entryAnswer = z.looseObject({
  id: z.string().min(1),
  webUrl: z.string().nullish(),
  eTag: z.string().nullish(),
  createdDateTime: z.string().nullish(),
  lastModifiedDateTime: z.string().nullish(),
  createdBy: person,
  contentType: z.looseObject({ name: z.string().nullish() }).nullish(),
  deleted: z.looseObject({}).nullish(),
  fields: z.record(z.string(), z.unknown()).nullish(),
})

type Entry = z.infer<typeof entryAnswer>

export interface ListSource {
  readonly site: Site
  readonly list: { readonly id: string; readonly title: string }
  readonly gateway: GraphGateway
}

/**
 * SharePoint's internal columns, and numeric ids of people and entries of other lists. Names that begin with a
 * non-Latin letter start with `_x` and four digits.
 */
const OWN_COLUMN =
  /^(?:@|_(?!x[0-9a-f]{4}_)|id$|ContentType|Modified$|Created$|Attachments$|Edit$|LinkTitle|ItemChildCount|FolderChildCount|AppAuthor|AppEditor|Compliance|DocIcon)|LookupId$/i

/** The lists of a site with these names. Libraries are lists too, but their content is synced as files. */
export async function* namedLists(site: Site, names: readonly string[], gateway: GraphGateway) {
  const wanted = new Set(names.map((name) => name.toLowerCase()))
  const path = `/sites/${encodeURIComponent(site.id)}/lists`
  for await (const { id, name, displayName, list } of gateway.list(listAnswer, path, { query: { $top: 100 } })) {
    if (list?.template === 'documentLibrary') continue
    const title = displayName || name || id
    if (wanted.has(title.toLowerCase()) || (name && wanted.has(name.toLowerCase()))) yield { id, title }
  }
}

/** The changes of a list since `link`, page by page, each with the link that continues after it. */
export async function* listChanges(
  source: ListSource,
  link: string | undefined,
): AsyncGenerator<{ readonly changes: Exclude<Change<never>, { type: 'checkpoint' }>[]; readonly link: string }> {
  const { gateway, list } = source
  const first = `${pathOf(source)}/items/delta`
  const options = link === undefined ? { query: { $expand: 'fields' } } : {}
  for await (const page of gateway.pages(entryAnswer, link === undefined ? first : { link }, options)) {
    const latest = new Map(page.values.map((entry) => [entry.id, entry]))
    const changes = [...latest.values()].flatMap((entry) => entryChange(entry, source) ?? [])
    yield { changes, link: linkAfter(page, list.title) }
  }
}

/** An entry as it is now; `undefined` when it was deleted. */
export async function readEntry(source: ListSource, id: string): Promise<SourceItem | undefined> {
  const path = `${pathOf(source)}/items/${encodeURIComponent(id)}`
  const entry = await source.gateway.find(entryAnswer, path, { query: { $expand: 'fields' } })
  return entry && entryItem(entry, source)
}

function pathOf({ site, list }: ListSource): string {
  return `/sites/${encodeURIComponent(site.id)}/lists/${encodeURIComponent(list.id)}`
}

function entryChange(entry: Entry, source: ListSource): Exclude<Change<never>, { type: 'checkpoint' }> | undefined {
  if (entry.deleted) return { type: 'gone', ref: entryRef(entry, source) }
  if (entry.contentType?.name === 'Folder') return undefined
  return { type: 'item', item: entryItem(entry, source) }
}

function entryRef({ id }: Entry, { site, list }: ListSource): ItemRef {
  const itemId = sourceItemId('splist', site.id, list.id, id)
  return { sourceType: 'ms-sharepoint', itemId, locator: `list ${list.id} ${id}` }
}

function entryItem(entry: Entry, source: ListSource): SourceItem {
  const { webUrl, createdDateTime, lastModifiedDateTime, createdBy, eTag, fields } = entry
  const { site, list, gateway } = source
  const author = createdBy?.user?.displayName
  const title = fields?.Title
  const createdAt = graphTime(createdDateTime)
  const updatedAt = graphTime(lastModifiedDateTime)
  return {
    ...entryRef(entry, source),
    title: typeof title === 'string' && title.trim() !== '' ? title : `${list.title} ${entry.id}`,
    revision: eTag ?? lastModifiedDateTime ?? '',
    where: `${site.title} / ${list.title}`,
    ...(webUrl && { url: webUrl }),
    ...(author && { author }),
    ...(createdAt && { createdAt }),
    ...(updatedAt && { updatedAt }),
    // A delta sometimes omits the fields, whatever was requested.
    body: fields
      ? fieldLines(fields)
      : async () => {
          const path = `${pathOf(source)}/items/${encodeURIComponent(entry.id)}`
          const whole = await gateway.find(entryAnswer, path, { query: { $expand: 'fields' } })
          return whole && fieldLines(whole.fields ?? {})
        },
  }
}

function fieldLines(fields: Readonly<Record<string, unknown>>): string {
  return Object.entries(fields)
    .filter(([name]) => !OWN_COLUMN.test(name))
    .flatMap(([name, value]) => {
      const text = fieldText(value)
      return text === '' ? [] : [`- ${columnTitle(name)}: ${text}`]
    })
    .join('\n')
}

/** SharePoint writes a space in a name as in `Due_x0020_date`. */
function columnTitle(name: string): string {
  return name.replace(/_x([0-9a-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

function fieldText(value: unknown): string {
  if (typeof value === 'string') return /<\w+[^<>]{0,500}>/.test(value) ? htmlToMarkdown(value).markdown.trim() : value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return value.map(fieldText).filter(Boolean).join(', ')
  const named = z
    .looseObject({ LookupValue: z.string() })
    .or(z.looseObject({ Description: z.string() }))
    .safeParse(value)
  return named.success ? String('LookupValue' in named.data ? named.data.LookupValue : named.data.Description) : ''
}
