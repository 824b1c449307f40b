import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Change, Context, ItemRef, SourceItem, SourceType } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { sourceItemId } from '../../src/connector/source-item-id.ts'
import { IncompleteArchive, type TakeoutEntry, type TakeoutWish } from './takeout-archive.ts'
import { type TakeoutSource, takeoutPath, takeoutSources } from './takeout-folder.ts'

/** Equal when nothing in the folder has changed. */
export const takeoutCursor = z.strictObject({ takeout: z.string() })
export type TakeoutCursor = z.infer<typeof takeoutCursor>

/**
 * Merges what the exports in the folder contain: exports overlap and are split anywhere, so a day can be spread over
 * several archives. It keeps the records of all of them in memory, so store little per file.
 */
export interface TakeoutCollector extends TakeoutWish {
  /** @throws Error when the file is not in the expected format */
  take(path: string, bytes: Uint8Array): void
  /** In an order that depends only on the content. */
  items(): Iterable<SourceItem>
}

type TakeoutContext = Context<{ readonly name: string; readonly takeout?: string | undefined }>

/** The part of a connection that reads Google Takeout. */
export interface TakeoutReading<Context extends TakeoutContext> {
  changes(from: TakeoutCursor | undefined, context: Context): AsyncGenerator<Change<TakeoutCursor>>
  /** @throws SourceError `skip` when it is no longer in the folder; the item is kept */
  read(ref: ItemRef, context: Context): Promise<SourceItem>
  inventory(context: Context): AsyncGenerator<ItemRef>
}

/** @param collectorOf creates an empty one */
export function takeoutReading<Context extends TakeoutContext>(
  sourceType: SourceType,
  collectorOf: (context: Context) => TakeoutCollector,
): TakeoutReading<Context> {
  /** The result of the scan, for single items that are read again in the same run. */
  const known = new WeakMap<Context, Promise<TakeoutCollector>>()
  const byId = new WeakMap<TakeoutCollector, ReadonlyMap<string, SourceItem>>()

  async function collected(context: Context): Promise<TakeoutCollector> {
    const collector = collectorOf(context)
    for (const source of await sourcesOf(collector, context)) await collect(source, collector, context.signal)
    return collector
  }

  return {
    async *changes(from, context) {
      const collector = collectorOf(context)
      const sources = await sourcesOf(collector, context)
      const takeout = stampOf(sources, context)
      if (from?.takeout === takeout) return yield { type: 'checkpoint', cursor: from }
      for (const source of sources) {
        const { problem, files } = await collect(source, collector, context.signal)
        yield problemOf(sourceType, source.name, problem)
        for (const { path, message } of files) yield problemOf(sourceType, path, message)
      }
      known.set(context, Promise.resolve(collector))
      for (const item of collector.items()) {
        context.signal.throwIfAborted()
        yield { type: 'item', item }
      }
      yield { type: 'checkpoint', cursor: { takeout } }
    },

    async read({ itemId, title }, context) {
      const collecting = known.get(context) ?? collected(context)
      known.set(context, collecting)
      const collector = await collecting
      const items = byId.get(collector) ?? new Map([...collector.items()].map((item) => [item.itemId, item]))
      byId.set(collector, items)
      const item = items.get(itemId)
      if (item !== undefined) return item
      throw new SourceError('skip', `${title ?? itemId} is no longer in any export in the folder.`)
    },

    async *inventory(context) {
      for (const { body: _, ...ref } of (await collected(context)).items()) yield ref
    },
  }
}

function sourcesOf(collector: TakeoutCollector, { config, machine, clock }: TakeoutContext): Promise<TakeoutSource[]> {
  if (config.takeout === undefined) throw new SourceError('reconfigure', 'takeout is not set. Set it to a folder.')
  return takeoutSources(takeoutPath(config.takeout, machine.userHome), collector, clock())
}

/** Days begin in the person's time zone. */
function stampOf(sources: readonly TakeoutSource[], { timeZone }: TakeoutContext): string {
  const all = sources.map(({ name, stamp }) => `${name}\0${stamp}`)
  return createHash('sha256')
    .update([timeZone, ...all].join('\n'))
    .digest('hex')
    .slice(0, 32)
}

interface Collected {
  /** Why the rest of the archive was skipped. */
  readonly problem: string | undefined
  readonly files: readonly { readonly path: string; readonly message: string }[]
}

/** Damaged archives are reported; what was read before the damage is kept. */
async function collect(source: TakeoutSource, collector: TakeoutCollector, signal: AbortSignal): Promise<Collected> {
  const files: { path: string; message: string }[] = []
  try {
    for await (const { path, bytes } of entriesOf(source, collector)) {
      signal.throwIfAborted()
      const message = taken(path, bytes, collector)
      if (message !== undefined) files.push({ path, message })
    }
    return { problem: undefined, files }
  } catch (error) {
    if (signal.aborted || error instanceof SourceError) throw error
    const problem =
      error instanceof IncompleteArchive
        ? `${source.name} is incomplete. It is read again when it changes.`
        : `${source.name} can't be read: it is damaged or not a Google Takeout export. Download it again.`
    return { problem, files }
  }
}

function entriesOf(source: TakeoutSource, collector: TakeoutCollector): AsyncGenerator<TakeoutEntry> {
  return source.entries({ wants: (path) => collector.wants(path), largest: collector.largest })
}

function taken(path: string, bytes: Uint8Array | undefined, collector: TakeoutCollector): string | undefined {
  if (bytes === undefined) return `${path} is larger than ${Math.floor(collector.largest / 1024 / 1024)} MB.`
  try {
    collector.take(path, bytes)
    return undefined
  } catch {
    // The error's message would quote the file.
    return `${path} is not in the Google Takeout format.`
  }
}

/** @param message `undefined` clears it */
function problemOf(sourceType: SourceType, title: string, message: string | undefined): Change<TakeoutCursor> {
  const ref = { sourceType, itemId: sourceItemId('takeout', title), title }
  if (message === undefined) return { type: 'gone', ref }
  return { type: 'failed', ref: { ...ref, revision: message }, error: new SourceError('skip', message) }
}
