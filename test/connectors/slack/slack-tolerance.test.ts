import { describe, expect, test } from 'vitest'
import type { SlackFault } from '../../fakes/slack/slack-server.ts'
import { ADA, BOB, bodyOf, dayId, SlackSimulation, threadId } from '../../fakes/slack/slack-simulation.ts'

const DAY = dayId('2026-10-31')

/** A workspace in which every answer is changed on its way. */
async function altered(change: (answer: Record<string, unknown>, method: string) => object): Promise<SlackSimulation> {
  const simulation = await SlackSimulation.open()
  simulation.server.alter = (method, answer) => change(answer, method)
  return simulation
}

/** Of every message in an answer. */
function withMessages(change: (message: Record<string, unknown>) => object) {
  return (answer: Record<string, unknown>) =>
    Array.isArray(answer.messages) ? { ...answer, messages: answer.messages.map(change) } : answer
}

describe('the names of people in Slack', () => {
  const refusals: [string, SlackFault][] = [
    ...['unknown_method', 'missing_scope', 'not_allowed_token_type'].map((error): [string, SlackFault] => [
      error,
      { kind: 'refused', error },
    ]),
    ['HTTP 404', { kind: 'status', status: 404 }],
  ]

  test.each(refusals)('are their ids when the list of people is answered with %s', async (_, fault) => {
    await using simulation = await SlackSimulation.open()
    simulation.post('Hello <@U0BOB>', 1)
    simulation.server.fault('users.list', fault)
    expect(await bodyOf((await simulation.run()).items.get(DAY))).toMatch(/^U0ADA \[.*: Hello @U0BOB$/)
    expect(simulation.server.count('users.info')).toBe(0)
  })

  test.each(refusals)(
    'are their ids when one person is answered with %s, who is not asked for again',
    async (_, fault) => {
      await using simulation = await SlackSimulation.open()
      for (const id of ['U0GRACE', 'U0GEORGE']) simulation.fake.addUser(id, 'Guest', { isForeign: true })
      simulation.post('Hello <@U0GRACE>, <@U0GEORGE>', 1)
      simulation.server.fault('users.info', fault)
      expect(await bodyOf((await simulation.run()).items.get(DAY))).toMatch(
        /^Ada Lovelace \[.*: Hello @U0GRACE, @U0GEORGE$/,
      )
      expect(simulation.server.count('users.info')).toBe(1)
    },
  )

  test('are needed to leave out direct messages with somebody', async () => {
    await using simulation = await SlackSimulation.open()
    for (const user of [ADA, BOB]) simulation.fake.addChannel(`D0${user}`, '', { kind: 'im', user })
    const config = { direct_messages: true, exclude: ['@Bob Stone'] }
    expect((await simulation.run(config)).partitions).toEqual(['#general', '@Ada Lovelace'])
    simulation.server.fault('users.list', { kind: 'refused', error: 'missing_scope' })
    const failed = simulation.run(config)
    await expect(failed).rejects.toMatchObject({ remedy: 'reconfigure' })
    await expect(failed).rejects.toThrow(/exclude .* U0ADA\. .* users:read/)
    const byId = { direct_messages: true, exclude: [BOB] }
    expect((await simulation.run(byId)).partitions).toEqual(['#general', '@Ada Lovelace'])
    simulation.server.fault('users.list', { kind: 'refused', error: 'missing_scope' })
    expect((await simulation.run(byId)).partitions).toEqual(['#general', '@U0ADA'])
  })

  test('are needed of everybody whose direct messages are taken', async () => {
    await using simulation = await SlackSimulation.open()
    simulation.fake.addUser('U0GUEST', 'Grace Guest', { isForeign: true })
    simulation.fake.addChannel('D0GUEST', '', { kind: 'im', user: 'U0GUEST' })
    const config = { direct_messages: true, exclude: ['@Grace Guest'] }
    expect((await simulation.run(config)).partitions).toEqual(['#general'])
    simulation.server.fault('users.info', { kind: 'refused', error: 'user_not_visible' })
    await expect(simulation.run(config)).rejects.toMatchObject({ remedy: 'reconfigure' })
  })

  test('are waited for when Slack is only out of order', async () => {
    await using simulation = await SlackSimulation.open()
    simulation.post('Hello', 1)
    simulation.server.fault('users.list', { kind: 'status', status: 503 })
    await expect(simulation.run()).rejects.toMatchObject({ remedy: 'retry' })
  })

  test('are those of the others when one of them is in an unknown form', async () => {
    await using simulation = await altered((answer) =>
      Array.isArray(answer.members) ? { ...answer, members: [null, { id: 7 }, ...answer.members] } : answer,
    )
    simulation.post('Hello', 1)
    expect(await bodyOf((await simulation.run()).items.get(DAY))).toMatch(/^Ada Lovelace /)
  })
})

describe('answers of a server that speaks little of the API of Slack', () => {
  test('may say nothing of scopes, next pages, and who is a member', async () => {
    await using simulation = await SlackSimulation.open({ scopes: 'untold' })
    simulation.server.alter = (method, { response_metadata: _, ...answer }) => {
      if (method === 'users.conversations') return { ok: false, error: 'unknown_method' }
      if (!Array.isArray(answer.channels)) return answer
      return { ...answer, channels: answer.channels.map(({ id, name }) => ({ id, name })) }
    }
    simulation.fake.addChannel('C0UNTOLD', 'untold', { isMember: false })
    simulation.post('Hello', 1)
    expect((await simulation.context()).account).toEqual({ account: 'T0FERN:U0ADA', title: 'Fernwald (Ada Lovelace)' })
    const { items, partitions } = await simulation.run()
    expect([[...items.keys()], partitions]).toEqual([[DAY], ['#general', '#untold']])
  })

  test('may name no scope at all', async () => {
    await using simulation = await SlackSimulation.open({ scopes: [''] })
    expect((await simulation.context()).account.warnings).toBeUndefined()
  })

  test('may have more pages without a cursor for them', async () => {
    await using simulation = await SlackSimulation.open({ mostMessages: 20 })
    simulation.server.alter = (_, answer) =>
      Array.isArray(answer.messages) ? { ...answer, response_metadata: undefined } : answer
    for (let at = 0; at < 50; at += 1) simulation.post(`Message ${at}`, 50 - at)
    const root = simulation.post('Root', 60)
    for (let at = 0; at < 50; at += 1) simulation.reply(root, `Part ${at}.`, 60)
    const { items } = await simulation.run()
    expect(items.size).toBe(51)
    expect((await bodyOf(items.get(threadId(root)))).match(/Part/g)).toHaveLength(50)
  })

  test('may give times as numbers', async () => {
    const asNumbers = (message: Record<string, unknown>) => {
      const times = ['ts', 'thread_ts', 'latest_reply'].filter((key) => message[key] !== undefined)
      return { ...message, ...Object.fromEntries(times.map((key) => [key, Number(message[key])])) }
    }
    await using simulation = await altered(withMessages(asNumbers))
    const root = simulation.post('Root', 1)
    simulation.reply(root, 'Reply', 1)
    simulation.post('Alone', 1)
    const { items } = await simulation.run()
    expect([...items.keys()].sort()).toEqual([DAY, threadId(root)].sort())
    expect(await bodyOf(items.get(threadId(root)))).toContain('Reply')
  })

  test('may hold messages with nothing but a time and a text', async () => {
    const bare = ({ ts, text }: Record<string, unknown>) => ({
      ts,
      text,
      user: null,
      subtype: null,
      thread_ts: null,
      reply_count: null,
      edited: null,
      blocks: null,
      files: null,
      bot_id: null,
      attachments: null,
    })
    await using simulation = await altered(withMessages(bare))
    simulation.post('Hello', 1)
    const { items } = await simulation.run({ bots: 'exclude' })
    expect(await bodyOf(items.get(DAY))).toMatch(/^Somebody \[2026-10-31 12:00 UTC\]: Hello$/)
  })

  test('may not count replies', async () => {
    await using simulation = await altered(withMessages(({ reply_count: _, latest_reply: __, ...message }) => message))
    const root = simulation.post('Root', 1)
    simulation.reply(root, 'Reply', 1)
    const { items } = await simulation.run()
    expect(await bodyOf(items.get(threadId(root)))).toContain('Reply')
  })

  test('are not read for ever when they repeat themselves', async () => {
    await using simulation = await SlackSimulation.open()
    const root = simulation.post('Root', 1)
    simulation.reply(root, 'Reply', 1)
    simulation.server.alter = (method, answer) =>
      method === 'conversations.replies' ? { ...answer, has_more: true, response_metadata: {} } : answer
    expect((await simulation.run()).failed).toEqual([threadId(root)])
  })
})

describe('the scopes of a Slack token', () => {
  test('that lacks those for direct messages name the way out', async () => {
    const scopes = ['channels:read', 'channels:history', 'groups:read', 'groups:history', 'im:read', 'users:read']
    await using simulation = await SlackSimulation.open({ scopes })
    const failed = simulation.run({ direct_messages: true })
    await expect(failed).rejects.toMatchObject({ remedy: 'reconfigure' })
    await expect(failed).rejects.toThrow(
      'mpim:read. Add them to the Slack app and reinstall it, or set direct_messages: false',
    )
    expect((await simulation.run()).partitions).toEqual(['#general'])
  })

  test('come with a warning when the token ends by rotation', async () => {
    await using simulation = await SlackSimulation.open({ token: 'xoxe.xoxp-made-up' })
    expect((await simulation.context()).account.warnings).toEqual([expect.stringContaining('12 hours')])
  })
})
