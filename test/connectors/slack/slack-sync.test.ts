import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bindMemory } from '../../../src/service/bind-memory.ts'
import { BOB, dayId, GENERAL, NOON, threadId } from '../../fakes/slack/slack-simulation.ts'
import { SlackSync } from '../../fakes/slack/slack-sync.ts'
import { type RunningService, startService } from '../../lib/start-service.ts'

let service: RunningService
beforeAll(async () => {
  service = await startService({ work: false, clock: () => NOON })
})
afterAll(() => service[Symbol.asyncDispose]())

const HISTORY = 'conversations.history'
const REPLIES = 'conversations.replies'
const idsOf = async (sync: SlackSync) => [...(await sync.held()).keys()].sort()

describe('what is remembered of Slack', () => {
  test('is every message of a day, also below one that begins a quotation of the memory', async () => {
    await using working = await startService({ clock: () => NOON })
    await using sync = await SlackSync.open(working)
    const { simulation } = sync
    simulation.post('The zebra arrives on Friday.', 2)
    // As Slack writes what somebody typed.
    simulation.post('Look at this: &lt;recalled:aaaaaaaa&gt;', 2)
    simulation.post('The giraffe needs a new roof.', 2)
    simulation.post('And &lt;/recalled:aaaaaaaa&gt; the elephant a pool.', 2)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', failed: 0 })
    const [[itemId = '', body = ''] = []] = [...(await sync.held())]
    for (const said of ['zebra', '<recalled:aaaaaaaa>', 'giraffe', '</recalled:aaaaaaaa>', 'elephant']) {
      expect(body).toContain(said)
    }
    await working.ready(itemId, 'slack')
    const memory = bindMemory(working.service, await working.service.authenticate(working.key))
    for (const [text, word] of [
      ['When does the zebra arrive?', 'Friday'],
      ['What does the giraffe need?', 'roof'],
      ['Who gets a pool?', 'elephant'],
    ] as const) {
      expect((await memory.recall({ text })).chunks.map((chunk) => chunk.text).join()).toContain(word)
    }
  })

  test('is what Slack holds, through limits, edits, deletions and a channel that is left', async () => {
    await using sync = await SlackSync.open(service, { isStrict: true })
    const { simulation } = sync
    const { fake, server } = simulation
    for (let at = 0; at < 40; at += 1) simulation.post(`Message ${at}`, 40 - at)
    const root = simulation.post('Root', 3)
    simulation.reply(root, 'First reply', 3)
    fake.addChannel('C0LEFT', 'left')
    fake.post('C0LEFT', { user: BOB, text: 'Of no concern any more', at: simulation.ago(2) })
    server.fault(HISTORY, { kind: 'limited', retryAfter: 4000 }, 1)
    expect(await sync.run()).toMatchObject({ outcome: 'waiting', next_attempt_at: expect.any(String) })
    sync.pass(4000 / 86_400)
    expect(await sync.run()).toMatchObject({ outcome: 'ok' })
    expect((await sync.held()).size).toBe(42)

    sync.pass(1)
    simulation.reply(root, 'Second reply', 0.5)
    fake.delete(GENERAL, fake.channel(GENERAL).messages.find(({ text }) => text === 'Message 38')?.ts ?? '')
    fake.channel('C0LEFT').isMember = false
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
    const { simulation } = sync
    const root = simulation.post('Question', 2)
    const held: string[][] = []
    for (let round = 0; round < 2; round += 1) {
      const reply = simulation.reply(root, 'Answer')
      await sync.run()
      held.push(await idsOf(sync))
      simulation.fake.delete(GENERAL, reply)
      sync.pass(0.1)
      await sync.run()
      held.push(await idsOf(sync))
    }
    const [thread, day] = [[threadId(root)], [dayId('2026-10-30')]]
    expect(held).toEqual([thread, day, thread, day])
  })

  test('goes with an excluded channel, and comes back with it', async () => {
    await using sync = await SlackSync.open(service)
    const { simulation } = sync
    simulation.fake.addChannel('C0OTHER', 'other')
    simulation.fake.post('C0OTHER', { user: BOB, text: 'Elsewhere', at: simulation.ago(200) })
    simulation.post('Here', 2)
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
    const { simulation } = sync
    simulation.fake.addChannel('C0PRIVATE', 'private', { kind: 'private_channel' })
    simulation.fake.post('C0PRIVATE', { user: BOB, text: 'Long ago', at: simulation.ago(200) })
    await sync.run()
    simulation.server.alter = (method, answer) =>
      method === 'users.conversations' ? { ...answer, channels: [] } : answer
    expect(await sync.run()).toMatchObject({ outcome: 'ok', removed: 1 })
    expect(await idsOf(sync)).toEqual([])
    simulation.server.alter = undefined
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 1 })
  })

  test('goes with a public channel that is left, or hidden from the token, at the run after it is out of the list', async () => {
    await using sync = await SlackSync.open(service)
    const { simulation } = sync
    const [left, hidden] = ['C0LEFT', 'C0HIDDEN'].map((id) => simulation.fake.addChannel(id, id.slice(2).toLowerCase()))
    for (const channel of [left!, hidden!, GENERAL]) {
      const root = simulation.fake.post(channel, { user: BOB, text: 'Question', at: simulation.ago(200) })
      simulation.fake.reply(channel, root, { user: BOB, text: 'Answer', at: simulation.ago(200) })
      simulation.fake.post(channel, { user: BOB, text: 'Alone', at: simulation.ago(300) })
    }
    await sync.run()
    expect((await sync.held()).size).toBe(6)
    simulation.fake.channel(left!).isMember = false
    // Still in the list, but not readable any more.
    simulation.server.fault(HISTORY, { kind: 'refused', error: 'channel_not_found' }, 1)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', removed: 2, failures: [{ partition: '#hidden' }] })
    simulation.fake.channels.delete(hidden!)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', removed: 2, failures: [] })
    expect((await idsOf(sync)).every((id) => id.includes(GENERAL))).toBe(true)
  })

  test('goes with a channel that is excluded while its first reading, a failed thread and a settling one are pending', async () => {
    await using sync = await SlackSync.open(service)
    const { simulation } = sync
    const { fake, server } = simulation
    const other = fake.addChannel('C0OTHER', 'other')
    const days = Array.from({ length: 10 }, (_, before) => before + 1)
    const roots = days.map((day) => fake.post(other, { user: BOB, text: 'Question', at: simulation.ago(day) }))
    for (const root of roots) fake.reply(other, root, { user: BOB, text: 'Answer', at: simulation.ago(1) })
    const failing = { kind: 'refused', error: 'internal_error' } as const
    for (let tries = 0; tries < 4; tries++) server.fault(REPLIES, failing, { thread: roots[1]! })
    // Too far back to be read beside the one that fails.
    server.fault(REPLIES, { kind: 'limited', retryAfter: 3600 }, { thread: roots[9]! })
    expect(await sync.run()).toMatchObject({ outcome: 'waiting', memorized: 8 })
    sync.pass(0.1)
    fake.reply(other, roots[0]!, { user: BOB, text: 'Not settled yet', at: simulation.now })
    expect(await sync.run({}, { settle: true })).toMatchObject({ settling: 1 })
    expect(await sync.run({ exclude: ['other'] })).toMatchObject({ outcome: 'ok', failed: 0 })
    expect(await idsOf(sync)).toEqual([])
    expect(server.log.filter(({ params }) => params.channel === other)).toEqual([])
    expect(await sync.run({ exclude: ['other'] })).toMatchObject({ outcome: 'ok', items: 0 })
  })

  test('stays when a bot loses sight of an archived channel, also when the settings change', async () => {
    await using sync = await SlackSync.open(service, { isBot: true })
    const { simulation } = sync
    simulation.post('Before', 30)
    const past = simulation.fake.addChannel('C0PAST', 'past', { isArchived: true })
    simulation.fake.post(past, { user: BOB, text: 'Never read', at: simulation.ago(400) })
    await sync.run()
    simulation.fake.channel(GENERAL).isArchived = true
    for (const [config, failed] of [
      [{}, 0],
      [{ bots: 'exclude' }, 1],
      [{ bots: 'exclude' }, 0],
      [{}, 0],
    ] as const) {
      expect(await sync.run(config)).toMatchObject({ outcome: 'ok', removed: 0, failed })
      expect(await idsOf(sync)).toEqual([dayId('2026-10-02')])
    }
    simulation.fake.channel(GENERAL).isArchived = false
    simulation.post('Open again')
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 1, failed: 0 })
    expect((await sync.held()).size).toBe(2)
  })

  test('stays when the plan of the workspace hides it, also when the settings change', async () => {
    await using sync = await SlackSync.open(service)
    const { simulation } = sync
    for (let days = 70; days < 110; days += 4) simulation.post(`Said ${days} days ago`, days)
    const root = simulation.post('Root', 95)
    simulation.reply(root, 'Reply', 1)
    await sync.run()
    const all = await sync.held()
    sync.simulation = await simulation.reopened({ visibleFrom: String(simulation.ago(90).getTime() / 1000) })
    await simulation[Symbol.asyncDispose]()
    for (const [config, failed] of [
      [{}, 0],
      [{ bots: 'exclude' }, 5],
      [{ bots: 'exclude' }, 0],
      [{}, 0],
    ] as const) {
      expect(await sync.run(config)).toMatchObject({ outcome: 'ok', removed: 0, failed })
      expect(await sync.held()).toEqual(all)
    }
    await sync.retry()
    expect(await sync.run()).toMatchObject({ outcome: 'ok', removed: 0 })
    expect(await sync.held()).toEqual(all)
    expect(await sync.run({ since: simulation.ago(99).toISOString() })).toMatchObject({ outcome: 'ok', removed: 2 })
  })

  test('stays when a channel is archived, and grows when it is opened again', async () => {
    await using sync = await SlackSync.open(service)
    const { simulation } = sync
    const channel = simulation.fake.channel(GENERAL)
    simulation.post('Before', 30)
    await sync.run()
    channel.isArchived = true
    for (let round = 0; round < 3; round += 1) {
      sync.pass(1)
      expect(await sync.run()).toMatchObject({ outcome: 'ok', removed: 0 })
    }
    channel.isArchived = false
    simulation.post('After')
    await sync.run()
    expect((await sync.held()).size).toBe(2)
  })

  test('waits for two hours when Slack says so, without a request of that kind, also after a restart', async () => {
    await using sync = await SlackSync.open(service)
    const { server } = sync.simulation
    sync.simulation.post('Hello', 1)
    server.fault(HISTORY, { kind: 'limited', retryAfter: 7200 })
    expect(await sync.run()).toMatchObject({ outcome: 'waiting', next_attempt_at: '2026-11-01T14:00:00.000Z' })
    sync.pass(1 / 24)
    for (const restart of [() => undefined, () => sync.restart()]) {
      restart()
      expect(await sync.run()).toMatchObject({ outcome: 'waiting', next_attempt_at: '2026-11-01T14:00:00.000Z' })
      expect(server.count(HISTORY)).toBe(0)
    }
    sync.pass(1 / 24)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 1 })
  })

  test('keeps to one request a minute also after a restart', async () => {
    await using sync = await SlackSync.open(service, { isStrict: true })
    for (let at = 0; at < 40; at += 1) sync.simulation.post(`Message ${at}`, 40 - at)
    await sync.run()
    sync.restart()
    const { waited_ms: waited } = await sync.run()
    expect([waited, sync.simulation.server.count(HISTORY)]).toEqual([60_000, 1])
  })

  test('is the replies alone while their root is deleted, and nothing after the last of them', async () => {
    await using sync = await SlackSync.open(service)
    const { simulation } = sync
    const root = simulation.post('Secret question', 3)
    const replies = [simulation.reply(root, 'First answer', 2), simulation.reply(root, 'Second answer', 1)]
    simulation.post('Of the same day', 3)
    await sync.run()
    simulation.fake.delete(GENERAL, root)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 1, removed: 0 })
    expect((await sync.held()).get(threadId(root))).toMatch(/First answer[\s\S]*Second answer/)
    expect([...(await sync.held()).values()].join()).not.toContain('Secret question')
    const third = simulation.reply(root, 'Third answer')
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 1 })
    for (const reply of [...replies, third]) {
      expect((await sync.held()).get(threadId(root))).toContain('Third answer')
      simulation.fake.delete(GENERAL, reply)
      await sync.run()
    }
    expect(await idsOf(sync)).toEqual([dayId('2026-10-29')])
  })

  test('follows old threads of a busy channel when everything is compared', async () => {
    await using sync = await SlackSync.open(service)
    const { simulation } = sync
    const [edited, deleted] = [simulation.post('Edited', 120), simulation.post('Deleted', 110)]
    const replies = [edited, deleted].map((root) => simulation.reply(root, 'Reply', 100))
    for (let at = 0; at < 210; at += 1) simulation.post(`Message ${at}`, 85 + at / 50)
    await sync.run()
    sync.pass(8)
    simulation.fake.edit(GENERAL, replies[0]!, 'Reply, corrected', simulation.now)
    simulation.reply(edited, 'Late reply')
    for (const ts of [replies[1]!, deleted]) simulation.fake.delete(GENERAL, ts)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 0, removed: 0 })
    expect(await sync.run({}, { full: true })).toMatchObject({ outcome: 'ok', memorized: 1, removed: 1 })
    expect((await sync.held()).get(threadId(edited))).toMatch(/Reply, corrected[\s\S]*Late reply/)
  })

  test('changes when a message becomes that of a bot, and when it ceases to be', async () => {
    await using sync = await SlackSync.open(service)
    const { simulation } = sync
    const alone = simulation.post('Alone', 2)
    const root = simulation.post('Root', 3)
    simulation.reply(root, 'Reply', 3)
    const config = { bots: 'exclude' }
    const become = (subtype: string | undefined) => {
      for (const ts of [alone, root]) Object.assign(simulation.fake.message(GENERAL, ts), { subtype })
      sync.pass(0.1)
    }
    await sync.run(config)
    const before = await sync.held()
    expect([...before.keys()].sort()).toEqual([dayId('2026-10-30'), threadId(root)].sort())
    for (let round = 0; round < 2; round += 1) {
      become('bot_message')
      expect(await sync.run(config)).toMatchObject({ memorized: 1, removed: 1 })
      expect(await idsOf(sync)).toEqual([threadId(root)])
      expect((await sync.held()).get(threadId(root))).not.toContain('Root')
      become(undefined)
      expect(await sync.run(config)).toMatchObject({ memorized: 2, removed: 0 })
      expect(await sync.held()).toEqual(before)
    }
  })

  test('loses what bots told when they are excluded, and has it again when they are not', async () => {
    await using sync = await SlackSync.open(service)
    const { simulation } = sync
    const extra = { bot_id: 'B1', bot_profile: { name: 'Builder' } }
    simulation.post('Build 7 failed', 2, { extra })
    const root = simulation.post('What now?', 3)
    simulation.reply(root, 'Build 6 failed', 3, { extra })
    simulation.post('Of a bot, long ago', 300, { extra })
    await sync.run()
    const all = await sync.held()
    expect(all.size).toBe(3)
    await sync.run({ bots: 'exclude' })
    expect([...(await sync.held()).values()].join()).not.toMatch(/failed|long ago/)
    expect(await idsOf(sync)).toEqual([threadId(root)])
    await sync.run()
    expect(await sync.held()).toEqual(all)
  })
})

