import { describe, expect, test } from 'vitest'
import type { Requests } from '../../../src/connector/connector.ts'
import { SourceError } from '../../../src/connector/source-error.ts'
import { RequestPermits } from '../../../src/sync/request-permits.ts'
import { checkpoint, goneChange, itemChange } from '../../lib/scripted-connector.ts'
import { syncService } from '../../lib/sync-fixture.ts'

/** Counts how many are under way at once; each one ends when every other that may begin has begun. */
function overlapping() {
  const counts = { now: 0, most: 0 }
  const work = async () => {
    counts.most = Math.max(counts.most, ++counts.now)
    for (let n = 0; n < 20; n++) await new Promise((resolve) => setImmediate(resolve))
    counts.now--
  }
  return { counts, work }
}

const never = () => false

describe('requests side by side', () => {
  const service = syncService()

  /** How many requests to one API a run has under way at most. */
  async function mostAtOnce(count: number, use: (requests: Requests, work: () => Promise<void>) => Promise<void>) {
    const fixture = await service.fixture({ manifest: { quotas: { list: { atOnce: 6 } } } })
    const { counts, work } = overlapping()
    fixture.script.changes = async function* (_, __, { requests }) {
      await Promise.all(Array.from({ length: count }, () => use(requests, work)))
      yield checkpoint(1)
    }
    expect(await fixture.sync()).toMatchObject({ outcome: 'ok' })
    return counts.most
  }

  test('begin with few and become as many as the quota allows', async () => {
    expect(await mostAtOnce(4, (requests, work) => requests.call('list', work))).toBe(4)
    expect(await mostAtOnce(60, (requests, work) => requests.call('list', work))).toBe(6)
  })

  test('go one at a time while the source wants a distance between them', async () => {
    const spaced = async (requests: Requests, work: () => Promise<void>) => {
      await requests.spaceOut('list', 1_000)
      await requests.call('list', work)
    }
    expect(await mostAtOnce(5, spaced)).toBe(1)
  })

  test('become one more with each answer until the first limit, up to the quota', async () => {
    const permits = new RequestPermits({ atOnce: 6 })
    let given = 0
    const acquire = (count: number) =>
      Promise.all(Array.from({ length: count }, () => permits.acquire(never).finally(() => given++)))
    const settled = () => new Promise((resolve) => setImmediate(resolve))
    for (const round of await acquire(1)) permits.release(round, 'answer')
    void acquire(9)
    await settled()
    expect(given - 1).toBe(5)
    for (let n = 0; n < 2; n++) permits.release(0, 'answer')
    await settled()
    expect(given - 1).toBe(2 + 6)
  })

  test('are halved once by a limit that several of them meet, and grow again slowly', async () => {
    const permits = new RequestPermits({ atOnce: 8 })
    let given = 0
    const acquire = (count: number) =>
      Promise.all(Array.from({ length: count }, () => permits.acquire(never).finally(() => given++)))
    const settled = () => new Promise((resolve) => setImmediate(resolve))
    const rounds = await acquire(4)
    const next = acquire(4)
    for (const round of rounds) permits.release(round, 'limit')
    await settled()
    expect(given - 4).toBe(2)
    permits.release(1, 'answer')
    permits.release(1, 'answer')
    await settled()
    // Two answers without a limit make room for a third.
    expect(given - 4).toBe(4)
    await next
    void acquire(4)
    await settled()
    expect(given - 8).toBe(1)
  })

  test('keep to the quota of a minute after its first burst', async () => {
    const fixture = await service.fixture({ manifest: { quotas: { sheets: { perMinute: 60 } } } })
    const began = fixture.clock().getTime()
    const sent: number[] = []
    fixture.script.changes = async function* (_, __, { requests }) {
      for (let n = 0; n < 63; n++) {
        await requests.call('sheets', async () => void sent.push(fixture.clock().getTime() - began))
      }
      yield checkpoint(1)
    }
    expect(await fixture.sync()).toMatchObject({ outcome: 'ok', requests: 63 })
    expect(sent.slice(58)).toEqual([0, 0, 1_000, 2_000, 3_000])
  })
})

describe('bodies and partitions', () => {
  const service = syncService()

  test('are read side by side, and the cursor moves only behind all of them', async () => {
    const fixture = await service.fixture()
    const { counts, work } = overlapping()
    const reads = async (id: string) => {
      await work()
      return id
    }
    const items = Array.from({ length: 20 }, (_, n) =>
      itemChange(`i${n}`, '', { revision: '1', body: () => reads(`${n}`) }),
    )
    const broken = itemChange('broken', '', {
      revision: '1',
      body: () => Promise.reject(new SourceError('retry', 'Slow down.', { limited: true })),
    })
    fixture.script.changes = () => [...items, broken, checkpoint(1)]
    expect(await fixture.sync()).toMatchObject({ outcome: 'waiting', memorized: 20 })
    expect(counts.most).toBe(8)
    const [partition] = await fixture.ledger.listPartitions({ connector: 'scripted', name: 'main' })
    expect(partition?.cursor).toBeUndefined()
  })

  test('go on beside one that waits for its source', async () => {
    const fixture = await service.fixture({ partitions: ['slow', 'quick'] })
    const isRead = Promise.withResolvers<void>()
    fixture.script.changes = async function* (id) {
      if (id === 'slow') await isRead.promise
      yield itemChange(id, id)
      yield checkpoint(1)
      if (id === 'quick') isRead.resolve()
    }
    expect(await fixture.sync()).toMatchObject({ outcome: 'ok', memorized: 2 })
  })

  test('end together when the whole source cannot be read', async () => {
    const fixture = await service.fixture({ partitions: ['first', 'endless'] })
    fixture.script.changes = async function* (id) {
      if (id === 'first') throw new SourceError('reauthorize', 'The token is over.')
      for (let n = 0; ; n++) {
        yield itemChange(`i${n}`, `${n}`)
        yield checkpoint(n)
      }
    }
    expect(await fixture.sync()).toMatchObject({ outcome: 'attention', problem: 'The token is over.' })
  })

  test('an item that moves from one to the other stays, whichever is read first', async () => {
    const fixture = await service.fixture({ partitions: ['from', 'to'] })
    fixture.script.changes = (id) => (id === 'from' ? [itemChange('moved', 'text'), checkpoint(1)] : [checkpoint(1)])
    await fixture.sync()
    for (const first of ['from', 'to']) {
      const [source, target] = first === 'from' ? ['from', 'to'] : ['to', 'from']
      const isReported = Promise.withResolvers<void>()
      fixture.script.changes = async function* (id) {
        if (id === target) {
          // Its body arrives while the other partition reports it as gone.
          const body = async () => {
            isReported.resolve()
            for (let n = 0; n < 20; n++) await new Promise((resolve) => setImmediate(resolve))
            return `at ${target}`
          }
          yield itemChange('moved', '', { revision: `at ${target}`, body })
        } else {
          await isReported.promise
          yield goneChange('moved')
        }
        yield checkpoint(2)
      }
      expect(await fixture.sync()).toMatchObject({ outcome: 'ok', removed: 0 })
      expect(await fixture.held(), source).toEqual({ moved: `at ${target}` })
    }
  })
})
