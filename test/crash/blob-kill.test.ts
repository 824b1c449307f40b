import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFailed, onTestFinished, test } from 'vitest'
import { openS3Blobs } from '../../src/store/s3/s3-blobs.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'
import { type S3Server, startS3Server } from '../fakes/s3-server.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { seededRandom } from '../lib/seeded-random.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { until } from '../lib/until.ts'
import { KillableService } from './killable-service.ts'
import { databaseFindings } from './store-inspection.ts'

const ITEMS = 12
/** Half a second each; more of them look further. */
const KILLS = Number(process.env.RECALLD_TEST_KILLS ?? 2)
const LONGEST_MS = 120_000 + KILLS * 3_000
const HOUR_MS = 3_600_000
const { log } = recordingLog()

/** What an item may hold, as far as its client knows; `undefined`: it does not exist. */
type Possible = readonly (string | undefined)[]

interface BlobRun {
  readonly file: string
  readonly s3: S3Server
  readonly known: Map<string, Possible>
  readonly random: () => number
  /** How many changes were answered. */
  acknowledged: number
}

async function openBlobRun(): Promise<BlobRun> {
  const seed = Number(process.env.RECALLD_CRASH_SEED ?? Date.now() % 1_000_000)
  onTestFailed(() => console.error(`Run again with RECALLD_CRASH_SEED=${seed}`))
  const s3 = await startS3Server()
  onTestFinished(() => s3[Symbol.asyncDispose]())
  return {
    file: join(temporaryFolder(), 'recalld.db'),
    s3,
    known: new Map(),
    random: seededRandom(seed),
    acknowledged: 0,
  }
}

/** Clients change items, each its own, until `when` resolves and the service is killed. */
async function runUntilKilled(run: BlobRun, when: () => Promise<void>): Promise<void> {
  const { file, s3, known, random } = run
  const service = new KillableService(file, s3.url('recalld'))
  const started = service.started()
  let killed = false
  const clients = Array.from({ length: 4 }, async (_, client) => {
    await started
    while (!killed) {
      const itemId = `item-${client + 4 * Math.floor((random() * ITEMS) / 4)}`
      const [before] = known.get(itemId) ?? [undefined]
      const after = before !== undefined && random() < 0.4 ? undefined : newText(itemId, random)
      known.set(itemId, [before, after])
      const answer =
        after === undefined
          ? await service.send({ type: 'delete', itemId })
          : await service.send({ type: 'put', itemId, text: after, replace: before !== undefined })
      if (answer === undefined) return
      known.set(itemId, [after])
      run.acknowledged++
    }
  })
  await started
  await when()
  killed = true
  await service.kill()
  await Promise.all(clients)
  s3.fault = undefined
}

/** Most lie in the storage; some in the database. */
function newText(itemId: string, random: () => number): string {
  const mark = random().toString(36).slice(2)
  return random() < 0.2 ? `${itemId} ${mark}` : `${itemId} ${mark} ${'and so on '.repeat(10)}`
}

async function withStore<T>({ file, s3 }: BlobRun, aheadMs: number, use: (store: Store) => Promise<T>): Promise<T> {
  const clock = () => new Date(Date.now() + aheadMs)
  const bodies = { blobs: openS3Blobs(s3.url('recalld')), leastBytes: 64 }
  const store = await openSqliteStore({ file, log, clock, bodies })
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}

/** After a kill every item is in one of the states it may be in, with all of its bytes; which one becomes certain. */
async function settle(run: BlobRun, kill: string): Promise<void> {
  await withStore(run, 0, async (store) => {
    const scoped = store.scoped({ accountId: 'a', sources: 'all' })
    for (const [itemId, possible] of run.known) {
      const body = await scoped.readBody({ itemId, sourceType: 'text' })
      const text = body && Buffer.from(body).toString()
      expect(possible, `${itemId} after the kill ${kill}`).toContain(text)
      run.known.set(itemId, [text])
    }
  })
}

/** Once the work is done and the sweep was there, the storage holds what the database refers to, and nothing else. */
async function expectSound(run: BlobRun): Promise<void> {
  const { file, s3 } = run
  const last = new KillableService(file, s3.url('recalld'))
  await last.started()
  await until(async () => (await last.send({ type: 'drained' }))?.value === true)
  await last.close()
  await withStore(run, HOUR_MS, async (store) => {
    expect(await store.queue.claim({ owner: 'last', limit: 1, leaseMs: 60_000 })).toEqual([])
    await until(async () => {
      const { garbage, unfinished } = await store.bodies.stats()
      return garbage === 0 && unfinished === 0
    })
    const { inStorage } = await store.bodies.stats()
    expect(await store.bodies.compare()).toMatchObject({
      ...{ objects: inStorage.items, bytes: inStorage.bytes },
      missing: [],
    })
  })
  await settle(run, 'before the last')
  expect(await databaseFindings(file)).toEqual([])
}

/** Of the storage: the requests that store, fetch and remove an object. */
const STEPS = (['PUT', 'GET', 'DELETE'] as const).flatMap((method) =>
  (['before', 'after'] as const).map((moment) => ({ method, moment })),
)

test(
  'a service killed at any step of an object loses no upload and leaves no object',
  async () => {
    const run = await openBlobRun()
    for (const [n, { method, moment }] of STEPS.entries()) {
      // The first and the third of each kind; by default, one of both.
      for (const nth of KILLS > 6 ? [1, 3] : [n % 2 === 0 ? 1 : 3]) {
        await runUntilKilled(
          run,
          () =>
            new Promise<void>((resolve) => {
              let seen = 0
              run.s3.fault = (request) => {
                if (request.method !== method || ++seen < nth) return undefined
                resolve()
                // Whatever else is under way is cut off too.
                return moment === 'before' ? 'silent' : 'answer lost'
              }
            }),
        )
        await settle(run, `${moment} ${method} ${nth}`)
      }
    }
    await expectSound(run)
  },
  LONGEST_MS,
)

test(
  'a service killed at any moment loses no upload and leaves no object',
  async () => {
    const run = await openBlobRun()
    for (let kill = 1; kill <= KILLS; kill++) {
      // After so many answers, at least two, however long they take.
      const enough = run.acknowledged + 2 + Math.floor(run.random() * 25)
      await runUntilKilled(run, async () => {
        await until(async () => run.acknowledged >= enough)
        await delay(run.random() * 20)
      })
      await settle(run, String(kill))
    }
    expect(run.acknowledged).toBeGreaterThan(KILLS)
    await expectSound(run)
  },
  LONGEST_MS,
)
