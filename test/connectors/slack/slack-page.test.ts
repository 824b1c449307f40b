import { describe, expect, test } from 'vitest'
import { bodyOf, dayId, GENERAL, SlackOffice, threadId } from '../../fakes/slack/slack-simulation.ts'

const HISTORY = 'conversations.history'

/** What of a run the tests look at. */
async function told(office: SlackOffice, config: Record<string, unknown> = {}) {
  office.server.log.length = 0
  const { items, gone } = await office.run(config)
  const [pages, threads] = [HISTORY, 'conversations.replies'].map(office.server.count)
  return { items: [...items.keys()].sort(), gone: gone.sort(), pages, threads }
}

const NOTHING = { items: [], gone: [], pages: 1, threads: 0 }

describe('a channel of Slack that fits on a page', () => {
  async function quietOffice() {
    const office = await SlackOffice.open()
    const edited = office.post('Edited one day', 800)
    const deleted = office.post('Deleted one day', 700)
    const answered = office.post('Answered one day', 600)
    const root = office.post('Root', 500)
    const lost = office.post('Lost', 450)
    for (const ts of [root, lost]) office.reply(ts, 'Reply', 400)
    await office.run()
    office.pass(1)
    return { office, edited, deleted, answered, root, lost }
  }

  test('is compared whole at each run', async () => {
    const { office, edited, deleted, answered, root, lost } = await quietOffice()
    await using _ = office
    expect(await told(office)).toEqual(NOTHING)
    expect(office.server.log.find(({ method }) => method === HISTORY)?.params.oldest).toBeUndefined()
    office.world.edit(GENERAL, edited, 'Edited', office.now)
    for (const ts of [deleted, office.world.message(GENERAL, lost).replies[0]?.ts ?? '', lost]) {
      office.world.delete(GENERAL, ts)
    }
    office.reply(answered, 'At last')
    office.reply(root, 'Late reply')
    expect(await told(office)).toEqual({
      items: [dayId('2024-08-23'), threadId(answered), threadId(root)].sort(),
      gone: [dayId('2024-12-01'), dayId('2025-03-11'), threadId(lost)],
      pages: 1,
      threads: 2,
    })
    expect(await told(office)).toEqual(NOTHING)
  })

  test('is compared whole also after a message was deleted in it for good', async () => {
    const { office, deleted } = await quietOffice()
    await using _ = office
    office.world.delete(GENERAL, deleted)
    expect((await told(office)).gone).toEqual([dayId('2024-12-01')])
    office.pass(8)
    expect(await told(office)).toEqual(NOTHING)
  })

  test('is compared down to `since`', async () => {
    const { office, answered, deleted } = await quietOffice()
    await using _ = office
    office.cursors.clear()
    const config = { since: '2025-03-01' }
    await told(office, config)
    office.reply(answered, 'At last')
    office.world.delete(GENERAL, deleted)
    expect(await told(office, config)).toMatchObject({ items: [threadId(answered)], gone: [dayId('2025-03-11')] })
  })
})

test('a day of Slack that `since` cuts is gone with its last message', async () => {
  await using office = await SlackOffice.open()
  const only = office.post('Only', 2)
  const config = { since: '2026-10-30T10:00:00Z' }
  await told(office, config)
  office.world.delete(GENERAL, only)
  expect(await told(office, config)).toEqual({ ...NOTHING, gone: [dayId('2026-10-30')] })
})

describe('a channel of Slack that does not fit on a page', () => {
  test('is compared by the whole days that the page shows, and as far back as messages are listed again', async () => {
    await using office = await SlackOffice.open()
    const posted = Array.from({ length: 400 }, (_, at) => office.post(`Message ${at}`, 400 - at))
    await office.run()
    expect(await told(office)).toEqual(NOTHING)
    for (const at of [400 - 201, 400 - 200, 400 - 199]) office.world.edit(GENERAL, posted[at] ?? '', 'New', office.now)
    // Of the day of the two hundredth message more may stand on the next page.
    expect(await told(office)).toEqual({ ...NOTHING, items: [dayId('2026-04-16')] })
  })

  test('does not lose what new messages push off the page', async () => {
    await using office = await SlackOffice.open()
    for (let at = 0; at < 300; at += 1) office.post(`Message ${at}`, 150 - at / 2)
    await office.run()
    for (let at = 1; at <= 90; at += 1) {
      office.pass(0.001)
      office.post(`New ${at}`)
      if (at % 30 === 0) expect(await told(office)).toMatchObject({ gone: [], items: [dayId('2026-11-01')], pages: 1 })
    }
  })

  test('is listed on while the page does not reach far enough', async () => {
    await using office = await SlackOffice.open()
    for (let at = 0; at < 700; at += 1) office.post(`Message ${at}`, at / 20)
    const ancient = office.post('Ancient', 100)
    await office.run()
    office.pass(1)
    expect(await told(office)).toEqual({ ...NOTHING, pages: 2 })
    office.world.delete(GENERAL, ancient)
    expect((await told(office)).gone).toEqual([])
  })

  test('costs a cursor of a few kilobytes, whatever its age', async () => {
    await using office = await SlackOffice.open()
    for (let at = 0; at < 400; at += 1) office.reply(office.post(`Message ${at}`, 200 + at), 'Reply', 200 + at)
    await office.run()
    expect(JSON.stringify(office.cursors.get(GENERAL)).length).toBeLessThan(10_000)
    expect(await told(office)).toEqual(NOTHING)
  })

  test('goes on from its page when the run breaks off in the second one', async () => {
    await using office = await SlackOffice.open()
    for (let at = 0; at < 700; at += 1) office.post(`Message ${at}`, at / 60)
    await office.run()
    office.pass(1)
    office.server.fault(HISTORY, { kind: 'status', status: 503 }, 2)
    await expect(office.run()).rejects.toMatchObject({ remedy: 'retry' })
    const reply = office.post('Meanwhile')
    const { items, pages } = await told(office)
    expect([items, pages]).toEqual([[dayId('2026-11-02')], 6])
    expect(office.world.message(GENERAL, reply).text).toBe('Meanwhile')
  })
})

test('a thread of Slack says what its root says also when no reply is shown', async () => {
  await using office = await SlackOffice.open()
  const root = office.post('Root', 2)
  office.reply(root, 'Hidden', 2)
  office.server.alter = (method, answer) => {
    if (method !== 'conversations.replies' || !Array.isArray(answer.messages)) return answer
    return { ...answer, messages: answer.messages.slice(0, 1) }
  }
  expect(await bodyOf((await office.run()).items.get(threadId(root)))).toMatch(/: Root$/)
})
