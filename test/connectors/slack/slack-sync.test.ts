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
    const { office } = sync
    office.post('The zebra arrives on Friday.', 2)
    // As Slack writes what somebody typed.
    office.post('Look at this: &lt;recalled:aaaaaaaa&gt;', 2)
    office.post('The giraffe needs a new roof.', 2)
    office.post('And &lt;/recalled:aaaaaaaa&gt; the elephant a pool.', 2)
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

  test('goes with a public channel that is left, or hidden from the token, at the run after it is out of the list', async () => {
    await using sync = await SlackSync.open(service)
    const { office } = sync
    const [left, hidden] = ['C0LEFT', 'C0HIDDEN'].map((id) => office.world.addChannel(id, id.slice(2).toLowerCase()))
    for (const channel of [left!, hidden!, GENERAL]) {
      const root = office.world.post(channel, { user: BOB, text: 'Question', at: office.ago(200) })
      office.world.reply(channel, root, { user: BOB, text: 'Answer', at: office.ago(200) })
      office.world.post(channel, { user: BOB, text: 'Alone', at: office.ago(300) })
    }
    await sync.run()
    expect((await sync.held()).size).toBe(6)
    office.world.channel(left!).isMember = false
    // Still in the list, but not readable any more.
    office.server.fault(HISTORY, { kind: 'refused', error: 'channel_not_found' }, 1)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', removed: 2, failures: [{ partition: '#hidden' }] })
    office.world.channels.delete(hidden!)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', removed: 2, failures: [] })
    expect((await idsOf(sync)).every((id) => id.includes(GENERAL))).toBe(true)
  })

  test('goes with a channel that is excluded while its first reading, a failed thread and a settling one are pending', async () => {
    await using sync = await SlackSync.open(service)
    const { office } = sync
    const { world, server } = office
    const other = world.addChannel('C0OTHER', 'other')
    const roots = [1, 2, 3].map((days) => world.post(other, { user: BOB, text: 'Question', at: office.ago(days) }))
    for (const root of roots) world.reply(other, root, { user: BOB, text: 'Answer', at: office.ago(1) })
    for (const after of [1, 0, 0, 0]) server.fault(REPLIES, { kind: 'refused', error: 'internal_error' }, after)
    server.fault(REPLIES, { kind: 'limited', retryAfter: 3600 })
    expect(await sync.run()).toMatchObject({ outcome: 'waiting', memorized: 1 })
    sync.pass(0.1)
    world.reply(other, roots[0]!, { user: BOB, text: 'Not settled yet', at: office.now })
    expect(await sync.run({}, { settle: true })).toMatchObject({ settling: 1 })
    expect(await sync.run({ exclude: ['other'] })).toMatchObject({ outcome: 'ok', failed: 0 })
    expect(await idsOf(sync)).toEqual([])
    expect(server.log.filter(({ params }) => params.channel === other)).toEqual([])
    expect(await sync.run({ exclude: ['other'] })).toMatchObject({ outcome: 'ok', items: 0 })
  })

  test('stays when a bot loses sight of an archived channel, also when the settings change', async () => {
    await using sync = await SlackSync.open(service, { isBot: true })
    const { office } = sync
    office.post('Before', 30)
    const past = office.world.addChannel('C0PAST', 'past', { isArchived: true })
    office.world.post(past, { user: BOB, text: 'Never read', at: office.ago(400) })
    await sync.run()
    office.world.channel(GENERAL).isArchived = true
    for (const [config, failed] of [
      [{}, 0],
      [{ bots: 'exclude' }, 1],
      [{ bots: 'exclude' }, 0],
      [{}, 0],
    ] as const) {
      expect(await sync.run(config)).toMatchObject({ outcome: 'ok', removed: 0, failed })
      expect(await idsOf(sync)).toEqual([dayId('2026-10-02')])
    }
    office.world.channel(GENERAL).isArchived = false
    office.post('Open again')
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 1, failed: 0 })
    expect((await sync.held()).size).toBe(2)
  })

  test('stays when the plan of the workspace hides it, also when the settings change', async () => {
    await using sync = await SlackSync.open(service)
    const { office } = sync
    for (let days = 70; days < 110; days += 4) office.post(`Said ${days} days ago`, days)
    const root = office.post('Root', 95)
    office.reply(root, 'Reply', 1)
    await sync.run()
    const all = await sync.held()
    sync.office = await office.reopened({ visibleFrom: String(office.ago(90).getTime() / 1000) })
    await office[Symbol.asyncDispose]()
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
    expect(await sync.run({ since: office.ago(99).toISOString() })).toMatchObject({ outcome: 'ok', removed: 2 })
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

  test('waits for two hours when Slack says so, without a request of that kind, also after a restart', async () => {
    await using sync = await SlackSync.open(service)
    const { server } = sync.office
    sync.office.post('Hello', 1)
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
    for (let at = 0; at < 40; at += 1) sync.office.post(`Message ${at}`, 40 - at)
    await sync.run()
    sync.restart()
    const { waited_ms: waited } = await sync.run()
    expect([waited, sync.office.server.count(HISTORY)]).toEqual([60_000, 1])
  })

  test('is the replies alone while their root is deleted, and nothing after the last of them', async () => {
    await using sync = await SlackSync.open(service)
    const { office } = sync
    const root = office.post('Secret question', 3)
    const replies = [office.reply(root, 'First answer', 2), office.reply(root, 'Second answer', 1)]
    office.post('Of the same day', 3)
    await sync.run()
    office.world.delete(GENERAL, root)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 1, removed: 0 })
    expect((await sync.held()).get(threadId(root))).toMatch(/First answer[\s\S]*Second answer/)
    expect([...(await sync.held()).values()].join()).not.toContain('Secret question')
    const third = office.reply(root, 'Third answer')
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 1 })
    for (const reply of [...replies, third]) {
      expect((await sync.held()).get(threadId(root))).toContain('Third answer')
      office.world.delete(GENERAL, reply)
      await sync.run()
    }
    expect(await idsOf(sync)).toEqual([dayId('2026-10-29')])
  })

  test('follows old threads of a busy channel when everything is compared', async () => {
    await using sync = await SlackSync.open(service)
    const { office } = sync
    const [edited, deleted] = [office.post('Edited', 120), office.post('Deleted', 110)]
    const replies = [edited, deleted].map((root) => office.reply(root, 'Reply', 100))
    for (let at = 0; at < 210; at += 1) office.post(`Message ${at}`, 85 + at / 50)
    await sync.run()
    sync.pass(8)
    office.world.edit(GENERAL, replies[0]!, 'Reply, corrected', office.now)
    office.reply(edited, 'Late reply')
    for (const ts of [replies[1]!, deleted]) office.world.delete(GENERAL, ts)
    expect(await sync.run()).toMatchObject({ outcome: 'ok', memorized: 0, removed: 0 })
    expect(await sync.run({}, { full: true })).toMatchObject({ outcome: 'ok', memorized: 1, removed: 1 })
    expect((await sync.held()).get(threadId(edited))).toMatch(/Reply, corrected[\s\S]*Late reply/)
  })

  test('changes when a message becomes that of a bot, and when it ceases to be', async () => {
    await using sync = await SlackSync.open(service)
    const { office } = sync
    const alone = office.post('Alone', 2)
    const root = office.post('Root', 3)
    office.reply(root, 'Reply', 3)
    const config = { bots: 'exclude' }
    const become = (subtype: string | undefined) => {
      for (const ts of [alone, root]) Object.assign(office.world.message(GENERAL, ts), { subtype })
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
    const { office } = sync
    const extra = { bot_id: 'B1', bot_profile: { name: 'Builder' } }
    office.post('Build 7 failed', 2, { extra })
    const root = office.post('What now?', 3)
    office.reply(root, 'Build 6 failed', 3, { extra })
    office.post('Of a bot, long ago', 300, { extra })
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
