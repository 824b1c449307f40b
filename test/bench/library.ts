import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { LibraryQuery } from '../../src/store/library/library.ts'
import { insertItems, storeOfItems } from './library-items.ts'
import { percentile, timed } from './measure.ts'
import { machine, type Row, writeTable } from './table.ts'

/**
 * Pages of 100 of a library of 100,000 items, each with all numbers that the page shows, and as a ratio to reading the same
 * number of rows by their keys. `node test/bench/library.ts`
 */
const ITEMS = 100_000
const PAGE = 100
const TIMES = 30

const folder = mkdtempSync(path.join(tmpdir(), 'recalld-bench-library-'))
const store = await storeOfItems(folder, 'bench', ITEMS)
const file = path.join(folder, 'recalld.db')
const rows: Row[] = []
try {
  const baseline = byKey()
  const newest = { sort: 'newest' } as const
  for (const offset of [0, 50_000, 99_900])
    await measure(`newest first, from ${offset}`, { ...newest, offset }, baseline)
  for (const sort of ['name', 'largest', 'state'] as const) {
    await measure(`by ${sort}, from 99,900`, { sort, offset: 99_900 }, baseline)
  }
  await measure(
    'three sources of eight, from 30,000',
    { sort: 'newest', sources: ['slack', 'email', 'text'], offset: 30_000 },
    baseline,
  )
  await measure('ready ones, from 99,000', { ...newest, states: ['ready'], offset: 99_000 }, baseline)
  await measure('failed ones', { ...newest, states: ['failed'], offset: 0 }, baseline)
  await measure('a text that many hold', { ...newest, text: 'Billing', offset: 0 }, baseline)
  await measure('a text that none holds', { ...newest, text: 'no item says this', offset: 0 }, baseline)
  measureIndexes()
} finally {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
}
await writeTable(rows, { title: machine(), write: false, marker: 'bench-library' })

async function measure(what: string, query: Omit<LibraryQuery, 'limit'>, baseline: number): Promise<void> {
  const { library } = store.scoped({ accountId: 'bench', sources: 'all' })
  const durations = await timed(TIMES, 1, async () => void (await library.list({ ...query, limit: PAGE })))
  rows.push({
    what: `${what}, p50`,
    budget: undefined,
    unit: 'ms',
    measured: percentile(durations, 0.5),
    baseline,
    against: '100 rows by key',
  })
}

/** Median of reading as many whole rows by their keys, in ms. */
function byKey(): number {
  const database = new DatabaseSync(file, { readOnly: true })
  const select = database.prepare('select * from item where item_key between ? and ?')
  const durations = Array.from({ length: TIMES }, (_, n) => {
    const start = performance.now()
    select.all(n * 3_000 + 1, n * 3_000 + PAGE)
    return performance.now() - start
  })
  database.close()
  return percentile(durations, 0.5)
}

/** What the indexes of the lists cost whoever uploads: the same inserts with them and without. */
function measureIndexes(): void {
  const perItem = (prefix: string) => {
    const start = performance.now()
    insertItems(file, 'bench', 20_000, prefix)
    return (performance.now() - start) / 20_000
  }
  const measured = perItem('with')
  const database = new DatabaseSync(file)
  for (const name of ['item_newest', 'item_size', 'item_name', 'item_failed']) database.exec(`drop index ${name}`)
  database.close()
  rows.push({
    what: 'insert of one item, body and job',
    budget: undefined,
    unit: 'ms',
    measured,
    baseline: perItem('without'),
    against: 'the same without the indexes of the lists',
  })
}
