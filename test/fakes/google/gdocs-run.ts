import { gdocs } from '../../../connectors/google/gdocs.ts'
import type { Partition, SourceItem } from '../../../src/connector/connector.ts'
import { connectorContext, type TestContext } from '../../lib/connector-context.ts'
import type { GoogleDrive } from './google-drive.ts'

type Cursor = NonNullable<Parameters<typeof gdocs.changes>[1]>
type Context = Parameters<typeof gdocs.changes>[2]

export interface GdocsRun {
  readonly partitions: readonly Partition[]
  /** The last version of each item, by the id of its file. */
  readonly items: ReadonlyMap<string, SourceItem>
  readonly gone: readonly string[]
  /** Sentences, by the id of the file. */
  readonly failed: ReadonlyMap<string, string>
  readonly cursors: ReadonlyMap<string, Cursor>
  readonly requests: readonly string[]
  readonly context: Context
}

/** One run over all partitions, as a process of its own. */
export async function runGdocs(
  drive: GoogleDrive,
  { from, config = {} }: { from?: GdocsRun; config?: Record<string, unknown> } = {},
): Promise<GdocsRun> {
  drive.server.takeLog()
  const context = (await connectorContext(
    gdocs,
    { ...drive.config, ...config },
    { clock: drive.clock },
  )) as TestContext<never>
  const partitions: Partition[] = []
  const items = new Map<string, SourceItem>()
  const gone: string[] = []
  const failed = new Map<string, string>()
  const cursors = new Map<string, Cursor>()
  for await (const partition of gdocs.partitions(context)) {
    partitions.push(partition)
    for await (const change of gdocs.changes(partition, from?.cursors.get(partition.id), context)) {
      if (change.type === 'item') items.set(change.item.locator ?? '', change.item)
      else if (change.type === 'gone') gone.push(change.ref.locator ?? '')
      else if (change.type === 'failed') failed.set(change.ref.locator ?? '', change.error.message)
      else if (change.type === 'checkpoint') cursors.set(partition.id, change.cursor)
    }
  }
  return { partitions, items, gone, failed, cursors, requests: drive.server.takeLog(), context }
}

export async function textOf(item: SourceItem | undefined): Promise<string | undefined> {
  const body = typeof item?.body === 'function' ? await item.body() : item?.body
  return body instanceof Uint8Array ? Buffer.from(body).toString() : body
}
