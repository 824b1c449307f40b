import { describe, expect, test } from 'vitest'
import { msTeams } from '../../../connectors/microsoft/ms-teams.ts'
import type { TeamsCursor } from '../../../connectors/microsoft/teams-config.ts'
import type { Change, Partition, StoredRef } from '../../../src/connector/connector.ts'
import { GraphServer, graphError } from '../../fakes/microsoft/graph-server.ts'
import { GraphTeams } from '../../fakes/microsoft/graph-teams.ts'
import { connectorContext } from '../../lib/connector-context.ts'

async function opened(config: Record<string, unknown> = {}) {
  const server = await GraphServer.start()
  const teams = new GraphTeams(server)
  const known = new Set<string>()
  const contextOf = () => {
    const options = { clock: () => teams.now, knownPartitions: [...known] }
    return connectorContext(msTeams, { ...server.settings, ...config }, options)
  }
  const partitions = async () => {
    const found: Partition[] = []
    for await (const partition of msTeams.partitions((await contextOf()) as never)) found.push(partition)
    return found
  }
  const run = async (cursors = new Map<string, TeamsCursor>()) => {
    const context = (await contextOf()) as never
    const changes: Change<TeamsCursor>[] = []
    const next = new Map<string, TeamsCursor>()
    for (const partition of await partitions()) {
      for await (const change of msTeams.changes(partition, cursors.get(partition.id), context)) {
        changes.push(change)
        if (change.type === 'checkpoint') next.set(partition.id, change.cursor)
      }
    }
    const items = changes.flatMap((change) => (change.type === 'item' ? [change.item] : []))
    return {
      items,
      texts: items.map(({ body }) => String(body)),
      gone: changes.flatMap((change) => (change.type === 'gone' ? [change.ref.itemId] : [])),
      failed: changes.flatMap((change) => (change.type === 'failed' ? [change.error] : [])),
      cursors: next,
    }
  }
  return {
    server,
    teams,
    known,
    run,
    partitions,
    contextOf,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

const minutes = (teams: GraphTeams, count: number) => {
  teams.now = new Date(teams.now.getTime() + count * 60_000)
}

describe('Teams', () => {
  test('reads a thread with all of its replies, however many the listing holds', async () => {
    await using fake = await opened()
    const channel = fake.teams.addChannel()
    const root = fake.teams.post(channel, 'Who makes coffee?')
    for (let at = 1; at <= 7; at++) {
      minutes(fake.teams, 1)
      fake.teams.reply(channel, root, `Reply ${at}`)
    }
    const { items, texts } = await fake.run()
    expect(texts[0]?.split('\n\n')).toEqual([
      'Ada Lovelace [2026-11-20 09:00 UTC]: Who makes coffee?',
      ...[1, 2, 3, 4, 5, 6, 7].map((at) => `Bob Stone [2026-11-20 09:0${at} UTC]: Reply ${at}`),
    ])
    expect(items[0]).toMatchObject({
      title: 'Engineering / General: Who makes coffee?',
      where: 'Engineering / General',
    })
  })

  test('notices replies, edits and deletions in threads that are old', async () => {
    await using fake = await opened()
    const { teams } = fake
    const channel = teams.addChannel()
    const root = teams.post(channel, 'Root')
    const reply = teams.reply(channel, root, 'First')
    const lonely = teams.post(channel, 'Alone')
    minutes(teams, 24 * 60)
    const first = await fake.run()
    minutes(teams, 24 * 60)
    teams.reply(channel, root, 'Second')
    teams.edit(channel, root, reply, 'Edited')
    teams.remove(channel, lonely, lonely)
    const second = await fake.run(first.cursors)
    expect(second.texts).toEqual([expect.stringMatching(/Root[\s\S]*Edited[\s\S]*Second/)])
    expect(second.gone).toEqual([expect.stringContaining(lonely)])
    expect((await fake.run(second.cursors)).items).toEqual([])
  })

  test('keeps what was answered to a message that is deleted', async () => {
    await using fake = await opened()
    const channel = fake.teams.addChannel()
    const root = fake.teams.post(channel, 'Never mind')
    fake.teams.reply(channel, root, 'But I do mind')
    fake.teams.remove(channel, root, root)
    minutes(fake.teams, 60)
    expect((await fake.run()).texts).toEqual(['Bob Stone [2026-11-20 09:00 UTC]: But I do mind'])
  })

  test('leaves chats alone unless it is told to read them', async () => {
    await using fake = await opened()
    fake.teams.addChat()
    fake.teams.addChannel()
    expect((await fake.partitions()).map(({ title }) => title)).toEqual(['Engineering / General'])
  })

  test('reads chats by days, and again the days on which a message changed', async () => {
    await using fake = await opened({ direct_messages: true })
    const { teams } = fake
    const chat = teams.addChat()
    const old = teams.say(chat, 'Old', { at: new Date('2026-03-01T10:00:00Z') })
    teams.say(chat, 'Older', { at: new Date('2026-03-01T09:00:00Z'), by: 'Ada Lovelace' })
    const removed = teams.say(chat, 'Removed', { at: new Date('2026-03-02T09:00:00Z') })
    teams.say(chat, 'joined', { type: 'systemEventMessage' })
    minutes(teams, 60)
    const first = await fake.run()
    expect(first.items.map(({ title }) => title)).toEqual([
      'Chat with Bob Stone on 2026-03-02',
      'Chat with Bob Stone on 2026-03-01',
    ])
    minutes(teams, 24 * 60)
    teams.change(old, 'Changed')
    teams.change(removed, undefined)
    const second = await fake.run(first.cursors)
    expect(second.texts).toEqual([
      'Ada Lovelace [2026-03-01 09:00 UTC]: Older\n\nBob Stone [2026-03-01 10:00 UTC]: Changed',
    ])
    expect(second.gone).toEqual([expect.stringMatching(/day=2026-03-02$/)])
  })

  test('takes the channels that are included and not excluded', async () => {
    await using fake = await opened({ include: ['Engineering / *'], exclude: ['random'] })
    fake.teams.addChannel()
    fake.teams.addChannel('19:random@thread.tacv2', 'Random')
    expect((await fake.partitions()).map(({ title }) => title)).toEqual(['Engineering / General'])
  })

  test('reads the channels that other teams share with those of the person, at the team that hosts them', async () => {
    await using fake = await opened({ exclude: ['Secret'] })
    const { teams } = fake
    teams.addChannel()
    const shared = teams.addChannel('19:shared@thread.tacv2', 'Partners', 'team-9')
    teams.addChannel('19:secret@thread.tacv2', 'Secret', 'team-9')
    const root = teams.post(shared, 'Who signs the contract?')
    minutes(teams, 60)
    const first = await fake.run()
    expect(first.items.map(({ title, itemId }) => [title, itemId.includes('team-9')])).toEqual([
      ['Engineering / Partners: Who signs the contract?', true],
    ])
    minutes(teams, 60)
    teams.reply(shared, root, 'I do')
    const second = await fake.run(first.cursors)
    expect(second.texts).toEqual([expect.stringContaining('I do')])
  })

  test('reads the channels that are shared with the person alone, of the same organization', async () => {
    await using fake = await opened()
    const { teams } = fake
    const shared = teams.addChannelForMe('19:alone@thread.tacv2', 'Planning', 'team-7')
    teams.addChannelForMe('19:away@thread.tacv2', 'Away', 'team-8', 'another-tenant')
    const root = teams.post(shared, 'Who plans the fair?')
    minutes(teams, 60)
    const first = await fake.run()
    expect(first.items.map(({ title, itemId }) => [title, itemId.includes('team-7')])).toEqual([
      ['The team-7 / Planning: Who plans the fair?', true],
    ])
    teams.reply(shared, root, 'I do')
    expect((await fake.run(first.cursors)).texts).toEqual([expect.stringContaining('I do')])
  })

  test('reads a shared channel once, as that of its own team if the person is in it', async () => {
    await using fake = await opened()
    const { server, teams } = fake
    teams.addChannel('19:a@thread.tacv2', 'Alone', 'team-9')
    const both = teams.addChannel('19:b@thread.tacv2', 'Both', 'team-2')
    const joined = ['team-1', 'team-2', 'team-3'].map((id) => ({ id, displayName: id }))
    server.on('/me/joinedTeams', () => ({ body: { value: joined } }))
    for (const path of ['team-2/incomingChannels', 'team-3/channels']) {
      server.on(`/teams/${path}`, () => ({ body: { value: [] } }))
    }
    server.on('/teams/team-2/channels', () => ({ body: { value: [{ id: both, displayName: 'Both' }] } }))
    server.on('/teams/team-3/incomingChannels', () => ({
      body: {
        value: [
          {
            '@odata.id': server.link('/tenants/t/teams/team-9/channels/19:a@thread.tacv2'),
            id: '19:a@thread.tacv2',
            displayName: 'Alone',
          },
        ],
      },
    }))
    expect((await fake.partitions()).map(({ id, title }) => [id, title])).toEqual([
      ['channel team-2 19:b@thread.tacv2', 'team-2 / Both'],
      ['channel team-9 19:a@thread.tacv2', 'team-1 / Alone'],
    ])
  })

  test('warns of a schedule that runs more than once a day, as Microsoft forbids that', async () => {
    for (const [schedule, warnings] of [
      ['*/15 * * * *', 1],
      ['0 4 * * 1-5', 0],
    ] as const) {
      await using fake = await opened({ schedule })
      expect((await fake.contextOf()).account.warnings ?? []).toHaveLength(warnings)
    }
  })

  test('says that personal accounts have no Teams for apps', async () => {
    await using fake = await opened()
    fake.server.tenant = undefined
    fake.server.user = { ...fake.server.user, id: '0123456789abcdef' }
    await expect(fake.contextOf()).rejects.toMatchObject({ remedy: 'reconfigure', message: /personal accounts/ })
  })

  test('asks for a complete walk when the delta of a channel is lost', async () => {
    await using fake = await opened()
    const channel = fake.teams.addChannel()
    fake.teams.post(channel, 'Hello')
    const { cursors } = await fake.run()
    fake.teams.channels.get(channel)?.delta.expire(graphError(410, 'SyncStateNotFound'))
    await expect(fake.run(cursors)).rejects.toMatchObject({ remedy: 'restart' })
  })

  test('forgets a thread of which a delta says no more than its id', async () => {
    await using fake = await opened()
    const channel = fake.teams.addChannel()
    const root = fake.teams.post(channel, 'Gone soon')
    const { cursors } = await fake.run()
    fake.teams.purge(channel, root)
    expect((await fake.run(cursors)).gone).toEqual([expect.stringContaining(root)])
  })

  test('tells of a thread that is closed to the account, and reads the others', async () => {
    await using fake = await opened()
    const channel = fake.teams.addChannel()
    const [closed, open] = [fake.teams.post(channel, 'Closed'), fake.teams.post(channel, 'Open')]
    const { cursors } = await fake.run()
    minutes(fake.teams, 60)
    fake.teams.reply(channel, closed, 'Secret')
    fake.teams.reply(channel, open, 'Welcome')
    fake.server.fail({ on: new RegExp(`messages/${closed}`), ...graphError(403, 'Forbidden') })
    const { failed, texts } = await fake.run(cursors)
    expect(failed).toMatchObject([{ remedy: 'skip' }])
    expect(texts).toEqual([expect.stringContaining('Welcome')])
  })

  test('reads nothing of a day before since, whoever asks', async () => {
    await using fake = await opened({ direct_messages: true, since: '2026-03-02' })
    const chat = fake.teams.addChat()
    for (const day of ['2026-03-01', '2026-03-02']) fake.teams.say(chat, day, { at: new Date(`${day}T23:59:59.999Z`) })
    expect((await fake.run()).items.map(({ locator }) => locator)).toEqual(['2026-03-02'])
    const context = (await fake.contextOf()) as never
    const partition = { id: `chat ${chat}`, title: 'Chat' }
    const ref: StoredRef = { sourceType: 'ms-teams', itemId: 'x', locator: '2026-03-01', partition }
    expect(await msTeams.read(ref, context)).toBeUndefined()
    expect(await msTeams.read({ ...ref, locator: '2026-03-02' }, context)).toBeDefined()
  })

  test('lists no channels of a team that is excluded, and reads the others beside one whose channels cannot be listed', async () => {
    const teams = {
      body: {
        value: [
          { id: 'team-2', displayName: 'Closed' },
          { id: 'team-1', displayName: 'Open' },
        ],
      },
    }
    for (const [config, status, found] of [
      [{}, 403, ['Channels of Closed', 'Open / General', 'Channels shared with Closed']],
      [{ exclude: ['closed'] }, 403, ['Open / General']],
      [{}, 404, ['Open / General']],
    ] as const) {
      await using fake = await opened(config)
      fake.server.on('/me/joinedTeams', () => teams)
      fake.teams.addChannel()
      fake.server.fail({ on: /team-2/, ...graphError(status, 'Refused') })
      expect((await fake.partitions()).map(({ title }) => title)).toEqual(found)
    }
  })

  test.each([
    ['channels of a team', /teams\/team-1\/channels(?:$|\?)/, 'team team-1'],
    ['channels shared with a team', /incomingChannels/, 'shared team-1'],
    ['channels of another team', /teams\/team-7\/channels(?:$|\?)/, 'team team-7'],
    ['teams that share channels', /associatedTeams/, 'shared'],
    ['chats', /me\/chats/, 'chats'],
  ])('keeps everything it knows, and says what to do, while it may not list the %s', async (_, on, part) => {
    await using fake = await opened({ direct_messages: true })
    const { teams, server } = fake
    teams.addChannel()
    teams.addChannel('19:shared@thread.tacv2', 'Partners', 'team-9')
    teams.addChannelForMe('19:alone@thread.tacv2', 'Planning', 'team-7')
    teams.addChat()
    const before = (await fake.partitions()).map(({ id }) => id)
    expect(before).toHaveLength(4)
    for (const id of before) fake.known.add(id)
    server.fail({ on, ...graphError(403, 'Forbidden') })
    const context = (await fake.contextOf()) as never
    const now: Partition[] = []
    for await (const partition of msTeams.partitions(context)) now.push(partition)
    expect(new Set(now.map(({ id }) => id))).toEqual(new Set([...before, part]))
    const refused = now.find(({ id }) => id === part)!
    const reading = msTeams.changes(refused, undefined, context)[Symbol.asyncIterator]()
    await expect(reading.next()).rejects.toMatchObject({ remedy: 'skip', message: /can't be listed: ask for access/ })
  })

  test('is stopped by no message whose time is none', async () => {
    await using fake = await opened()
    const channel = fake.teams.addChannel()
    const root = fake.teams.post(channel, 'Hello')
    const body = { contentType: 'text', content: 'Answer' }
    const odd = { id: '2', createdDateTime: '2021-03-1706:47:05.123Z', body }
    const replies = [odd, { ...odd, id: '3', createdDateTime: '2026-11-20T09:05:00Z' }]
    const messages = [odd, { ...odd, id: root, createdDateTime: '2026-11-20T09:00:00Z', replies }]
    fake.server.on(`/teams/team-1/channels/${encodeURIComponent(channel)}/messages`, () => ({
      body: { value: messages },
    }))
    const { texts } = await fake.run()
    expect(texts[0]?.match(/Answer/g)).toHaveLength(2)
  })

  test('goes on in the middle of a long history', async () => {
    await using fake = await opened()
    const channel = fake.teams.addChannel()
    for (let at = 0; at < 14; at++) fake.teams.post(channel, `Message ${at}`)
    minutes(fake.teams, 60)
    fake.server.fail({ on: /messages\?.*skiptoken/i, after: 1, times: 1, ...graphError(503, 'busy') })
    const context = (await fake.contextOf()) as never
    const [partition] = await fake.partitions()
    if (partition === undefined) throw new Error('there is no channel')
    const seen: string[] = []
    let cursor: TeamsCursor | undefined
    const read = async () => {
      for await (const change of msTeams.changes(partition, cursor, context)) {
        if (change.type === 'item') seen.push(change.item.itemId)
        if (change.type === 'checkpoint') cursor = change.cursor
      }
    }
    await expect(read()).rejects.toMatchObject({ remedy: 'retry' })
    expect(cursor).toMatchObject({ step: 'history' })
    await read()
    expect(new Set(seen).size).toBe(14)
  })
})
