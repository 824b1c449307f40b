import type { Change, Connector, SourceItem } from '../../../src/connector/connector.ts'
import type { AtlassianServer } from '../../fakes/atlassian/atlassian-server.ts'
import { connectorContext } from '../../lib/connector-context.ts'

/** One run over all parts of a site, each from the same cursor. */
export async function readPart(
  connector: Connector,
  server: AtlassianServer,
  cursor?: unknown,
  settings: Record<string, unknown> = {},
) {
  const context = await connectorContext(connector, { ...server.settings, ...settings }, { clock: () => server.now })
  const changes: Change<unknown>[] = []
  for await (const partition of connector.partitions(context)) {
    for await (const change of connector.changes(partition, cursor, context)) changes.push(change)
  }
  const cursors = changes.flatMap((change) => (change.type === 'checkpoint' ? [change.cursor] : []))
  return {
    items: changes.flatMap((change) => (change.type === 'item' ? change.item : [])),
    cursors,
    cursor: cursors.at(-1),
  }
}

export async function textOf(item: SourceItem | undefined): Promise<string> {
  const body = typeof item?.body === 'function' ? await item.body() : item?.body
  return String(body)
}