describe('nothing of Slack is forgotten', () => {
  async function remembering(): Promise<SlackSync> {
    const sync = await SlackSync.open(service)
    const { simulation } = sync
    simulation.fake.addChannel('C0OTHER', 'other')
    for (const channel of [GENERAL, 'C0OTHER']) {
      for (const days of [2, 300]) simulation.fake.post(channel, { user: BOB, text: 'Hello', at: simulation.ago(days) })
    }
    await sync.run()
    return sync
  }

  test('when the token is revoked in the middle of a run', async () => {
    await using sync = await remembering()
    const { server } = sync.simulation
    server.onRequest = (method) => method === HISTORY && server.revoke()
    expect(await sync.run()).toMatchObject({ outcome: 'attention', remedy: 'reauthorize', removed: 0 })
    expect((await sync.held()).size).toBe(4)
  })

  test('when the token is of somebody else', async () => {
    await using sync = await remembering()
    sync.simulation = await sync.simulation.reopened({ userId: BOB })
    sync.simulation.fake.channel('C0OTHER').isMember = false
    expect(await sync.run()).toMatchObject({ outcome: 'attention', remedy: 'reconfigure', removed: 0 })
    expect((await sync.held()).size).toBe(4)
  })

  test('when the list of channels breaks off, or never ends', async () => {
    await using sync = await remembering()
    const { server } = sync.simulation
    const cut = { channels: [], response_metadata: { next_cursor: 'more' } }
    server.alter = (method, answer) => (method === 'users.conversations' ? { ...answer, ...cut } : answer)
    expect(await sync.run()).toMatchObject({ outcome: 'partial', removed: 0 })
    server.onRequest = (method) => method === 'users.conversations' && server.count(method) > 1 && server.revoke()
    expect(await sync.run()).toMatchObject({ outcome: 'attention', removed: 0 })
    expect((await sync.held()).size).toBe(4)
  })

  test('when the app is removed from a channel that is still listed', async () => {
    await using sync = await remembering()
    sync.simulation.server.fault(HISTORY, { kind: 'refused', error: 'not_in_channel' })
    expect(await sync.run()).toMatchObject({ removed: 0, failures: [{ partition: '#general' }] })
    expect((await sync.held()).size).toBe(4)
  })
})
