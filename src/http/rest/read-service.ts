import type { Meter } from '../../lib/meter.ts'
import type { Service } from '../../service/service.ts'

/** Sets the gauges of what the store holds and what waits in it. @throws AppError while the store is away */
export async function readService(service: Pick<Service, 'statistics'>, meter: Meter): Promise<void> {
  const { stats, engine, budgetLeft, integrity } = await service.statistics()
  const now = Date.now()
  for (const [turn, { waiting, oldestAt }] of Object.entries(stats.turns)) {
    meter.set('recalld_queue_waiting', { turn }, waiting)
    const age = oldestAt === undefined ? 0 : Math.max(0, now - oldestAt.getTime()) / 1_000
    meter.set('recalld_queue_oldest_seconds', { turn }, age)
  }
  for (const [reason, count] of Object.entries(stats.pauses)) {
    meter.set('recalld_refinement_pauses', { reason }, count)
  }
  meter.set('recalld_items', { state: 'waiting' }, stats.pending)
  meter.set('recalld_items', { state: 'settled' }, stats.items - stats.pending)
  meter.set('recalld_items_failed', {}, stats.failed)
  meter.set('recalld_items_bytes', {}, stats.bytes)
  meter.set('recalld_blobs_garbage', {}, stats.garbage)
  if (integrity !== undefined) {
    meter.set('recalld_integrity_problems', {}, integrity.problems.length + integrity.damaged)
    meter.set('recalld_integrity_checked_timestamp_seconds', {}, Date.parse(integrity.at) / 1_000)
  }
  meter.set('recalld_accounts', {}, stats.accounts)
  meter.set('recalld_chunks', {}, stats.chunks)
  meter.set('recalld_memories', {}, stats.memories)
  meter.set('recalld_model_budget_left_ratio', {}, budgetLeft)
  meter.set('recalld_vectors_loaded', {}, engine.vectors?.count ?? 0)
  meter.set('recalld_vectors_loaded_bytes', {}, engine.vectors?.bytes ?? 0)
  const { inUse = 0, idle = 0, waiting = 0 } = engine.connections ?? {}
  for (const [state, count] of Object.entries({ in_use: inUse, idle, waiting })) {
    meter.set('recalld_store_connections', { state }, count)
  }
}
