import { describe, expect, test } from 'vitest'
import type { Change, Connector, ItemRef, Partition, SourceItem } from '../../src/connector/connector.ts'
import { renderDocument } from '../../src/connector/document.ts'
import { itemIdProblem } from '../../src/domain/identifiers.ts'
import { type ContextOptions, connectorContext, type TestContext } from '../lib/connector-context.ts'

/** A connector in front of a small fake server that the suite may change. */
export interface ConnectorUnderTest extends AsyncDisposable {
  readonly connector: Connector
  /** As in config.yaml. */
  readonly config: Record<string, unknown>
  readonly options?: ContextOptions
  /** Adds an item; its id. */
  add(): Promise<string>
  /** Changes an item that was there from the beginning; its id. Absent where items never change. */
  edit?(): Promise<string>
  /** Deletes an item that was there from the beginning; its id. Absent where deletions cannot be noticed. */
  remove?(): Promise<string>
}

/**
 * What every connector promises, besides what its own tests say.
 *
 * @param open a fake server that holds at least three items
 */
export function describeConnectorContract(name: string, open: () => Promise<ConnectorUnderTest>): void {
  const withFake = (body: (fake: ConnectorUnderTest, context: TestContext<never>) => Promise<void>) => async () => {
    await using fake = await open()
    await body(fake, (await contextOf(fake)) as TestContext<never>)
  }

  describe(`${name} as a connector`, () => {
    test(
      'refuses settings that it does not know',
      withFake(async ({ connector, config }) => {
        expect(connector.manifest.config.safeParse(config).success).toBe(true)
        expect(connector.manifest.config.safeParse({ ...config, nonsense: 1 }).success).toBe(false)
        expect(connector.manifest.config.safeParse({ ...config, name: undefined }).success).toBe(false)
      }),
    )

    test(
      'gives each item an id of the specification, and a source type that it announces',
      withFake(async ({ connector }, context) => {
        const items = itemsOf(await fullScan(connector, context))
        expect(items.size).toBeGreaterThanOrEqual(3)
        for (const { itemId, sourceType } of items.values()) {
          expect(itemIdProblem(itemId)).toBeUndefined()
          expect(connector.manifest.sourceTypes).toContain(sourceType)
        }
      }),
    )

    test(
      'gives the same documents when it reads the same source again',
      withFake(async (fake, context) => {
        const first = await documents(itemsOf(await fullScan(fake.connector, context)))
        const second = await documents(
          itemsOf(await fullScan(fake.connector, (await contextOf(fake)) as TestContext<never>)),
        )
        expect(second).toEqual(first)
        expect([...first.values()].every((text) => text.length > 0)).toBe(true)
      }),
    )

    test(
      'ends each partition with a checkpoint, after which nothing is new',
      withFake(async ({ connector }, context) => {
        for await (const partition of connector.partitions(context)) {
          const changes = await collect(connector, partition, undefined, context)
          const last = changes.at(-1)
          if (last?.type !== 'checkpoint') throw new Error(`${partition.title} ends with ${last?.type ?? 'nothing'}`)
          const known = itemsOf(changes)
          const again = await collect(connector, partition, throughJson(connector, last.cursor), context)
          for (const [id, item] of itemsOf(again)) expect(item.revision).toBe(known.get(id)?.revision)
          expect(again.filter(({ type }) => type === 'gone' || type === 'failed')).toEqual([])
        }
      }),
    )

    test(
      'loses nothing when it goes on from any checkpoint',
      withFake(async ({ connector }, context) => {
        for await (const partition of connector.partitions(context)) {
          const changes = await collect(connector, partition, undefined, context)
          const rests = changes.flatMap((change, at) =>
            change.type === 'checkpoint' ? [{ cursor: change.cursor, rest: changes.slice(at + 1) }] : [],
          )
          for (const { cursor, rest } of rests) {
            const resumed = itemsOf(await collect(connector, partition, throughJson(connector, cursor), context))
            for (const id of itemsOf(rest).keys()) expect(resumed.has(id), `${id} after a checkpoint`).toBe(true)
          }
        }
      }),
    )

    test(
      'reads a single item as in the full scan',
      withFake(async ({ connector }, context) => {
        for await (const partition of connector.partitions(context)) {
          const items = itemsOf(await collect(connector, partition, undefined, context))
          for (const item of items.values()) {
            const { sourceType, itemId, locator, title, revision } = item
            const ref = {
              sourceType,
              itemId,
              title,
              revision,
              partition,
              ...(locator === undefined ? {} : { locator }),
            }
            const read = await connector.read(ref, context)
            expect(read && (await documentOf(read))).toBe(await documentOf(item))
            expect(read?.revision).toBe(item.revision)
          }
        }
      }),
    )

    test(
      'lists in its inventory exactly what a full scan finds',
      withFake(async ({ connector }, context) => {
        if (connector.inventory === undefined) return expect(connector.manifest.deletions).not.toBe('inventory')
        for await (const partition of connector.partitions(context)) {
          const scanned = [...itemsOf(await collect(connector, partition, undefined, context)).keys()]
          const listed: string[] = []
          for await (const { itemId } of connector.inventory(partition, context)) listed.push(itemId)
          expect([...new Set(listed)].sort()).toEqual(scanned.sort())
        }
      }),
    )

    test(
      'notices from its cursor what is added and what is edited',
      withFake(async (fake, context) => {
        const before = await scanWithCursors(fake.connector, context)
        const added = await fake.add()
        const edited = await fake.edit?.()
        const after = await resume(fake, before.cursors)
        expect(after.items.has(added)).toBe(true)
        if (edited === undefined) return
        const item = after.items.get(edited)
        if (item === undefined) throw new Error('the edited item was not noticed')
        expect(item.revision).not.toBe(before.items.get(edited)?.revision)
        expect(await documentOf(item)).not.toBe(before.documents.get(edited))
      }),
    )

    test(
      'notices what is deleted, as its manifest says',
      withFake(async (fake, context) => {
        const { connector } = fake
        if (fake.remove === undefined) return
        const before = await scanWithCursors(connector, context)
        const removed = await fake.remove()
        const after = await resume(fake, before.cursors)
        if (connector.manifest.deletions === 'feed') expect(after.gone).toContain(removed)
        if (connector.manifest.deletions !== 'inventory') return
        const fresh = (await contextOf(fake)) as TestContext<never>
        const left: ItemRef[] = []
        for await (const partition of connector.partitions(fresh)) {
          if (connector.inventory) for await (const ref of connector.inventory(partition, fresh)) left.push(ref)
        }
        expect(left.map(({ itemId }) => itemId)).not.toContain(removed)
      }),
    )

    test(
      'stops when it is told to',
      withFake(async (fake) => {
        const aborting = new AbortController()
        const context = (await contextOf(fake, aborting.signal)) as TestContext<never>
        const partitions: Partition[] = []
        for await (const partition of fake.connector.partitions(context)) partitions.push(partition)
        aborting.abort()
        const first = partitions[0]
        if (first === undefined) throw new Error('there is no partition')
        let seen = 0
        const resumeScan = async () => {
          for await (const _ of fake.connector.changes(first, undefined, context)) seen += 1
          return 'ended'
        }
        // Ending early without a checkpoint and rejecting are both right; what counts is that no further work is done.
        await resumeScan().catch((error: unknown) => error)
        expect(seen).toBeLessThanOrEqual(1)
      }),
    )
  })
}

