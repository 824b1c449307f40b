import { describe, expect, test } from 'vitest'
import { slack } from '../../../connectors/slack/slack.ts'
import type { SourceItem } from '../../../src/connector/connector.ts'
import { BOB, bodyOf, dayId, emptyRun, GENERAL, SlackSimulation, threadId } from '../../fakes/slack/slack-simulation.ts'

const ids = (items: ReadonlyMap<string, SourceItem>) => [...items.keys()].sort()
const PARTITION = { id: GENERAL, title: '#general' }

describe('the first reading of Slack', () => {
  test('takes threads, and the other messages of a day together', async () => {
    await using simulation = await SlackSimulation.open()
    const root = simulation.post('Who makes coffee?', 3)
    simulation.reply(root, 'I do', 2)
    simulation.post('Good morning', 3)
    simulation.post('Good night', 3)
    const { items } = await simulation.run()
    expect(ids(items)).toEqual([dayId('2026-10-29'), threadId(root)].sort())
    expect(await bodyOf(items.get(threadId(root)))).toContain('I do')
    expect(await bodyOf(items.get(dayId('2026-10-29')))).toMatch(/Good morning[\s\S]*Good night/)
    expect(items.get(threadId(root))).toMatchObject({
      title: '#general: Who makes coffee?',
      where: '#general',
      people: ['Ada Lovelace', 'Bob Stone'],
      parents: ['Fernwald', '#general'],
      visibility: 'public',
      url: `https://fernwald.slack.test/archives/${GENERAL}/p${root.replace('.', '')}`,
      createdAt: simulation.ago(3),
      updatedAt: simulation.ago(2),
    })
  })

  test('reaches the oldest of many pages', async () => {
    await using simulation = await SlackSimulation.open()
    for (let at = 0; at < 1000; at += 1) simulation.post(`Message ${at}`, 1000 - at)
    const { items } = await simulation.run()
    expect(items.size).toBe(1000)
    expect(simulation.server.count('conversations.history')).toBe(5)
  })

  test('holds a day together that lies on two pages', async () => {
    await using simulation = await SlackSimulation.open()
    for (let at = 0; at < 450; at += 1) simulation.post(`Message ${at}.`, 5 + at / 2000)
    const { items } = await simulation.run()
    const texts = await Promise.all([...items.values()].map(bodyOf))
    expect(items.size).toBe(1)
    expect(texts[0]?.match(/Message/g)).toHaveLength(450)
  })

  test('goes on where it was interrupted', async () => {
    await using simulation = await SlackSimulation.open()
    for (let at = 0; at < 1000; at += 1) simulation.post(`Message ${at}`, 1000 - at)
    simulation.server.fault('conversations.history', { kind: 'status', status: 503 }, 3)
    await expect(simulation.run()).rejects.toMatchObject({ remedy: 'retry' })
    simulation.server.log.length = 0
    simulation.post('While it was down')
    const { items } = await simulation.run()
    // 401 messages are left, in three pages; then what is new.
    expect(simulation.server.count('conversations.history')).toBe(4)
    expect(items.size).toBeGreaterThanOrEqual(401)
    expect(items.size).toBeLessThan(410)
    expect(items.has(dayId('2026-11-01'))).toBe(true)
  })

  test('does not fetch threads again that it had when it was interrupted', async () => {
    await using simulation = await SlackSimulation.open()
    for (let at = 0; at < 25; at += 1) simulation.reply(simulation.post(`Question ${at}`, 1), 'Answer')
    simulation.server.fault('conversations.replies', { kind: 'limited', retryAfter: 4000 }, 22)
    await expect(simulation.run()).rejects.toMatchObject({ limited: true })
    simulation.server.log.length = 0
    await simulation.run()
    expect(simulation.server.count('conversations.replies')).toBe(5)
  })

  test('knows what it had when it was interrupted, also when that is deleted before it goes on', async () => {
    await using simulation = await SlackSimulation.open()
    const older = simulation.post('Older', 2)
    const newer = simulation.post('Newer', 1)
    for (const root of [older, newer]) simulation.reply(root, 'Reply', 1)
    simulation.server.fault('conversations.replies', { kind: 'limited', retryAfter: 60 }, 1)
    const before = emptyRun()
    await expect(simulation.runIn(await simulation.context(), before)).rejects.toMatchObject({ limited: true })
    expect(ids(before.items)).toEqual([threadId(newer)])
    simulation.fake.delete(GENERAL, simulation.fake.message(GENERAL, newer).replies[0]?.ts ?? '')
    simulation.fake.delete(GENERAL, newer)
    expect((await simulation.run()).gone).toEqual([threadId(newer)])
  })

  test('takes a reply that was also sent to the channel in both places', async () => {
    await using simulation = await SlackSimulation.open()
    const root = simulation.post('Question', 3)
    const extra = { thread_ts: root }
    simulation.reply(root, 'Answer for all', 1, { extra, subtype: 'thread_broadcast' })
    simulation.post('Answer for all', 1, { extra, subtype: 'thread_broadcast' })
    const { items } = await simulation.run()
    for (const id of [threadId(root), dayId('2026-10-31')])
      expect(await bodyOf(items.get(id))).toContain('Answer for all')
  })

  test('begins with `since`', async () => {
    await using simulation = await SlackSimulation.open()
    simulation.post('Before', 10)
    simulation.post('After', 5)
    const { items } = await simulation.run({ since: '2026-10-25' })
    expect(ids(items)).toEqual([dayId('2026-10-27')])
    expect(await simulation.run({ since: '2026-10-25' })).toMatchObject({ gone: [] })
  })

  test('takes the whole of a long thread', async () => {
    await using simulation = await SlackSimulation.open()
    const root = simulation.post('Long story', 3)
    for (let at = 0; at < 500; at += 1) simulation.reply(root, `Part ${at}.`, 2)
    const { items } = await simulation.run()
    expect((await bodyOf(items.get(threadId(root)))).match(/Part/g)).toHaveLength(500)
  })

  test('takes all of a channel that was joined later', async () => {
    await using simulation = await SlackSimulation.open()
    simulation.fake.addChannel('C0LATE', 'late', { isMember: false })
    simulation.fake.post('C0LATE', { user: BOB, text: 'Long ago', at: simulation.ago(300) })
    expect((await simulation.run()).items.size).toBe(0)
    simulation.pass(1)
    simulation.fake.channel('C0LATE').isMember = true
    expect(ids((await simulation.run()).items)).toEqual([dayId('2026-01-05', 'C0LATE')])
  })
})

