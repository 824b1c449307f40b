import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Change, Connector, SourceItem, SourceMachine } from '../../../src/connector/connector.ts'
import { renderDocument } from '../../../src/connector/document.ts'
import { type ContextOptions, connectorContext } from '../../lib/connector-context.ts'

/** A made-up home folder that agents left their sessions in. */
export interface AgentHome {
  readonly folder: string
  readonly machine: SourceMachine
  /** Writes a file below the home; its path. @param content text, bytes, or values that become JSON lines */
  write(path: string, content: string | Uint8Array | readonly unknown[]): string
  append(path: string, content: string | readonly unknown[]): void
  remove(): void
}

export function agentHome(machine: Partial<SourceMachine> = {}): AgentHome {
  const root = mkdtempSync(join(tmpdir(), 'recalld-agents-'))
  const folder = join(root, 'home')
  const temporaryFolder = join(root, 'temporary')
  mkdirSync(folder)
  mkdirSync(temporaryFolder)
  return {
    folder,
    machine: {
      platform: 'linux',
      userHome: folder,
      env: {},
      temporaryFolder,
      spoolFolder: temporaryFolder,
      ...machine,
    },
    write(path, content) {
      const file = join(folder, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, written(content))
      return file
    },
    append(path, content) {
      appendFileSync(join(folder, path), written(content))
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

export interface Reading {
  readonly items: readonly SourceItem[]
  readonly failed: readonly Extract<Change<unknown>, { type: 'failed' }>[]
  readonly gone: readonly Extract<Change<unknown>, { type: 'gone' }>[]
  /** By partition. */
  readonly cursors: ReadonlyMap<string, unknown>
}

/** Everything that a connector yields, going on from the cursors of an earlier reading. */
export async function readAll(
  connector: Connector,
  config: Record<string, unknown>,
  options: ContextOptions,
  earlier?: Reading,
): Promise<Reading> {
  const context = await connectorContext(connector, { name: 'me', ...config }, options)
  const changes: Change<unknown>[] = []
  const cursors = new Map<string, unknown>()
  for await (const partition of connector.partitions(context)) {
    for await (const change of connector.changes(partition, earlier?.cursors.get(partition.id), context)) {
      changes.push(change)
      if (change.type === 'checkpoint') cursors.set(partition.id, change.cursor)
    }
  }
  return {
    items: changes.flatMap((change) => (change.type === 'item' ? [change.item] : [])),
    failed: changes.filter((change) => change.type === 'failed'),
    gone: changes.filter((change) => change.type === 'gone'),
    cursors,
  }
}

/** As it is memorized. */
export async function textOf(item: SourceItem | undefined): Promise<string> {
  const body = typeof item?.body === 'function' ? await item.body() : item?.body
  return item === undefined || body === undefined ? '' : Buffer.from(renderDocument(item, body).bytes).toString('utf8')
}

/** The segment of a session at the end of an item id. */
export function segmentOf({ itemId }: SourceItem): string {
  return itemId.split(':').slice(2).join(':')
}

function written(content: string | Uint8Array | readonly unknown[]): string | Uint8Array {
  if (typeof content === 'string' || content instanceof Uint8Array) return content
  return content.map((value) => `${JSON.stringify(value)}\n`).join('')
}
