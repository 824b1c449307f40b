import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { slack } from '../../../connectors/slack/slack.ts'
import { scheduleOf } from '../../../src/sync/connection.ts'
import { dayId, GENERAL, NOON, SlackSimulation, threadId } from '../../fakes/slack/slack-simulation.ts'
import { SlackSync } from '../../fakes/slack/slack-sync.ts'
import { type RunningService, startService } from '../../lib/start-service.ts'
import { until } from '../../lib/until.ts'

let service: RunningService
beforeAll(async () => {
  service = await startService({ work: false, clock: () => NOON })
})
afterAll(() => service[Symbol.asyncDispose]())

const CONFIG = { app_token: 'xapp-made-up' }

async function connected({ simulation }: SlackSync): Promise<void> {
  await until(async () => simulation.server.sockets.count === 1)
}

describe('a workspace that pushes its messages', () => {
  test('has late replies, edits and deletions memorized without a listing of its channels', async () => {
    await using sync = await SlackSync.open(service)
    const { simulation } = sync
    const root = simulation.post('When do we launch?', 60)
    simulation.reply(root, 'Not yet known', 60)
    const plain = simulation.post('The pool has 20 connections', 40)
    const mistake = simulation.post('Wrong channel', 30)
    await sync.run(CONFIG)
    await using _ = await sync.listen()
    await connected(sync)
    simulation.server.log.length = 0
    sync.pass(1)
    simulation.reply(root, 'On Friday')
    simulation.fake.edit(GENERAL, plain, 'The pool has 30 connections', simulation.now)
    simulation.fake.delete(GENERAL, mistake)
    await until(async () => {
      const held = await sync.held()
      const day = held.get(dayId('2026-09-22')) ?? ''
      const thread = held.get(threadId(root)) ?? ''
      return thread.includes('On Friday') && day.includes('30') && !held.has(dayId('2026-10-02'))
    })
    expect(simulation.server.sockets.acknowledged).toHaveLength(3)
    const listings = simulation.server.log.filter(({ method, params }) => method.endsWith('.history') && !params.latest)
    expect(listings).toEqual([])
  })

  test('is listened to again when Slack asks for another connection', async () => {
    await using sync = await SlackSync.open(service)
    const { simulation } = sync
    simulation.post('Before', 3)
    await sync.run(CONFIG)
    await using _ = await sync.listen()
    await connected(sync)
    simulation.server.sockets.refresh()
    await until(async () => simulation.server.count('apps.connections.open') === 2)
    await connected(sync)
    simulation.post('After', 2)
    await until(async () => (await sync.held()).has(dayId('2026-10-30')))
  })

  test('loses at the next run what was deleted while nobody listened', async () => {
    await using sync = await SlackSync.open(service)
    const { simulation } = sync
    simulation.post('Kept', 3)
    await sync.run(CONFIG)
    const listening = await sync.listen()
    await connected(sync)
    const shortLived = simulation.post('Short-lived', 2)
    await until(async () => (await sync.held()).has(dayId('2026-10-30')))
    await listening[Symbol.asyncDispose]()
    simulation.fake.delete(GENERAL, shortLived)
    expect(await sync.run(CONFIG)).toMatchObject({ outcome: 'ok', removed: 1 })
    expect([...(await sync.held()).keys()]).toEqual([dayId('2026-10-29')])
  })

  test('is compared as a whole every six hours instead of every 15 minutes', () => {
    const config = (more: object) => slack.manifest.config.parse({ name: 'acme', ...more })
    expect(scheduleOf({ connector: slack, config: config({}) })).toBe('*/15 * * * *')
    expect(scheduleOf({ connector: slack, config: config(CONFIG) })).toBe('25 */6 * * *')
    expect(scheduleOf({ connector: slack, config: config({ ...CONFIG, schedule: '0 * * * *' }) })).toBe('0 * * * *')
  })

  test.each([
    ['Slack refuses its token', 'xapp-other', /rejected app_token \(invalid_auth\).*connections:write/],
    ['the token is of another kind', 'xoxp-made-up', /starts with xapp-/],
  ])('says what to do when %s', async (_, appToken, message) => {
    await using simulation = await SlackSimulation.open()
    const context = await simulation.context({ app_token: appToken })
    const listening = slack.listen?.(context)[Symbol.asyncIterator]()
    await expect(listening?.next()).rejects.toMatchObject({
      remedy: 'reconfigure',
      message: expect.stringMatching(message),
    })
  })
})
