import { describe, expect, test } from 'vitest'
import { ADA, BOB, bodyOf, dayId, GENERAL, SlackSimulation } from '../../fakes/slack/slack-simulation.ts'

describe('the choice of conversations', () => {
  async function simulations() {
    const simulation = await SlackSimulation.open()
    const { fake } = simulation
    fake.addChannel('C0PUBLIC', 'team-public', { isMember: false })
    fake.addChannel('C0PRIVATE', 'team-private', { kind: 'private_channel' })
    fake.addChannel('C0PAST', 'past', { isArchived: true })
    fake.addChannel('C0OTHERS', 'others-past', { isArchived: true, isMember: false })
    fake.addChannel('D0BOB', '', { kind: 'im', user: BOB })
    fake.addChannel('G0GROUP', 'mpdm-ada--bob--carl-1', { kind: 'mpim' })
    return simulation
  }

  test.each([
    ['by itself: where I am a member, also of archived channels', {}, ['#general', '#team-private', '#past']],
    ['names that are included, joined or not', { include: ['team-*'] }, ['#team-public', '#team-private']],
    ['ids', { include: ['C0PUBLIC'] }, ['#team-public']],
    ['all but some', { include: ['*'], exclude: ['#team-private', '*past'] }, ['#general', '#team-public']],
    ['no private channels', { private_channels: false }, ['#general', '#past']],
    [
      'direct messages when they are asked for',
      { direct_messages: true, exclude: ['past'] },
      ['#general', '#team-private', '@Bob Stone', '@ada, bob, carl'],
    ],
  ])('%s', async (_, config, expected) => {
    await using simulation = await simulations()
    expect((await simulation.run(config)).partitions).toEqual(expected)
  })

  test('keeps an archived channel that was read before, also when Slack lists it to nobody', async () => {
    await using simulation = await SlackSimulation.open()
    simulation.post('Hello', 1)
    await simulation.run()
    simulation.fake.channel(GENERAL).isArchived = true
    simulation.server.alter = (method, answer) =>
      method === 'users.conversations' ? { ...answer, channels: [] } : answer
    expect(await simulation.run()).toMatchObject({ partitions: ['#general'], gone: [] })
    simulation.fake.channel(GENERAL).isArchived = false
    expect((await simulation.run()).partitions).toEqual([])
  })

  test('is that of one workspace when the app is installed for an organization', async () => {
    const organization = [
      { id: 'T0FERN', name: 'Fernwald' },
      { id: 'T0MOOR', name: 'Moor' },
    ]
    await using simulation = await SlackSimulation.open({ organization })
    simulation.post('Hello', 1)
    await expect(simulation.run()).rejects.toMatchObject({
      remedy: 'reconfigure',
      message: 'The app is installed for a whole organization. Set team_id to one of T0FERN (Fernwald), T0MOOR (Moor).',
    })
    const { items, partitions } = await simulation.run({ team_id: 'T0FERN' })
    expect([partitions, [...items.keys()]]).toEqual([['#general'], [dayId('2026-10-31')]])
    expect(items.get(dayId('2026-10-31'))?.people).toEqual(['Ada Lovelace'])
  })

  test('tells how private what was said is', async () => {
    await using simulation = await simulations()
    simulation.fake.addChannel('C0SHARED', 'partners', { isShared: true })
    const visible: Record<string, string> = {}
    for (const [id, { name, kind }] of simulation.fake.channels) {
      simulation.fake.post(id, { user: ADA, text: `In ${name || kind}`, at: simulation.ago(1) })
    }
    for (const item of (await simulation.run({ direct_messages: true })).items.values()) {
      visible[item.where ?? ''] = item.visibility ?? ''
    }
    expect(visible).toEqual({
      '#general': 'public',
      '#past': 'public',
      '#partners': 'shared',
      '#team-private': 'private',
      '@Bob Stone': 'direct',
      '@ada, bob, carl': 'direct',
    })
  })

  test('leaves out what bots post when it is told to, and events always', async () => {
    await using simulation = await SlackSimulation.open()
    simulation.post('Build 7 failed', 1, { extra: { bot_id: 'B1', bot_profile: { name: 'Builder' } } })
    simulation.post('<@U0ADA> has joined the channel', 1, { subtype: 'channel_join' })
    expect(await bodyOf((await simulation.run()).items.get(dayId('2026-10-31')))).toMatch(/^.*: Build 7 failed$/)
    simulation.cursors.clear()
    expect((await simulation.run({ bots: 'exclude' })).items.size).toBe(0)
  })
})
