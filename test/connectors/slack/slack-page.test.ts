import { describe, expect, test } from 'vitest'
import { bodyOf, dayId, GENERAL, SlackSimulation, threadId } from '../../fakes/slack/slack-simulation.ts'

const HISTORY = 'conversations.history'

/** What of a run the tests look at. */
async function told(simulation: SlackSimulation, config: Record<string, unknown> = {}) {
  simulation.server.log.length = 0
  const { items, gone } = await simulation.run(config)
  const [pages, threads] = [HISTORY, 'conversations.replies'].map(simulation.server.count)
  return { items: [...items.keys()].sort(), gone: gone.sort(), pages, threads }
}

const NOTHING = { items: [], gone: [], pages: 1, threads: 0 }

describe('a channel of Slack that fits on a page', () => {
  async function quietSimulation() {
    const simulation = await SlackSimulation.open()
    const edited = simulation.post('Edited one day', 800)
    const deleted = simulation.post('Deleted one day', 700)
    const answered = simulation.post('Answered one day', 600)
    const root = simulation.post('Root', 500)
    const lost = simulation.post('Lost', 450)
    for (const ts of [root, lost]) simulation.reply(ts, 'Reply', 400)
    await simulation.run()
    simulation.pass(1)
    return { simulation, edited, deleted, answered, root, lost }
  }

  test('is compared whole at each run', async () => {
    const { simulation, edited, deleted, answered, root, lost } = await quietSimulation()
    await using _ = simulation
    expect(await told(simulation)).toEqual(NOTHING)
    expect(simulation.server.log.find(({ method }) => method === HISTORY)?.params.oldest).toBeUndefined()
    simulation.fake.edit(GENERAL, edited, 'Edited', simulation.now)
    for (const ts of [deleted, simulation.fake.message(GENERAL, lost).replies[0]?.ts ?? '', lost]) {
      simulation.fake.delete(GENERAL, ts)
    }
    simulation.reply(answered, 'At last')
    simulation.reply(root, 'Late reply')
    expect(await told(simulation)).toEqual({
      items: [dayId('2024-08-23'), threadId(answered), threadId(root)].sort(),
      gone: [dayId('2024-12-01'), dayId('2025-03-11'), threadId(lost)],
      pages: 1,
      threads: 2,
    })
    expect(await told(simulation)).toEqual(NOTHING)
  })

  test('is compared whole also after a message was deleted in it for good', async () => {
    const { simulation, deleted } = await quietSimulation()
    await using _ = simulation
    simulation.fake.delete(GENERAL, deleted)
    expect((await told(simulation)).gone).toEqual([dayId('2024-12-01')])
    simulation.pass(8)
    expect(await told(simulation)).toEqual(NOTHING)
  })

  test('is compared down to `since`', async () => {
    const { simulation, answered, deleted } = await quietSimulation()
    await using _ = simulation
    simulation.cursors.clear()
    const config = { since: '2025-03-01' }
    await told(simulation, config)
    simulation.reply(answered, 'At last')
    simulation.fake.delete(GENERAL, deleted)
    expect(await told(simulation, config)).toMatchObject({ items: [threadId(answered)], gone: [dayId('2025-03-11')] })
  })
})

test('a day of Slack that `since` cuts is gone with its last message', async () => {
  await using simulation = await SlackSimulation.open()
  const only = simulation.post('Only', 2)
  const config = { since: '2026-10-30T10:00:00Z' }
  await told(simulation, config)
  simulation.fake.delete(GENERAL, only)
  expect(await told(simulation, config)).toEqual({ ...NOTHING, gone: [dayId('2026-10-30')] })
})

describe('a channel of Slack that does not fit on a page', () => {
  test('is compared by the whole days that the page shows, and as far back as messages are listed again', async () => {
    await using simulation = await SlackSimulation.open()
    const posted = Array.from({ length: 400 }, (_, at) => simulation.post(`Message ${at}`, 400 - at))
    await simulation.run()
    expect(await told(simulation)).toEqual(NOTHING)
    for (const at of [400 - 201, 400 - 200, 400 - 199])
      simulation.fake.edit(GENERAL, posted[at] ?? '', 'New', simulation.now)
    // Of the day of the two hundredth message more may stand on the next page.
    expect(await told(simulation)).toEqual({ ...NOTHING, items: [dayId('2026-04-16')] })
  })

  test('does not lose what new messages push off the page', async () => {
    await using simulation = await SlackSimulation.open()
    for (let at = 0; at < 300; at += 1) simulation.post(`Message ${at}`, 150 - at / 2)
    await simulation.run()
    for (let at = 1; at <= 90; at += 1) {
      simulation.pass(0.001)
      simulation.post(`New ${at}`)
      if (at % 30 === 0)
        expect(await told(simulation)).toMatchObject({ gone: [], items: [dayId('2026-11-01')], pages: 1 })
    }
  })

  test('is listed on while the page does not reach far enough', async () => {
    await using simulation = await SlackSimulation.open()
    for (let at = 0; at < 700; at += 1) simulation.post(`Message ${at}`, at / 20)
    const ancient = simulation.post('Ancient', 100)
    await simulation.run()
    simulation.pass(1)
    expect(await told(simulation)).toEqual({ ...NOTHING, pages: 2 })
    simulation.fake.delete(GENERAL, ancient)
    expect((await told(simulation)).gone).toEqual([])
  })

  test('costs a cursor of a few kilobytes, whatever its age', async () => {
    await using simulation = await SlackSimulation.open()
    for (let at = 0; at < 400; at += 1) simulation.reply(simulation.post(`Message ${at}`, 200 + at), 'Reply', 200 + at)
    await simulation.run()
    expect(JSON.stringify(simulation.cursors.get(GENERAL)).length).toBeLessThan(10_000)
    expect(await told(simulation)).toEqual(NOTHING)
  })

  test('goes on from its page when the run breaks off in the second one', async () => {
    await using simulation = await SlackSimulation.open()
    for (let at = 0; at < 700; at += 1) simulation.post(`Message ${at}`, at / 60)
    await simulation.run()
    simulation.pass(1)
    simulation.server.fault(HISTORY, { kind: 'status', status: 503 }, 2)
    await expect(simulation.run()).rejects.toMatchObject({ remedy: 'retry' })
    const reply = simulation.post('Meanwhile')
    const { items, pages } = await told(simulation)
    expect([items, pages]).toEqual([[dayId('2026-11-02')], 6])
    expect(simulation.fake.message(GENERAL, reply).text).toBe('Meanwhile')
  })
})

test('a thread of Slack says what its root says also when no reply is shown', async () => {
  await using simulation = await SlackSimulation.open()
  const root = simulation.post('Root', 2)
  simulation.reply(root, 'Hidden', 2)
  simulation.server.alter = (method, answer) => {
    if (method !== 'conversations.replies' || !Array.isArray(answer.messages)) return answer
    return { ...answer, messages: answer.messages.slice(0, 1) }
  }
  expect(await bodyOf((await simulation.run()).items.get(threadId(root)))).toMatch(/: Root$/)
})
