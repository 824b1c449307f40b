import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, onTestFailed, onTestFinished, test } from 'vitest'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { memorize, sampleAccount } from '../contract/store-samples.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { until } from '../lib/until.ts'
import { wordEmbedder } from '../lib/word-embedder.ts'

/** A quarter of a second each; more of them look further. */
const KILLS = Number(process.env.RECALLD_TEST_KILLS ?? 4)
const ITEMS = 40
const CHUNKS = 30

test(
  'a process killed at any moment of a reindex loses no vector, makes none twice, and revives nothing that was deleted',
  async () => {
    const seed = Number(process.env.RECALLD_CRASH_SEED ?? Date.now() % 1_000_000)
    onTestFailed(() => console.error(`Run again with RECALLD_CRASH_SEED=${seed}`))
    const file = join(temporaryFolder(), 'recalld.db')
    const { log } = recordingLog()
    const store = await openSqliteStore({ file, log })
    onTestFinished(() => store.close())
    await store.admin.createAccount(sampleAccount('a'))
    const scoped = store.scoped({ accountId: 'a', sources: 'all' })
    const textsOf = (item: string) => Array.from({ length: CHUNKS }, (_, n) => `${item} says ${n} words of its own`)
    for (let n = 0; n < ITEMS; n++) await memorize(store, scoped, `item-${n}`, textsOf(`item-${n}`))
    const { id: spaceId } = wordEmbedder().space
    const filled = async () => (await store.spaces.progress(spaceId)).filled

    let before = 0
    for (let kill = 0; kill < KILLS; kill++) {
      const child = await startFilling(file)
      // Deleted and replaced while it is filled.
      await scoped.deleteItem({ itemId: `item-${kill}`, sourceType: 'text' })
      await memorize(store, scoped, `item-${ITEMS - kill - 1}`, textsOf(`other-${kill}`), { onConflict: 'replace' })
      await delay((((seed * 7_919) >> kill) % 97) * 2)
      await kill9(child)
      const now = await filled()
      // What was stored stays; two items of at most 30 texts each went.
      expect(now, `after kill ${kill}`).toBeGreaterThanOrEqual(before - 2 * CHUNKS)
      // Else nothing was interrupted.
      if (kill === 0) expect(now).toBeLessThan((ITEMS - 1) * CHUNKS)
      before = now
    }
    const last = await startFilling(file)
    await until(async () => (await filled()) === (ITEMS - KILLS) * CHUNKS)
    await kill9(last)

    const database = new DatabaseSync(file)
    onTestFinished(() => database.close())
    const rows = database
      .prepare('select text, vector from chunk_text left join chunk_vector using (chunk_id) order by chunk_id')
      .all()
    expect(rows).toHaveLength((ITEMS - KILLS) * CHUNKS)
    const vectors = await wordEmbedder().embed(rows.map(({ text }) => String(text)))
    for (const [i, { text, vector }] of rows.entries()) {
      const expected = Int8Array.from(vectors[i]!, (value) => Math.round(value * 127))
      expect(new Int8Array(vector as Uint8Array), String(text)).toEqual(expected)
    }
    const orphans = 'select count(*) as n from chunk_vector where chunk_id not in (select chunk_id from chunk)'
    expect(database.prepare(orphans).get()).toEqual({ n: 0 })
    expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
  },
  60_000 + KILLS * 3_000,
)

async function startFilling(file: string): Promise<ChildProcess> {
  const child = fork(fileURLToPath(new URL('./reindex-process.ts', import.meta.url)), [file], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  await once(child, 'message')
  return child
}

/** As a power cut would: nothing of it runs any more. */
async function kill9(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
