import { beforeEach, describe, expect, test } from 'vitest'
import type { CheckContext, ConnectionConfig, Requests } from '../../../src/connector/connector.ts'
import { SourceError } from '../../../src/connector/source-error.ts'
import { checkpoint, itemChange } from '../../lib/scripted-connector.ts'
import { type SyncFixture, syncService } from '../../lib/sync-fixture.ts'

const SECOND = 1_000
const HOUR = 3_600_000

describe('requests to a source', () => {
  const service = syncService()
  let fixture: SyncFixture
  /** When requests were sent, in milliseconds since the test began. */
  let sent: number[]
  let began: number
  beforeEach(async () => {
    fixture = await service.fixture()
    sent = []
    began = fixture.clock().getTime()
  })
  const at = (ms: number) => new Date(began + ms)
  /** Each run makes these requests; an answer that is an error is thrown. */
  const asks = (...answers: readonly (SourceError | 'ok')[]) => {
    const left = [...answers]
    fixture.script.changes = async function* (_, __, { requests }) {
      while (left.length > 0) await requests.call('list', send(left))
      yield checkpoint(1)
    }
  }
  const send = (left: (SourceError | 'ok')[]) => async () => {
    sent.push(fixture.clock().getTime() - began)
    const answer = left.shift()
    if (answer instanceof SourceError) throw answer
  }
  const limit = (ms: number) => new SourceError('retry', 'Too many requests.', { retryAt: at(ms), limited: true })
  const busy = new SourceError('retry', 'The source is busy.')

  test('that meet a limit are sent again just when the source says', async () => {
    asks('ok', limit(42 * SECOND), 'ok')
    expect(await fixture.sync()).toMatchObject({ outcome: 'ok', requests: 3, waited_ms: 42 * SECOND })
    expect(sent).toEqual([0, 0, 42 * SECOND])
  })

  test('are not sent before a limit is over, also not by a process that starts anew', async () => {
    asks(limit(2 * HOUR), 'ok')
    expect(await fixture.sync()).toMatchObject({ outcome: 'waiting', next_attempt_at: at(2 * HOUR).toISOString() })
    expect((await fixture.ledger.listConnections())[0]).toMatchObject({ nextRunAt: at(2 * HOUR) })
    fixture.clock.advance(2 * HOUR - 5 * 60 * SECOND)
    const ledger = { ...fixture.ledger }
    expect(await fixture.sync({}, { ledger })).toMatchObject({ outcome: 'waiting', requests: 0 })
    fixture.clock.advance(5 * 60 * SECOND)
    expect(await fixture.sync({}, { ledger: { ...fixture.ledger } })).toMatchObject({ outcome: 'ok', requests: 1 })
    expect(sent).toEqual([0, 2 * HOUR])
  })

  test('that fail without a time are sent four times, with growing pauses and jitter', async () => {
    asks(busy, busy, busy, busy, 'ok')
    expect(await fixture.sync()).toMatchObject({
      outcome: 'partial',
      requests: 4,
      failures: [{ error: 'The source is busy.' }],
    })
    // Half of 1, 2 and 4 seconds, as chance is fixed at one half.
    expect(sent).toEqual([0, 500, 1_500, 3_500])
  })

  test('that meet one limit after the other are given up in the end', async () => {
    asks(...Array.from({ length: 30 }, () => limit(0)))
    expect(await fixture.sync()).toMatchObject({ outcome: 'waiting', requests: 10 })
  })

  test('of other remedies are not repeated', async () => {
    asks(new SourceError('skip', 'Not found.'), 'ok')
    expect(await fixture.sync()).toMatchObject({ requests: 1 })
  })

  test('keep their distance from when a connector asks for it, over restarts', async () => {
    fixture.script.changes = async function* (_, __, { requests }) {
      await requests.spaceOut('list', 20 * SECOND)
      for (let n = 0; n < 2; n++) await requests.call('list', send([]))
      yield checkpoint(1)
    }
    await fixture.sync()
    await fixture.sync({}, { ledger: { ...fixture.ledger } })
    expect(sent).toEqual([0, 20 * SECOND, 40 * SECOND, 60 * SECOND])
  })

  test.each([
    ['a limit', (requests: Requests) => requests.holdUntil('list', at(4 * 365 * 24 * HOUR))],
    ['a distance', (requests: Requests) => requests.spaceOut('list', 20 * SECOND)],
  ])('are not held up by %s of a clock that was set back', async (_, ask) => {
    fixture.script.changes = async function* (_, __, { requests }) {
      await requests.call('list', send([]))
      await ask(requests)
      await requests.call('list', send([]))
      yield checkpoint(1)
    }
    await fixture.sync()
    fixture.clock.advance(-3 * 365 * 24 * HOUR)
    asks('ok')
    const report = await fixture.sync({}, { ledger: { ...fixture.ledger } })
    expect(report).toMatchObject({ outcome: 'ok', requests: 1 })
    expect(report.waited_ms).toBeLessThanOrEqual(20 * SECOND)
  })

  test('are not held for more than a day by one answer', async () => {
    asks(limit(48 * HOUR), 'ok')
    expect(await fixture.sync()).toMatchObject({ outcome: 'waiting', requests: 1 })
    fixture.clock.advance(24 * HOUR)
    expect(await fixture.sync()).toMatchObject({ outcome: 'ok', requests: 1 })
  })

  test('of two connections of one account share its limits, those of another account do not', async () => {
    fixture.script.changes = async function* (_, __, { requests }) {
      await requests.holdUntil('list', at(HOUR))
      yield checkpoint(1)
    }
    await fixture.sync()
    asks('ok')
    fixture.script.name = 'second'
    expect(await fixture.sync()).toMatchObject({ outcome: 'waiting', requests: 0 })
    fixture.script.name = 'third'
    fixture.script.check = () => ({ account: 'other' })
    expect(await fixture.sync()).toMatchObject({ outcome: 'ok', requests: 1 })
  })

  test('of the first check are limited as well', async () => {
    const check = async ({ requests }: CheckContext<ConnectionConfig>) => {
      await requests.call('whoami', send([limit(HOUR)]))
      return { account: 'acme' }
    }
    fixture.script.check = check
    expect(await fixture.sync()).toMatchObject({ outcome: 'waiting', requests: 1 })
    expect(await fixture.sync({}, { ledger: { ...fixture.ledger } })).toMatchObject({ outcome: 'waiting', requests: 0 })
  })

  test('end with the run when it is aborted while it waits', async () => {
    const abort = new AbortController()
    asks(limit(30 * SECOND), 'ok')
    const sleep = async () => abort.abort()
    const report = await fixture.sync({ signal: abort.signal }, { sleep })
    expect(report).toMatchObject({ outcome: 'aborted', requests: 1 })
  })

  test('tell how long they wait', async () => {
    const waits: (Date | undefined)[] = []
    asks(limit(42 * SECOND), 'ok')
    await fixture.sync({ onProgress: ({ waitingUntil }) => waits.push(waitingUntil) })
    expect(waits).toContainEqual(at(42 * SECOND))
    expect(waits.at(-1)).toBeUndefined()
  })

  test('made for bodies are not thrown away when a limit comes', async () => {
    const left: (SourceError | 'ok')[] = ['ok', 'ok', limit(HOUR)]
    fixture.script.changes = (_, __, { requests }) =>
      ['a', 'b', 'c'].map((id) =>
        itemChange(id, id, { body: async () => requests.call('body', send(left)).then(() => `text of ${id}`) }),
      )
    expect(await fixture.sync()).toMatchObject({ outcome: 'waiting', memorized: 2 })
    expect(await fixture.held()).toEqual({ a: 'text of a', b: 'text of b' })
  })
})
