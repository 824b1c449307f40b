import { github } from '../../../connectors/github/github.ts'
import type { GithubConfig, GithubCursor } from '../../../connectors/github/github-config.ts'
import type { Change, ItemRef, SourceItem, StoredRef } from '../../../src/connector/connector.ts'
import { type ContextOptions, connectorContext, type TestContext } from '../../lib/connector-context.ts'
import type { GithubServer } from './github-server.ts'

/** A run of the GitHub connector against a local server, partition by partition. */
export async function githubRun(
  server: GithubServer,
  config: Record<string, unknown> = {},
  options: ContextOptions = {},
) {
  const whole = { clock: () => server.fake.now, ...options }
  // `connectorContext` knows the manifest's schema only by its interface.
  const context = (await connectorContext(github, githubSettings(server, config), whole)) as TestContext<GithubConfig>
  const partitions = await all(github.partitions(context))
  const partition = (end: string) => {
    const found = partitions.find(({ id, title }) => id.endsWith(end) || title.endsWith(end))
    if (found === undefined) throw new Error(`no partition ${end}`)
    return found
  }
  return {
    context,
    partitions,
    partition,
    async changes(end: string, cursor?: GithubCursor) {
      return changesOf(await all(github.changes(partition(end), cursor, context)))
    },
    async inventory(end: string): Promise<ItemRef[]> {
      return github.inventory ? all(github.inventory(partition(end), context)) : []
    },
    read: (ref: Omit<StoredRef, 'partition'>, end: string) =>
      github.read({ ...ref, partition: partition(end) }, context),
  }
}

async function all<T>(entries: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const entry of entries) list.push(entry)
  return list
}

export function githubSettings(server: GithubServer, config: Record<string, unknown> = {}): Record<string, unknown> {
  return { name: 'me', token: server.token, api_url: server.url, ...config }
}

function changesOf(changes: readonly Change<GithubCursor>[]) {
  const items = changes.flatMap((change) => (change.type === 'item' ? [change.item] : []))
  const last = changes.at(-1)
  return {
    changes,
    items,
    ids: items.map(({ itemId }) => itemId),
    gone: changes.flatMap((change) => (change.type === 'gone' ? [change.ref.itemId] : [])),
    failed: changes.flatMap((change) => (change.type === 'failed' ? [change.error.message] : [])),
    cursor: last?.type === 'checkpoint' ? last.cursor : undefined,
    /** Of the item whose id ends so. */
    async text(end: string): Promise<string> {
      const item = items.find(({ itemId }) => itemId.endsWith(end))
      if (item === undefined) throw new Error(`no item ${end}`)
      return (await bodyOf(item)) ?? ''
    },
  }
}

export async function bodyOf(item: SourceItem): Promise<string | undefined> {
  const body = typeof item.body === 'function' ? await item.body() : item.body
  return body === undefined ? undefined : String(body)
}