describe('later readings of Slack', () => {
  test('find a reply to a thread of ten days ago at once', async () => {
    await using simulation = await SlackSimulation.open()
    const root = simulation.post('Root', 10)
    simulation.reply(root, 'First', 10)
    await simulation.run()
    simulation.pass(1)
    simulation.reply(root, 'Second')
    const { items } = await simulation.run()
    expect(ids(items)).toEqual([threadId(root)])
    expect(await bodyOf(items.get(threadId(root)))).toContain('Second')
  })

  test('find a reply to a thread of eight weeks ago within a week, however much was told since', async () => {
    await using simulation = await SlackSimulation.open()
    const root = simulation.post('Root', 56)
    simulation.reply(root, 'First', 56)
    for (let at = 0; at < 250; at += 1) simulation.post(`Message ${at}`, 30 + at / 50)
    await simulation.run()
    simulation.pass(1)
    simulation.reply(root, 'Second')
    expect((await simulation.run()).items.size).toBe(0)
    simulation.pass(6)
    expect(await bodyOf((await simulation.run()).items.get(threadId(root)))).toContain('Second')
  })

  test('move a message from its day to a thread when it is answered', async () => {
    await using simulation = await SlackSimulation.open()
    const root = simulation.post('Question', 2)
    simulation.post('Something else', 2)
    const alone = simulation.post('Alone', 4)
    await simulation.run()
    simulation.reply(root, 'Answer')
    simulation.reply(alone, 'Not any more')
    const { items, gone } = await simulation.run()
    expect(ids(items)).toEqual([dayId('2026-10-30'), threadId(root), threadId(alone)].sort())
    expect(await bodyOf(items.get(dayId('2026-10-30')))).not.toContain('Question')
    expect(gone).toEqual([dayId('2026-10-28')])
  })

  test('notice edits of messages, of roots, and within a week of replies', async () => {
    await using simulation = await SlackSimulation.open()
    const lone = simulation.post('Lone', 2)
    const root = simulation.post('Root', 3)
    const reply = simulation.reply(root, 'Reply', 3)
    await simulation.run()
    simulation.fake.edit(GENERAL, lone, 'Lone wolf', simulation.now)
    simulation.fake.edit(GENERAL, root, 'Root of all', simulation.now)
    const first = await simulation.run()
    expect(await bodyOf(first.items.get(dayId('2026-10-30')))).toContain('Lone wolf')
    expect(await bodyOf(first.items.get(threadId(root)))).toContain('Root of all')
    expect(first.items.get(dayId('2026-10-30'))?.updatedAt).toEqual(simulation.now)
    const second = simulation.reply(root, 'Second')
    await simulation.run()
    simulation.fake.edit(GENERAL, second, 'Second thoughts', simulation.now)
    simulation.fake.edit(GENERAL, reply, 'First thoughts', simulation.now)
    simulation.pass(7)
    expect(await bodyOf((await simulation.run()).items.get(threadId(root)))).toMatch(
      /First thoughts[\s\S]*Second thoughts/,
    )
  })

  test('notice deletions: of a message, a day, a thread, and of a root whose replies stay', async () => {
    await using simulation = await SlackSimulation.open()
    const one = simulation.post('One', 2)
    simulation.post('Two', 2)
    const day = simulation.post('All of a day', 3)
    const root = simulation.post('Root', 4)
    const reply = simulation.reply(root, 'Reply', 4)
    const kept = simulation.post('Secret', 5)
    simulation.reply(kept, 'Answer to it', 5)
    await simulation.run()
    for (const ts of [one, day, reply, root, kept]) simulation.fake.delete(GENERAL, ts)
    const { items, gone } = await simulation.run()
    expect([...gone].sort()).toEqual([dayId('2026-10-29'), threadId(root)].sort())
    expect(ids(items)).toEqual([dayId('2026-10-30'), threadId(kept)].sort())
    expect(await bodyOf(items.get(dayId('2026-10-30')))).not.toContain('One')
    expect(await bodyOf(items.get(threadId(kept)))).toMatch(/^Bob Stone \[.*\]: Answer to it$/)
  })

  test('take back into the day what lost its only reply', async () => {
    await using simulation = await SlackSimulation.open()
    const root = simulation.post('Root', 2)
    const reply = simulation.reply(root, 'Reply', 2)
    await simulation.run()
    simulation.fake.delete(GENERAL, reply)
    const { items, gone } = await simulation.run()
    expect([ids(items), gone]).toEqual([[dayId('2026-10-30')], [threadId(root)]])
  })

  test('take everything told during a long pause', async () => {
    await using simulation = await SlackSimulation.open()
    simulation.post('Before')
    await simulation.run()
    simulation.pass(200)
    for (let days = 1; days < 199; days += 1) simulation.post('Meanwhile', days)
    expect((await simulation.run()).items.size).toBe(198)
  })

  test('do not take for deleted what the plan of the workspace hides', async () => {
    await using simulation = await SlackSimulation.open()
    simulation.post('Half hidden soon', 20)
    simulation.post('Hidden soon', 20.1)
    simulation.post('Today')
    await simulation.run()
    simulation.pass(70)
    const visibleFrom = String(simulation.ago(90.05).getTime() / 1000)
    await using limited = await simulation.reopened({ visibleFrom })
    limited.post('New', 1)
    const { items, gone } = await limited.run()
    expect([ids(items), gone]).toEqual([[dayId('2027-01-09')], []])
  })

  test('keep ids when a channel gets another name', async () => {
    await using simulation = await SlackSimulation.open()
    simulation.post('Hello', 1)
    await simulation.run()
    simulation.fake.channel(GENERAL).name = 'everybody'
    simulation.post('Hello again', 1)
    const { items, partitions } = await simulation.run()
    expect(partitions).toEqual(['#everybody'])
    expect(items.get(dayId('2026-10-31'))?.where).toBe('#everybody')
  })

  test('read an archived channel to its end, then once a week only', async () => {
    await using simulation = await SlackSimulation.open()
    simulation.post('Hello', 3)
    await simulation.run()
    simulation.post('Last words', 1)
    simulation.fake.channel(GENERAL).isArchived = true
    expect(ids((await simulation.run()).items)).toEqual([dayId('2026-10-31')])
    simulation.server.log.length = 0
    for (let days = 0; days < 7; days += 1) {
      await simulation.run()
      simulation.pass(1)
    }
    expect(simulation.server.count('conversations.history')).toBe(0)
    await simulation.run()
    expect(simulation.server.count('conversations.history')).toBe(1)
  })

  test.each([1, 2, 3])('take what was told on the stroke of midnight once, on pages of %i', async (mostMessages) => {
    await using simulation = await SlackSimulation.open({ mostMessages })
    const midnights = Array.from({ length: 6 }, (_, days) => simulation.post(`Midnight ${days}`, days + 0.5))
    const first = Number(midnights.at(-1))
    const config = { since: new Date(first * 1000).toISOString() }
    expect((await simulation.run(config)).items.size).toBe(6)
    simulation.pass(0.1)
    simulation.fake.delete(GENERAL, midnights[3] ?? '')
    const { items, gone } = await simulation.run(config)
    expect([items.size, gone]).toEqual([0, [dayId('2026-10-29')]])
  })

  test('take a message that arrives between two pages at the next run', async () => {
    await using simulation = await SlackSimulation.open()
    for (let at = 0; at < 300; at += 1) simulation.post(`Message ${at}`, 300 - at)
    let isFirst = true
    simulation.server.onRequest = (method) => {
      if (method !== 'conversations.history' || !isFirst) return
      isFirst = false
      simulation.server.onRequest = () => simulation.post('In between')
    }
    await simulation.run()
    simulation.server.onRequest = undefined
    simulation.pass(0.01)
    expect(await bodyOf((await simulation.run()).items.get(dayId('2026-11-01')))).toContain('In between')
  })
})

describe('a single item of Slack', () => {
  test('is read with its latest words', async () => {
    await using simulation = await SlackSimulation.open()
    const root = simulation.post('Root', 2)
    const reply = simulation.reply(root, 'Reply', 2)
    await simulation.run()
    simulation.fake.edit(GENERAL, reply, 'Replied', simulation.now)
    const item = await slack.read(ref(threadId(root)), await simulation.context())
    expect(await bodyOf(item)).toContain('Replied')
  })

  test('is gone when nothing is left of it', async () => {
    await using simulation = await SlackSimulation.open()
    const root = simulation.post('Root', 2)
    simulation.fake.delete(GENERAL, root)
    const context = await simulation.context()
    expect(await slack.read(ref(threadId(root)), context)).toBeUndefined()
    expect(await slack.read(ref(dayId('2026-10-30')), context)).toBeUndefined()
  })

  const ref = (itemId: string) => ({ sourceType: 'slack' as const, itemId, partition: PARTITION })
})
