import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Log } from '../../../src/lib/log.ts'
import { type Meter, NO_TELEMETRY } from '../../../src/lib/telemetry.ts'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import type { ScopedStore, Store } from '../../../src/store/store.ts'
import { createWorker, type WorkerOptions } from '../../../src/worker/worker.ts'
import { type MovableClock, movableClock } from '../../contract/store-contract.ts'
import { findTexts, memorize, sampleAccount, sampleUpload } from '../../contract/store-samples.ts'
import { emptySqlite } from '../../lib/empty-sqlite.ts'
import { eventually } from '../../lib/eventually.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

const nothing = () => undefined
const log: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing }

// Threads that are lost start again, which takes seconds on a busy machine.
describe('the worker', () => {
  let store: Store
  let scoped: ScopedStore
  let clock: MovableClock
  beforeEach(async () => {
    clock = movableClock()
    store = await openSqliteStore({ file: emptySqlite(join(temporaryFolder(), 'recalld.db')), log, clock })
    onTestFinished(() => store.close())
    await store.admin.createAccount(sampleAccount('a'))
    scoped = store.scoped({ accountId: 'a', sources: 'all' })
  })

  async function start(options: Partial<WorkerOptions> = {}) {
    const pipelineModule = new URL('../../lib/scripted-pipeline.ts', import.meta.url)
    const worker = createWorker({ store, log, clock, modelFolder: 'unused', pipelineModule, ...options })
    onTestFinished(() => worker.stop(0))
    await worker.start()
    return worker
  }

  const upload = (itemId: string, text: string) => scoped.putItem(sampleUpload(itemId, text))
  const statusOf = async (itemId: string) => (await scoped.findItem({ itemId, sourceType: 'text' }))?.status
  const reaches = (itemId: string, status: string) =>
    eventually(async () => expect(await statusOf(itemId)).toBe(status))

  test('makes uploads recallable, those that waited and those that come', async () => {
    await upload('before', 'first words')
    await start({ threads: { quick: 2, spare: 0, slow: 1 } })
    await Promise.all(Array.from({ length: 30 }, (_, n) => upload(`later-${n}`, `words ${n}`)))
    for (let n = 0; n < 30; n++) await reaches(`later-${n}`, 'ready')
    expect(await findTexts(scoped, ['words'])).toHaveLength(31)
    expect((await store.queue.depth()).waiting).toBe(0)
  })

  /** Of the threads that have run an item: how many. */
  const threadsIn = (folder: string) =>
    readFileSync(join(folder, 'runs'), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('1 ')).length

  test.each([
    ['starts spare threads while many items wait', 40, 2],
    ['leaves a few items to one thread', 5, 1],
  ])('%s', async (_title, items, threads) => {
    const folder = temporaryFolder()
    const released = join(folder, 'released')
    for (let n = 0; n < items; n++) await upload(`item-${n}`, `hold ${released}`)
    await start({ modelFolder: folder, threads: { quick: 1, spare: 1, slow: 1 }, spareAfterMs: 0 })
    await eventually(async () => expect(threadsIn(folder)).toBe(threads))
    writeFileSync(released, '')
    for (let n = 0; n < items; n++) await reaches(`item-${n}`, 'ready')
    expect(threadsIn(folder)).toBe(threads)
  })

  test('fails a file for good that no attempt can read, with its reason', async () => {
    await start()
    await upload('locked', 'unreadable')
    await reaches('locked', 'failed')
    const item = await scoped.findItem({ itemId: 'locked' })
    expect(item?.error).toBe('The PDF is encrypted; upload it without a password')
  })

  test('tries again after other errors, when the time has come', async () => {
    await start()
    await upload('note', 'flaky')
    await eventually(async () =>
      expect((await scoped.findItem({ itemId: 'note' }))?.error).toBe('The embedder is away'),
    )
    expect(await statusOf('note')).toBe('queued')
    const { nextAt } = await store.queue.depth()
    expect(nextAt!.getTime()).toBeGreaterThan(clock().getTime())
    clock.advance(10_000)
    await reaches('note', 'ready')
  })

  test.each(['crash', 'memory', 'hang'])('survives a file that stops its thread: %s', async (text) => {
    // A busy machine leaves others less time too.
    const limits = text === 'hang' ? { quickClockMs: 1_000, clockMs: () => 3_000 } : {}
    await start({ limits, threadMemoryMb: 64 })
    await upload('poison', text)
    await eventually(async () =>
      expect((await scoped.findItem({ itemId: 'poison' }))?.error).toContain('crashed the worker once'),
    )
    await upload('healthy', 'goes on')
    await reaches('healthy', 'ready')
    expect(await statusOf('poison')).toBe('queued')
  })

  test('fails a file at once that needs more processor time than it may, with the reason, while others get through', async () => {
    await start({ limits: { quickMs: 100, processorMs: () => 500 } })
    await upload('bomb', 'spin')
    await upload('note', 'goes on')
    await reaches('note', 'ready')
    await reaches('bomb', 'failed')
    const item = await scoped.findItem({ itemId: 'bomb' })
    expect(item?.error).toMatch(/more than .* of processor time/)
    expect((await store.queue.depth()).waiting).toBe(0)
  })

  test('never fails a file for time in which it did not have the processor', async () => {
    await start({ limits: { quickMs: 20, processorMs: () => 40 } })
    await upload('starved', 'slow')
    await reaches('starved', 'ready')
  })

  test('makes what needs longer in the quick lane in the slow one', async () => {
    await start({ limits: { quickMs: 20 } })
    await upload('long', 'busy')
    await reaches('long', 'ready')
  })

  test.each([
    ['keeps its claims when short items take long on a busy machine', 'slow', false],
    ['gives its claims back after an item that used the processor for long', 'busy', true],
  ])('%s', async (_title, text, isGivenBack) => {
    let claims = 0
    const count: Meter['count'] = (name, _labels, by = 1) => {
      if (name === 'recalld_worker_claims_total') claims += by
    }
    for (let n = 0; n < 4; n++) await upload(`item-${n}`, text)
    await start({ telemetry: { ...NO_TELEMETRY, meter: { ...NO_TELEMETRY.meter, count } } })
    for (let n = 0; n < 4; n++) await reaches(`item-${n}`, 'ready')
    expect(claims > 4).toBe(isGivenBack)
  })

  test('ends an idle thread and starts another one for the next item', async () => {
    let failures = 0
    const worker = await start({ idleMs: 1, log: { ...log, warn: () => void failures++ } })
    let uploads = 0
    // Only the first one of each thread fails.
    await eventually(async () => {
      await upload(`note-${uploads++}`, 'flaky')
      expect(failures).toBeGreaterThan(1)
    })
    expect(worker.isAlive).toBe(true)
    await upload('healthy', 'goes on')
    await reaches('healthy', 'ready')
  })

  test('starts a thread and has it process a sentence before a text comes, once', async () => {
    const modelFolder = temporaryFolder()
    const worker = await start({ modelFolder, pipelineVersion: 'scripted@1' })
    await Promise.all([worker.warmUp(), worker.warmUp()])
    await worker.warmUp()
    await upload('coming', 'a text')
    await reaches('coming', 'ready')
    expect(readFileSync(join(modelFolder, 'runs'), 'utf8')).toBe('1 note.md\n2 coming.txt\n')
  })

  test('ends a thread that was started for a text that never came, and starts another one', async () => {
    const modelFolder = temporaryFolder()
    const worker = await start({ modelFolder, pipelineVersion: 'scripted@1', idleMs: 1 })
    await eventually(async () => {
      await worker.warmUp()
      expect(readFileSync(join(modelFolder, 'runs'), 'utf8')).toMatch(/^(1 note\.md\n){2,}$/)
    })
  })

  test('lets a note of another account pass four large files', async () => {
    await store.admin.createAccount(sampleAccount('b'))
    const neighbor = store.scoped({ accountId: 'b', sources: 'all' })
    await start({ limits: { processorMs: () => 60_000 } })
    const large = `spin${' '.repeat(9_000_000)}`
    for (let n = 0; n < 4; n++) await upload(`large-${n}`, large)
    await reaches('large-0', 'processing')
    await neighbor.putItem(sampleUpload('note', 'a short note'))
    await eventually(async () => expect((await neighbor.findItem({ itemId: 'note' }))?.status).toBe('ready'))
    // One alone is in work: the others are left to workers that have the time.
    const states = await Promise.all([0, 1, 2, 3].map((n) => statusOf(`large-${n}`)))
    expect(states).toEqual(['processing', 'queued', 'queued', 'queued'])
  })

  test('fails a file for good that stopped its thread five times', async () => {
    await start()
    await upload('poison', 'crash')
    for (const attempt of [1, 2, 3, 4]) {
      await eventually(async () => {
        const item = await scoped.findItem({ itemId: 'poison' })
        expect(item?.error).toContain(attempt === 1 ? 'once' : `${attempt} times`)
      })
      clock.advance(60_000)
    }
    await reaches('poison', 'failed')
  })

  test('finishes what it began when stopped, and gives back what it did not', async () => {
    const worker = await start()
    const released = join(temporaryFolder(), 'released')
    await Promise.all(Array.from({ length: 5 }, (_, n) => upload(`item-${n}`, `hold ${released}`)))
    await reaches('item-0', 'processing')
    const stopped = worker.stop(60_000)
    writeFileSync(released, '')
    await stopped
    expect(await statusOf('item-0')).toBe('ready')
    expect(await statusOf('item-4')).toBe('queued')
    const claims = await store.queue.claim({ owner: 'next', limit: 9, leaseMs: 1_000 })
    expect(new Set(claims.map(({ attempt }) => attempt))).toEqual(new Set([1]))
  })

  test('gives an item back that takes longer than the stop may wait', async () => {
    const worker = await start()
    await upload('endless', 'spin')
    await reaches('endless', 'processing')
    await worker.stop(50)
    const [claim] = await store.queue.claim({ owner: 'next', limit: 9, leaseMs: 1_000 })
    expect(claim).toMatchObject({ itemId: 'endless', attempt: 1 })
  })

  test('makes items of an older pipeline again', async () => {
    await memorize(store, scoped, 'note', ['made by an older pipeline'])
    await start()
    await eventually(async () => expect(await store.queue.requeueOutdated('scripted@1')).toBe(0))
    // The item is claimed, and may be replaced between the reads of one search.
    await eventually(async () => expect((await store.queue.depth()).waiting).toBe(0))
    await eventually(async () => expect(await findTexts(scoped, ['older'])).toEqual(['made by an older pipeline']))
  })

  test('that is alone takes at once what a killed worker had begun', async () => {
    await upload('note', 'some words')
    await store.queue.claim({ owner: 'killed', limit: 1, leaseMs: 3_600_000 })
    await start({ alone: true })
    await reaches('note', 'ready')
  })

  test('goes on when the clock is set back', async () => {
    await start()
    await upload('before', 'flaky')
    await eventually(async () => expect((await scoped.findItem({ itemId: 'before' }))?.error).toBeDefined())
    clock.advance(-24 * 3_600_000)
    await upload('after', 'other words')
    await reaches('after', 'ready')
    await reaches('before', 'ready')
  })

  test('starts its threads with the first item when it is told the version of its pipeline', async () => {
    const pipelineModule = new URL('./no-such-module.ts', import.meta.url)
    const worker = await start({ pipelineModule, pipelineVersion: 'scripted@1' })
    expect(worker.isAlive).toBe(true)
    await upload('note', 'words')
    await eventually(async () => expect(worker.isAlive).toBe(false))
    expect(await statusOf('note')).toBe('processing')
    await worker.stop(0)
    expect(await statusOf('note')).toBe('queued')

    await start({ pipelineVersion: 'scripted@1' })
    await reaches('note', 'ready')
  })

  test('does not start without its pipeline', async () => {
    const pipelineModule = new URL('./no-such-module.ts', import.meta.url)
    const worker = createWorker({ store, log, modelFolder: 'unused', pipelineModule })
    await expect(worker.start()).rejects.toThrow()
    await worker.stop(0)
  })
})