function contextOf(fake: ConnectorUnderTest, signal?: AbortSignal) {
  return connectorContext(fake.connector, fake.config, { ...fake.options, ...(signal && { signal }) })
}

async function collect(connector: Connector, partition: Partition, cursor: unknown, context: TestContext<never>) {
  const changes: Change<unknown>[] = []
  for await (const change of connector.changes(partition, cursor, context)) changes.push(change)
  return changes
}

async function fullScan(connector: Connector, context: TestContext<never>): Promise<Change<unknown>[]> {
  const changes: Change<unknown>[] = []
  for await (const partition of connector.partitions(context)) {
    changes.push(...(await collect(connector, partition, undefined, context)))
  }
  return changes
}

async function scanWithCursors(connector: Connector, context: TestContext<never>) {
  const cursors = new Map<string, unknown>()
  const items = new Map<string, SourceItem>()
  for await (const partition of connector.partitions(context)) {
    const changes = await collect(connector, partition, undefined, context)
    const last = changes.at(-1)
    if (last?.type === 'checkpoint') cursors.set(partition.id, throughJson(connector, last.cursor))
    for (const [id, item] of itemsOf(changes)) items.set(id, item)
  }
  // Bodies may be read on demand: read what they say before the fake server changes.
  return { cursors, items, documents: await documents(items) }
}

async function resume(fake: ConnectorUnderTest, cursors: ReadonlyMap<string, unknown>) {
  const context = (await contextOf(fake)) as TestContext<never>
  const changes: Change<unknown>[] = []
  for await (const partition of fake.connector.partitions(context)) {
    changes.push(...(await collect(fake.connector, partition, cursors.get(partition.id), context)))
  }
  const gone = changes.flatMap((change) => (change.type === 'gone' ? [change.ref.itemId] : []))
  return { items: itemsOf(changes), gone }
}

/** The last version of each item. */
function itemsOf(changes: readonly Change<unknown>[]): Map<string, SourceItem> {
  return new Map(
    changes.flatMap((change) => (change.type === 'item' ? [[change.item.itemId, change.item] as const] : [])),
  )
}

function throughJson(connector: Connector, cursor: unknown): unknown {
  return connector.manifest.cursor.parse(JSON.parse(JSON.stringify(cursor)))
}

async function documents(items: ReadonlyMap<string, SourceItem>): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  for (const [id, item] of items) texts.set(id, await documentOf(item))
  return texts
}

async function documentOf(item: SourceItem): Promise<string> {
  const body = typeof item.body === 'function' ? await item.body() : item.body
  return body === undefined ? '' : Buffer.from(renderDocument(item, body).bytes).toString('latin1')
}
