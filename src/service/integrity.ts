import { z } from 'zod'
import type { Store } from '../store/store.ts'

const REPORT = z.object({
  /** ISO 8601 */
  at: z.iso.datetime(),
  /** What is wrong with the pages of the database; not all, where there is much. */
  problems: z.array(z.string()),
  /** Uploads whose bytes were compared with their hash. */
  items: z.number(),
  damaged: z.number(),
  /** Some of them. */
  damaged_items: z.array(z.object({ account_id: z.string(), source_type: z.string(), item_id: z.string() })),
})

/** What the last full check of the stored data found. */
export type IntegrityReport = z.infer<typeof REPORT>

/** Facts that no account has. */
const LEDGER = 'server'
const FACT = 'integrity'

/** `undefined`: it was never checked to the end. */
export async function readIntegrity(store: Store): Promise<IntegrityReport | undefined> {
  const fact = await store.ledger(LEDGER).readFact(FACT)
  return fact === undefined ? undefined : REPORT.parse(JSON.parse(fact))
}

export async function writeIntegrity(store: Store, report: IntegrityReport): Promise<void> {
  await store.ledger(LEDGER).writeFact(FACT, JSON.stringify(report))
}
