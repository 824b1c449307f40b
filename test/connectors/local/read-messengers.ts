import { messengerExports } from '../../../connectors/local/messenger-exports.ts'
import type { Connector, SourceItem } from '../../../src/connector/connector.ts'
import { connectorContext } from '../../lib/connector-context.ts'

/** Everything that the connector yields for a folder with exports. */
export async function readMessengers(folder: string, settings: Record<string, unknown> = {}, userName?: string) {
  const connector: Connector = messengerExports
  const options = userName === undefined ? {} : { userName }
  const context = await connectorContext(connector, { name: 'me', paths: [folder], ...settings }, options)
  const items: SourceItem[] = []
  const failures: string[] = []
  const partitions: string[] = []
  for await (const partition of connector.partitions(context)) {
    partitions.push(partition.title)
    for await (const change of connector.changes(partition, undefined, context)) {
      if (change.type === 'item') items.push(change.item)
      if (change.type === 'failed') failures.push(change.error.message)
    }
  }
  return { items, failures, partitions, warned: context.warned }
}
