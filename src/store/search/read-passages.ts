import { sql } from 'kysely'
import type { PassageRow } from './search.ts'
import { runInScope, type SearchReader } from './search-reader.ts'
import { type ShownItem, shownItemsOf } from './shown-items.ts'
import { visibleChunks } from './visible-chunks.ts'

/** The texts of chunks that the scope may see, with what their items state, by chunk id. */
export async function readPassages(
  reader: SearchReader,
  ids: readonly number[],
): Promise<ReadonlyMap<number, PassageRow>> {
  const items = await shownItemsOf(reader, ids)
  const rows = items === undefined ? await readWithItems(reader, ids) : await readTexts(reader, items)
  return new Map(rows.map((row) => [row.chunk_id, passageRow(row)]))
}

type TextRow = { readonly chunk_id: number; readonly text: string; readonly speaker: string | null } & Pick<
  ShownItem,
  'title' | 'file_name' | 'url' | 'agent' | 'connector'
>

function passageRow({ text, speaker, title, file_name, url, agent, connector }: TextRow): PassageRow {
  return {
    text,
    speaker: speaker ?? undefined,
    title: title ?? undefined,
    fileName: file_name,
    url: url ?? undefined,
    ...(agent !== null && { agent }),
    ...(connector !== null && { connector }),
  }
}

function readWithItems(reader: SearchReader, ids: readonly number[]): Promise<TextRow[]> {
  return runInScope(reader, 'passages', ids, (accountKey, list) =>
    visibleChunks(reader, accountKey)
      .innerJoin('chunk_text', 'chunk_text.chunk_id', 'chunk.chunk_id')
      .select(['chunk.chunk_id', 'chunk_text.text', 'chunk_text.speaker', 'item.title', 'item.url', 'item.agent'])
      .select(['item.connector', 'item.file_name'])
      .where(reader.engine.isInList(sql.ref('chunk.chunk_id'), list))
      .where(reader.engine.isOfAccount('chunk_text', accountKey)),
  )
}

/** @param items of the chunks that the scope may see */
async function readTexts(reader: SearchReader, items: ReadonlyMap<number, ShownItem>): Promise<TextRow[]> {
  const rows = await runInScope(reader, 'texts', [...items.keys()], (accountKey, list) =>
    reader.db
      .selectFrom('chunk_text')
      .select(['chunk_id', 'text', 'speaker'])
      .where(reader.engine.isInList(sql.ref('chunk_id'), list))
      .where(reader.engine.isOfAccount('chunk_text', accountKey)),
  )
  return rows.map((row) => ({ ...items.get(row.chunk_id)!, ...row }))
}
