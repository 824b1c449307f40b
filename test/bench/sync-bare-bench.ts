import { randomUUID } from 'node:crypto'
import { startService } from '../lib/start-service.ts'
import { forgetfulMemory } from './forgetful-memory.ts'
import { environmentOf, run } from './sync-bench.ts'
import type { BareSource, OpenBareSource } from './sync-sources/bare-source.ts'
import { caldavBench, icsBench } from './sync-sources/calendar-feed-bench.ts'
import { FILE_SOURCES } from './sync-sources/files-bench.ts'
import { imapBench } from './sync-sources/imap-bench.ts'
import type { Row } from './table.ts'

/** Mail servers, calendars and files, in the order of the rows. */
export const BARE_SOURCES: Readonly<Record<string, OpenBareSource>> = {
  imap: imapBench,
  caldav: caldavBench,
  ics: icsBench,
  ...FILE_SOURCES,
}

/** A first run that keeps nothing, against reading the same without a connector, and a run without changes. */
export async function measureSyncBare(open: OpenBareSource, share: number): Promise<Row[]> {
  const source = await open(share)
  try {
    return await measureSource(source)
  } finally {
    await source.close()
  }
}

async function measureSource(source: BareSource): Promise<Row[]> {
  const { against, count } = source
  const title = `${source.connector}, ${count.toLocaleString('en')} ${source.noun}`
  const tripsSoFar = () => source.roundTrips?.() ?? 0
  await using service = await startService({ work: false })
  const environment = environmentOf(service.store.ledger(randomUUID()), forgetfulMemory())
  const start = performance.now()
  const first = await run(source, environment)
  const ms = performance.now() - start
  const trips = tripsSoFar()
  if (first.memorized !== count) throw new Error(`${title}: ${first.memorized} items were memorized`)
  const bareMs = await source.bare()
  const bareTrips = tripsSoFar() - trips
  const second = await run(source, environment)
  if (second.memorized > 0) throw new Error(`${title}: a run without changes memorized ${second.memorized} items`)
  const row = { budget: undefined, unit: 'ms', against } as const
  const rows: Row[] = [
    {
      what: `${title}: first run, until memorized`,
      budget: undefined,
      unit: 'items/s',
      measured: (count / ms) * 1_000,
    },
    { what: `${title}: the whole first run`, ...row, measured: ms, baseline: bareMs },
    { what: `${title}: run without changes`, ...row, budget: 2_000, measured: second.duration_ms, baseline: bareMs },
  ]
  if (source.roundTrips === undefined) return rows
  const inTrips = { ...row, unit: 'requests', measured: trips, baseline: bareTrips } as const
  return [...rows, { what: `${title}: round trips of the first run`, ...inTrips }]
}
