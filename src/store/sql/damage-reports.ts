import type { AppError } from '../../domain/errors.ts'
import type { SourceType } from '../../domain/source-type.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { Telemetry } from '../../lib/telemetry.ts'
import type { IntentRunner } from './intent-runner.ts'

/** Whose bytes were read. */
export interface ReadItem {
  readonly accountId: string
  readonly sourceType: SourceType
  readonly itemId: string
}

interface Parts {
  readonly intents: IntentRunner
  readonly log: Log
  readonly meter: Telemetry['meter']
  readonly clock: Clock
}

/** Noted as activity once each, until so many others were. */
const MOST_NOTED = 10_000

/** Tells whoever runs the service, and whose item it is, that stored bytes were lost or changed. */
export class DamageReports {
  readonly #parts: Parts
  readonly #noted = new Set<string>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** @param key of the object that held the bytes; absent when they were in the database */
  async report({ accountId, sourceType, itemId }: ReadItem, error: AppError, key?: string): Promise<void> {
    const { intents, log, meter, clock } = this.#parts
    const where = key === undefined ? 'database' : 'storage'
    log.error({ err: error, accountId, sourceType, where, ...(key && { key }) }, 'stored bytes of an item are damaged')
    meter.count('recalld_bodies_damaged_total', { where })
    const id = JSON.stringify([accountId, sourceType, itemId])
    if (this.#noted.has(id)) return
    if (this.#noted.size >= MOST_NOTED) this.#noted.clear()
    this.#noted.add(id)
    const entry = { kind: 'item_damaged', source: sourceType, item_id: itemId } as const
    try {
      await intents.call('addActivity', [{ accountId, at: clock(), actor: { type: 'server' }, entry }])
    } catch (cause) {
      this.#noted.delete(id)
      log.warn({ err: cause }, 'a damaged item could not be noted as activity')
    }
  }
}
