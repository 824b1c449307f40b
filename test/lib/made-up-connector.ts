import { z } from 'zod'
import { connectionFields, sinceField, tokenFields } from '../../src/connector/connection-fields.ts'
import type { ConnectionConfig, Connector, Manifest, SourceItem } from '../../src/connector/connector.ts'
import type { SourceError } from '../../src/connector/source-error.ts'
import { MADE_UP_DOCUMENTATION, MADE_UP_LISTING } from './made-up-documentation.ts'

/** What stands in the source; a test changes it between runs. */
export interface MadeUpSource {
  readonly items: Map<string, string>
  /** Thrown by `check` while it is set. */
  problem?: SourceError
  /** Runs wait here, when it is set. */
  gate?: Promise<void>
  /** What the last run was given. */
  machine?: unknown
  userName?: string
}

/** A connector to an inventory of texts in memory, with settings of every kind. */
export function madeUpConnector(
  source: MadeUpSource = { items: new Map() },
  manifest: Partial<Pick<Manifest, 'id' | 'title' | 'provider' | 'schedule' | 'cursorLife' | 'auth' | 'listing'>> = {},
): Connector {
  return {
    manifest: {
      id: 'made_up',
      title: 'Made up',
      sourceTypes: ['text'],
      auth: 'token',
      config: z.strictObject({
        ...connectionFields(),
        ...tokenFields(),
        since: sinceField(),
        rooms: z.array(z.string().min(1)).optional().describe('Rooms to read.'),
        depth: z.int().min(1).max(9).default(3).describe('How deep to look.'),
        mode: z.enum(['fast', 'slow']).optional().describe('How to read.'),
      }),
      cursor: z.number(),
      schedule: '*/5 * * * *',
      deletions: 'inventory',
      inventoryEveryMs: 0,
      vanished: 'forget',
      provider: 'made_up',
      version: 1,
      quietPeriodMs: 0,
      selection: ({ name: _, ...selected }: ConnectionConfig) => selected,
      listing: MADE_UP_LISTING,
      documentation: MADE_UP_DOCUMENTATION,
      ...manifest,
    },
    async check(context) {
      await source.gate
      source.machine = context.machine
      source.userName = context.userName
      if (source.problem !== undefined) throw source.problem
      return { account: 'a1', title: 'ada@made-up.test', warnings: ['The scope of moons is missing.'] }
    },
    async *partitions() {
      yield { id: 'all', title: '#all' }
    },
    async *changes() {
      for (const [id, text] of source.items) yield { type: 'item', item: itemOf(id, text) }
      yield { type: 'checkpoint', cursor: source.items.size }
    },
    async read({ itemId }) {
      const text = source.items.get(itemId)
      return text === undefined ? undefined : itemOf(itemId, text)
    },
    async *inventory() {
      for (const [itemId, text] of source.items) yield { sourceType: 'text', itemId, revision: text }
    },
  }
}

function itemOf(itemId: string, text: string): SourceItem {
  return { sourceType: 'text', itemId, revision: text, title: itemId, body: text }
}
