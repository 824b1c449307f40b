import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BOB, dayId, GENERAL, threadId } from '../kit/slack-office.ts'
import { SlackSync } from '../kit/slack-sync.ts'
import { type RunningService, startService } from '../kit/start-service.ts'

let service: RunningService
beforeAll(async () => {
  service = await startService({ work: false })
})
afterAll(() => service[Symbol.asyncDispose]())

const HISTORY = 'conversations.history'
const idsOf = async (sync: SlackSync) => [...(await sync.held()).keys()].sort()

describe('what is remembered of Slack', () => {
  test('is what Slack holds, through limits, edits, deletions and a channel that is left', async () => {
    await using sync = await SlackSync.open(service, { isStrict: true })
    const { office } = sync
    const { world, server } = office
    for (let at = 0; at < 40; at += 1) office.post(`Message ${at}`, 40 - at)
    const root = office.post('Root', 3)
    office.reply(root, 'First reply', 3)
    world.addChannel('C0LEFT', 'left')
    world.post('C0LEFT', { user: BOB, text: 'Of no concern any more', at: office.ago(2) })
    server.fault(HISTORY, { kind: 'limited', retryAfter: 4000 }, 1)
    expect(await sync.run()).toMatchObject({ outcome: 'waiting', next_attempt_at: expect.any(String) })
    sync.pass(4000 / 86_400)
    expect(await sync.run()).toMatchObject({ outcome: 'ok' })
    expect((await sync.held()).size).toBe(42)

    sync.pass(1)
    office.reply(root, 'Second reply', 0.5)
    world.delete(GENERAL, world.channel(GENERAL).messages.find(({ text }) => text === 'Message 38')?.ts ?? '')
    world.channel('C0LEFT').isMember = false
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 1, removed: 2, failed: 0 })
    const now = await sync.held()
    expect(now.size).toBe(40)
    expect(now.get(threadId(root))).toContain('Second reply')
    expect([...now.values()].join()).not.toContain('Of no concern')

    sync.pass(1)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 0, removed: 0, requests: 3 })
  })

  test('keeps a message whose replies come and go', async () => {
    await using sync = await SlackSync.open(service)
    const { office } = sync
    const root = office.post('Question', 2)
    const held: string[][] = []
    for (let round = 0; round < 2; round += 1) {
      const reply = office.reply(root, 'Answer')
      await sync.run()
      held.push(await idsOf(sync))
      office.world.delete(GENERAL, reply)
      sync.pass(0.1)
      await sync.run()
      held.push(await idsOf(sync))
    }
    const [thread, day] = [[threadId(root)], [dayId('2026-10-30')]]
    expect(held).toEqual([thread, day, thread, day])
  })

  test('goes with an excluded channel, and comes back with it', async () => {
    await using sync = await SlackSync.open(service)
    const { office } = sync
    office.world.addChannel('C0OTHER', 'other')
    office.world.post('C0OTHER', { user: BOB, text: 'Elsewhere', at: office.ago(200) })
    office.post('Here', 2)
    await sync.run()
    const both = [dayId('2026-10-30'), dayId('2026-04-15', 'C0OTHER')].sort()
    expect(await idsOf(sync)).toEqual(both)
    expect(await sync.run({ exclude: ['other'] })).toMatchObject({ outcome: 'ok', removed: 1 })
    expect(await idsOf(sync)).toEqual([dayId('2026-10-30')])
    await sync.run()
    expect(await idsOf(sync)).toEqual(both)
  })

  test('goes with a private channel that was left, and comes back whole after it was joined again', async () => {
    await using sync = await SlackSync.open(service)
    const { office } = sync
    office.world.addChannel('C0PRIVATE', 'private', { kind: 'private_channel' })
    office.world.post('C0PRIVATE', { user: BOB, text: 'Long ago', at: office.ago(200) })
    await sync.run()
    office.server.alter = (method, answer) => (method === 'conversations.list' ? { ...answer, channels: [] } : answer)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', removed: 1 })
    expect(await idsOf(sync)).toEqual([])
    office.server.alter = undefined
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 1 })
  })

  test('stays when a channel is archived, and grows when it is opened again', async () => {
    await using sync = await SlackSync.open(service)
    const { office } = sync
    const channel = office.world.channel(GENERAL)
    office.post('Before', 30)
    await sync.run()
    channel.isArchived = true
    for (let round = 0; round < 3; round += 1) {
      sync.pass(1)
      expect(await sync.run()).toMatchObject({ outcome: 'ok', removed: 0 })
    }
    channel.isArchived = false
    office.post('After')
    await sync.run()
    expect((await sync.held()).size).toBe(2)
  })

  test('waits for two hours when Slack says so, without a request of that kind', async () => {
    await using sync = await SlackSync.open(service)
    const { server } = sync.office
    sync.office.post('Hello', 1)
    server.fault(HISTORY, { kind: 'limited', retryAfter: 7200 })
    expect(await sync.run()).toMatchObject({ outcome: 'waiting', next_attempt_at: '2026-11-01T14:00:00.000Z' })
    sync.pass(1 / 24)
    expect(await sync.run()).toMatchObject({ outcome: 'waiting', next_attempt_at: '2026-11-01T14:00:00.000Z' })
    expect(server.count(HISTORY)).toBe(0)
    sync.pass(1 / 24)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 1 })
  })
})

describe('nothing of Slack is forgotten', () => {
  async function remembering(): Promise<SlackSync> {
    const sync = await SlackSync.open(service)
    const { office } = sync
    office.world.addChannel('C0OTHER', 'other')
    for (const channel of [GENERAL, 'C0OTHER']) {
      for (const days of [2, 300]) office.world.post(channel, { user: BOB, text: 'Hello', at: office.ago(days) })
    }
    await sync.run()
    return sync
  }

  test('when the token is revoked in the middle of a run', async () => {
    await using sync = await remembering()
    const { server } = sync.office
    server.onRequest = (method) => method === HISTORY && server.revoke()
    expect(await sync.run()).toMatchObject({ outcome: 'attention', remedy: 'reauthorize', removed: 0 })
    expect((await sync.held()).size).toBe(4)
  })

  test('when the token is of somebody else', async () => {
    await using sync = await remembering()
    sync.office = await sync.office.reopened({ userId: BOB })
    sync.office.world.channel('C0OTHER').isMember = false
    expect(await sync.run()).toMatchObject({ outcome: 'attention', remedy: 'reconfigure', removed: 0 })
    expect((await sync.held()).size).toBe(4)
  })

  test('when the list of channels breaks off, or never ends', async () => {
    await using sync = await remembering()
    const { server } = sync.office
    const cut = { channels: [], response_metadata: { next_cursor: 'more' } }
    server.alter = (method, answer) => (method === 'conversations.list' ? { ...answer, ...cut } : answer)
    expect(await sync.run()).toMatchObject({ outcome: 'partial', removed: 0 })
    server.onRequest = (method) => method === 'conversations.list' && server.count(method) > 1 && server.revoke()
    expect(await sync.run()).toMatchObject({ outcome: 'attention', removed: 0 })
    expect((await sync.held()).size).toBe(4)
  })

  test('when the app is removed from a channel that is still listed', async () => {
    await using sync = await remembering()
    sync.office.server.fault(HISTORY, { kind: 'refused', error: 'not_in_channel' })
    expect(await sync.run()).toMatchObject({ removed: 0, failures: [{ partition: '#general' }] })
    expect((await sync.held()).size).toBe(4)
  })
})
