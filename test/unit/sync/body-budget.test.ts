import { describe, expect, test } from 'vitest'
import { BatchBodies, BodyBudget, bodyBudget } from '../../../src/sync/body-budget.ts'
import { checkpoint, sourceItem } from '../../lib/scripted-connector.ts'
import { syncService } from '../../lib/sync-fixture.ts'

const MIB = 1024 * 1024
const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('bodies that are read ahead', () => {
  test('wait for room when as many bytes as may are held, and continue when some are memorized', async () => {
    const budget = new BodyBudget(16 * MIB)
    const first = new BatchBodies(budget, () => true)
    const later = new BatchBodies(budget, () => false)
    await first.read(0, async () => 'x'.repeat(12 * MIB))
    let isRead = false
    const waiting = later.read(0, async () => {
      isRead = true
      return 'y'
    })
    await settled()
    expect(isRead).toBe(false)
    first.release(0)
    await waiting
    expect(isRead).toBe(true)
  })

  test('of the batch that is memorized first go on one by one, so that nothing waits forever', async () => {
    const budget = new BodyBudget(16 * MIB)
    const first = new BatchBodies(budget, () => true)
    const later = new BatchBodies(budget, () => false)
    await later.read(0, async () => 'x'.repeat(20 * MIB))
    const order: number[] = []
    const reading = [0, 1, 2].map((index) =>
      first.read(index, async () => {
        order.push(index)
        return 'y'
      }),
    )
    await settled()
    expect(order).toEqual([0])
    first.reached(1)
    await settled()
    expect(order).toEqual([0, 1])
    first.reached(2)
    await Promise.all(reading)
  })

  test('that nobody wants any more do not wait', async () => {
    const budget = new BodyBudget(16 * MIB)
    await new BatchBodies(budget, () => true).read(0, async () => 'x'.repeat(20 * MIB))
    const stopped = new BatchBodies(budget, () => false)
    const waiting = expect(stopped.read(0, async () => 'y')).rejects.toMatchObject({ outcome: 'aborted' })
    stopped.stop()
    await waiting
  })
})

describe('a run over large bodies', () => {
  const service = syncService()
  const COUNT = 40
  const LARGE = 'All work and no play. '.repeat((4 * MIB) / 22)

  test('holds no more of them than the limit, in all partitions together, and memorizes every one', async () => {
    const fixture = await service.fixture()
    fixture.script.partitions = ['a', 'b', 'c', 'd']
    fixture.script.changes = async function* (partition) {
      for (let n = 0; n < COUNT / 4; n++) {
        const body = async () => `${partition} ${n}. ${LARGE}`
        yield { type: 'item', item: { ...sourceItem(`${partition}-${n}`, 'x'), body } }
      }
      yield checkpoint(1)
    }
    expect(await fixture.sync()).toMatchObject({ outcome: 'ok', memorized: COUNT, failed: 0 })
    // Of 160 MiB; one body more may be read so that the first batch gets on.
    expect(bodyBudget(fixture.ledger).peak).toBeLessThanOrEqual(72 * MIB)
  })
})
