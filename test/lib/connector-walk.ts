import type { Connector, SourceItem } from '../../src/connector/connector.ts'
import { type ContextOptions, connectorContext } from './connector-context.ts'

/** What one run over all partitions of a connector told. */
export interface Told {
  /** The last version of each, by id. */
  readonly items: ReadonlyMap<string, SourceItem>
  readonly gone: readonly string[]
  readonly failed: readonly string[]
  /** By partition, as they come back from the ledger. */
  readonly cursors: ReadonlyMap<string, unknown>
}

/** Reads every partition, from the cursors of an earlier run where it left some. */
export async function connectorWalk(
  connector: Connector,
  config: Record<string, unknown>,
  options: ContextOptions & { readonly after?: Told } = {},
): Promise<Told> {
  const context = await connectorContext(connector, config, options)
  const items = new Map<string, SourceItem>()
  const gone: string[] = []
  const failed: string[] = []
  const cursors = new Map<string, unknown>()
  for await (const partition of connector.partitions(context)) {
    const from = options.after?.cursors.get(partition.id)
    for await (const change of connector.changes(partition, from, context)) {
      if (change.type === 'item') items.set(change.item.itemId, change.item)
      else if (change.type === 'gone') gone.push(change.ref.itemId)
      else if (change.type === 'failed') failed.push(change.error.message)
      else if (change.type === 'checkpoint')
        cursors.set(partition.id, connector.manifest.cursor.parse(JSON.parse(JSON.stringify(change.cursor))))
    }
  }
  return { items, gone, failed, cursors }
}

/** What is listed as existing in all partitions. */
export async function connectorInventory(
  connector: Connector,
  config: Record<string, unknown>,
  options: ContextOptions = {},
): Promise<string[]> {
  const context = await connectorContext(connector, config, options)
  const ids: string[] = []
  for await (const partition of connector.partitions(context)) {
    for await (const { itemId } of connector.inventory?.(partition, context) ?? []) ids.push(itemId)
  }
  return ids.sort()
}

export async function textOf(item: SourceItem | undefined): Promise<string> {
  const body = typeof item?.body === 'function' ? await item.body() : item?.body
  return Buffer.from(body ?? '').toString()
}
