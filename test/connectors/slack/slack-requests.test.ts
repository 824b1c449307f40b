import { describe, expect, test } from 'vitest'
import { BOB, bodyOf, dayId, GENERAL, SlackSimulation } from '../../fakes/slack/slack-simulation.ts'

describe('requests to Slack', () => {
  test('are one list and one page per channel when nothing has changed', async () => {
    await using simulation = await SlackSimulation.open()
    simulation.fake.addChannel('C0OTHER', 'other')
    const root = simulation.post('Root', 3)
    simulation.reply(root, 'Reply', 3)
    simulation.post('Old', 200)
    await simulation.run()
    simulation.pass(1)
    simulation.server.log.length = 0
    const { items, gone } = await simulation.run()
    expect([items.size, gone]).toEqual([0, []])
    expect(simulation.server.log.map(({ method }) => method)).toEqual([
      'auth.test',
      'users.conversations',
      'conversations.history',
      'conversations.history',
    ])
  })

  test('ask once whose token it is, which channels and which people there are, however much has changed', async () => {
    await using simulation = await SlackSimulation.open()
    const { fake, server } = simulation
    const others = Array.from({ length: 5 }, (_, at) => fake.addUser(`U0${at}`, `Person ${at}`))
    for (const user of others) fake.addChannel(`D${user}`, '', { kind: 'im', user })
    await simulation.run({ direct_messages: true })
    for (const user of others) {
      fake.post(`D${user}`, { user, text: 'Hello <@U0BOB>, see <#C0GENERAL>', at: simulation.now })
      simulation.reply(simulation.post(`By ${user}`, 1, { user }), `To <@${user}>`, 1)
    }
    server.log.length = 0
    expect((await simulation.run({ direct_messages: true })).items.size).toBe(10)
    const sent = Map.groupBy(server.log, ({ method }) => method)
    expect(Object.fromEntries([...sent].map(([method, all]) => [method, all.length]))).toEqual({
      'auth.test': 1,
      'users.conversations': 1,
      'users.list': 1,
      'conversations.history': 6,
      'conversations.replies': 5,
    })
  })

  test('are made once a week for direct messages with somebody whose account is closed', async () => {
    await using simulation = await SlackSimulation.open()
    const { fake, server } = simulation
    fake.post(fake.addChannel('D0BOB', '', { kind: 'im', user: BOB }), {
      user: BOB,
      text: 'Bye',
      at: simulation.ago(1),
    })
    server.alter = (_, answer) => {
      if (!Array.isArray(answer.channels)) return answer
      return {
        ...answer,
        channels: answer.channels.map((each) => (each.is_im ? { ...each, is_user_deleted: true } : each)),
      }
    }
    const config = { direct_messages: true, exclude: ['general'] }
    expect((await simulation.run(config)).items.size).toBe(1)
    server.log.length = 0
    for (let days = 0; days < 7; days += 1) {
      expect(await simulation.run(config)).toMatchObject({ gone: [], partitions: ['@Bob Stone'] })
      simulation.pass(1)
    }
    expect(server.count('conversations.history')).toBe(0)
  })

  test('ask for people one by one only when they are of another company', async () => {
    await using simulation = await SlackSimulation.open()
    const { fake, server } = simulation
    fake.addUser('U0GUEST', 'Grace Guest', { isForeign: true })
    fake.addChannel('C0OTHER', 'other')
    for (const channel of [GENERAL, 'C0OTHER']) {
      fake.post(channel, { user: 'U0GUEST', text: 'Hello <@U0BOB>, <@U0GONE>', at: simulation.ago(1) })
      fake.post(channel, { user: BOB, text: 'Hello <@U0GUEST>', at: simulation.ago(2) })
    }
    const { items } = await simulation.run()
    expect(await bodyOf(items.get(dayId('2026-10-31')))).toContain(
      'Grace Guest [2026-10-31 12:00 UTC]: Hello @Bob Stone',
    )
    expect(['users.list', 'users.info'].map(server.count)).toEqual([1, 2])
  })
})
