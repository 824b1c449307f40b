import type { ItemMemory } from '../http/app/schemas/library.ts'
import type { LibraryChunk, LibraryItem, LibraryRef } from '../store/library/library.ts'
import type { ScopedStore } from '../store/store.ts'
import { itemMemories } from './item-memories.ts'

/** `jsonl`: an object in each line, with passages and memories. `markdown`: to read. */
export const EXPORT_FORMATS = ['jsonl', 'markdown'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

type ExportStore = Pick<ScopedStore, 'library' | 'edits' | 'index'>

const PAGE = 500

/** The items as text, one after another; only one is in memory. Those that are gone are left out. */
export async function* exportedItems(
  store: ExportStore,
  refs: readonly LibraryRef[],
  format: ExportFormat,
): AsyncGenerator<string, void> {
  let isFirst = true
  for (const ref of refs) {
    const item = await store.library.read(ref)
    if (item === undefined) continue
    const passages = await allPages((page) => store.library.chunks(ref, page))
    if (format === 'markdown') yield `${isFirst ? '' : '\n---\n\n'}${markdown(item, passages)}`
    else yield `${JSON.stringify(jsonLine(item, passages, await allPages((page) => itemMemories(store, ref, page))))}\n`
    isFirst = false
  }
}

async function allPages<Row>(
  read: (page: { readonly offset: number; readonly limit: number }) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const rows: Row[] = []
  for (;;) {
    const page = await read({ offset: rows.length, limit: PAGE })
    rows.push(...page)
    if (page.length < PAGE) return rows
  }
}

function jsonLine(item: LibraryItem, passages: readonly LibraryChunk[], memories: readonly ItemMemory[]) {
  return {
    item_id: item.itemId,
    source: item.sourceType,
    title: item.title ?? item.fileName,
    file_name: item.fileName,
    content_type: item.contentType,
    url: item.url ?? null,
    user_name: item.userName,
    agent: item.agent ?? null,
    connector: item.connector ?? null,
    tags: item.tags,
    from: item.statedFrom?.toISOString() ?? null,
    until: item.statedUntil?.toISOString() ?? null,
    created_at: item.createdAt.toISOString(),
    updated_at: item.updatedAt.toISOString(),
    passages: passages.map(({ text, speaker, heading, at }) => ({
      text,
      speaker: speaker ?? null,
      heading: heading ?? null,
      at: at?.toISOString() ?? null,
    })),
    memories: memories.map(({ custom_id, at, content, correction, notes, pin, hidden }) => ({
      ...{ custom_id, at, content },
      correction: correction?.text ?? null,
      notes: notes.map(({ text, by, at }) => ({ text, by, at })),
      ...{ is_pinned: pin !== null, is_hidden: hidden !== null },
    })),
  }
}

function markdown(item: LibraryItem, passages: readonly LibraryChunk[]): string {
  const facts = [
    `- Source: ${item.sourceType}`,
    `- ID: ${oneLine(item.itemId)}`,
    ...(item.statedFrom ? [`- Date: ${dates(item.statedFrom, item.statedUntil)}`] : []),
    ...(item.url === undefined ? [] : [`- Original: ${oneLine(item.url)}`]),
    ...(item.tags.length === 0 ? [] : [`- Tags: ${item.tags.join(', ')}`]),
  ]
  const title = oneLine(item.title ?? item.fileName)
  const parts: string[] = []
  let heading: string | undefined = title
  for (const passage of passages) {
    // Most texts begin with their heading.
    const isNew = passage.heading !== undefined && passage.heading !== heading
    if (isNew && !passage.text.startsWith(passage.heading ?? '')) parts.push(`## ${oneLine(passage.heading ?? '')}`)
    heading = passage.heading
    const time = passage.at === undefined ? '' : ` (${passage.at.toISOString()})`
    const speaker = passage.speaker === undefined ? '' : `**${oneLine(passage.speaker)}**${time}: `
    parts.push(`${speaker}${passage.text.trim()}`)
  }
  return `${[`# ${title}`, facts.join('\n'), ...parts].join('\n\n')}\n`
}

function dates(from: Date, until: Date | undefined): string {
  const [first, last] = [day(from), day(until ?? from)]
  return first === last ? first : `${first} to ${last}`
}

function day(time: Date): string {
  return time.toISOString().slice(0, 10)
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
