import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { MODEL_FOLDER } from '../../src/models/static/static-embedder.ts'
import { processorBudgetMs } from '../../src/pipeline/parse/document/document-reader.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { createWorker } from '../../src/worker/worker.ts'
import { sampleAccount, sampleUpload } from '../contract/store-samples.ts'
import { BOMBS } from '../lib/decompression-bombs.ts'
import { emptySqlite } from '../lib/empty-sqlite.ts'
import { eventually } from '../lib/eventually.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'

const nothing = () => undefined
const log = { debug: nothing, info: nothing, warn: nothing, error: nothing }

test('each bomb fails with its reason, and a note of another account does not wait for them', async () => {
  const store = await openSqliteStore({ file: emptySqlite(join(temporaryFolder(), 'recalld.db')), log })
  onTestFinished(() => store.close())
  await store.admin.createAccount(sampleAccount('a'))
  await store.admin.createAccount(sampleAccount('b'))
  const attacker = store.scoped({ accountId: 'a', sources: 'all' })
  const neighbor = store.scoped({ accountId: 'b', sources: 'all' })
  const names = Object.keys(BOMBS)
  for (const name of names) {
    const body = BOMBS[name]!()
    expect(body.length).toBeLessThan(50_000)
    const bodyHash = createHash('sha256').update(body).digest('hex')
    await attacker.putItem({ ...sampleUpload(name, ''), body, bodyHash })
  }
  await neighbor.putItem(sampleUpload('note', 'Anna said that the heating costs 300 euros.'))

  // Files get a twentieth of what is allowed; the note all of it, because its thread starts with it.
  const limits = {
    quickMs: 100,
    processorMs: (size: number) => processorBudgetMs(size) / (size > 1_000 ? 20 : 1),
  }
  const worker = createWorker({ store, log, modelFolder: MODEL_FOLDER, alone: true, limits })
  onTestFinished(() => worker.stop(0))
  await worker.start()
  const stateOf = async (name: string) => (await attacker.findItem({ itemId: name, sourceType: 'text' }))?.status
  await eventually(async () =>
    expect((await neighbor.findItem({ itemId: 'note', sourceType: 'text' }))?.status).toBe('ready'),
  )
  expect(await Promise.all(names.map(stateOf))).not.toEqual(names.map(() => 'failed'))
  await eventually(async () => expect(await Promise.all(names.map(stateOf))).toEqual(names.map(() => 'failed')))
  for (const name of names) {
    const item = await attacker.findItem({ itemId: name, sourceType: 'text' })
    expect(item?.error, name).toMatch(/processor time|too much memory/)
  }
})

test('what an item may take grows with its size, from five seconds', () => {
  expect(processorBudgetMs(2_000)).toBe(5_000)
  expect(processorBudgetMs(10_000_000)).toBe(300_000)
  expect(processorBudgetMs(20_000_000)).toBe(600_000)
})
