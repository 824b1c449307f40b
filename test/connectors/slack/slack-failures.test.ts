import { describe, expect, test, vi } from 'vitest'
import type { Requests } from '../../../src/connector/connector.ts'
import { SourceError } from '../../../src/connector/source-error.ts'
import type { SlackFault } from '../../fakes/slack/slack-server.ts'
import { bodyOf, dayId, GENERAL, SlackSimulation, threadId } from '../../fakes/slack/slack-simulation.ts'

const HISTORY = 'conversations.history'

async function failureOf(work: Promise<unknown>): Promise<SourceError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof SourceError) return error
  throw new Error('It did not fail with a SourceError', { cause: error })
}

describe('the account of a Slack token', () => {
  test('is the person, or for a bot the workspace', async () => {
    await using simulation = await SlackSimulation.open()
    expect((await simulation.context()).account).toEqual({ account: 'T0FERN:U0ADA', title: 'Fernwald (Ada Lovelace)' })
    await using bot = await simulation.reopened({ isBot: true })
    expect((await bot.context()).account.account).toBe('T0FERN')
  })

  test('comes with a warning for each scope that would give more', async () => {
    await using simulation = await SlackSimulation.open({
      scopes: ['channels:read', 'channels:history', 'groups:read'],
    })
    const { account } = await simulation.context()
    expect(account.warnings?.map((warning) => /[a-z]+:[a-z]+/.exec(warning)?.[0])).toEqual([
      'groups:history',
      'users:read',
    ])
    simulation.post('Hello', 1)
    expect(await bodyOf((await simulation.run()).items.get(dayId('2026-10-31')))).toMatch(/^U0ADA \[/)
  })

  test('cannot be read when its channels cannot be listed', async () => {
    await using simulation = await SlackSimulation.open({ scopes: ['channels:read', 'channels:history', 'users:read'] })
    const error = await failureOf(simulation.run())
    expect(error.remedy).toBe('reconfigure')
    expect(error.message).toContain('groups:read')
    expect((await simulation.run({ private_channels: false })).partitions).toEqual(['#general'])
  })

  test.each(['xoxp-one xoxp-two', 'xoxp-…', 'xoxp-1\nxoxp-2'])(
    'has no token like %j, which is not shown',
    async (token) => {
      await using simulation = await SlackSimulation.open()
      const error = await failureOf(simulation.run({ token }))
      expect(error.remedy).toBe('reconfigure')
      expect([error.message, String(error.cause)].join()).not.toContain('xoxp-1')
      expect(error.message).not.toContain(token)
      expect(simulation.server.log).toEqual([])
    },
  )

  test('needs a token of a user or a bot', async () => {
    await using simulation = await SlackSimulation.open()
    simulation.server.fault('users.conversations', { kind: 'refused', error: 'not_allowed_token_type' })
    const error = await failureOf(simulation.run())
    expect(error.remedy).toBe('reconfigure')
    expect(error.message).toMatch(/not_allowed_token_type.*xoxp-.*xoxb-/)
  })

  test.each(['invalid_auth', 'token_revoked', 'account_inactive', 'token_expired', 'not_authed'])(
    'asks for a new token after %s, and does not name the old one',
    async (code) => {
      await using simulation = await SlackSimulation.open()
      simulation.server.revoke(code)
      const error = await failureOf(simulation.run())
      expect(error.remedy).toBe('reauthorize')
      expect(error.message).toContain(code)
      expect(error.message).not.toContain(simulation.server.token)
    },
  )
})

describe('a failing request to Slack', () => {
  const faults: [string, SlackFault, object][] = [
    ['a limit', { kind: 'limited', retryAfter: 4000 }, { limited: true, code: 'rate_limited' }],
    ['a limit without a time', { kind: 'limited' }, { limited: true, retryAt: undefined }],
    ['a limit told as an error', { kind: 'refused', error: 'ratelimited' }, { limited: true }],
    ['an error of the server', { kind: 'status', status: 502 }, { limited: false }],
    ['an answer that is cut off', { kind: 'cut' }, { limited: false }],
    ['an error inside Slack', { kind: 'refused', error: 'internal_error' }, { limited: false }],
    ['a redirection, which is not followed', { kind: 'redirect', to: 'http://127.0.0.1:9/' }, { limited: false }],
  ]
  test.each(faults)('is to be tried again after %s', async (_, fault, expected) => {
    await using simulation = await SlackSimulation.open()
    simulation.server.fault(HISTORY, fault)
    const error = await failureOf(simulation.run())
    expect(error).toMatchObject({ remedy: 'retry', ...expected })
    expect(simulation.server.count(HISTORY)).toBe(1)
    expect(`${error.request} ${error.message}`).toContain(HISTORY)
  })

  test('is tried again exactly when Slack says', async () => {
    await using simulation = await SlackSimulation.open()
    simulation.server.fault(HISTORY, { kind: 'limited', retryAfter: 4000 })
    const { retryAt } = await failureOf(simulation.run())
    expect(retryAt).toEqual(new Date(simulation.now.getTime() + 4_000_000))
  })

  test('says that api_url may be wrong when it redirects', async () => {
    await using simulation = await SlackSimulation.open()
    simulation.server.fault(HISTORY, { kind: 'redirect', to: 'http://127.0.0.1:9/' })
    const { message } = await failureOf(simulation.run())
    const { host } = new URL(simulation.server.url)
    expect(message).toBe(`${host} redirected a request to another address. Check api_url.`)
  })

  test('says whether Slack stopped in the middle or was not there at all', async () => {
    await using simulation = await SlackSimulation.open()
    simulation.server.fault(HISTORY, { kind: 'cut' })
    expect((await failureOf(simulation.run())).message).toMatch(/^Slack stopped answering in the middle\./)
    const away = await failureOf(simulation.run({ api_url: 'http://127.0.0.1:9/api/' }))
    expect(away.message).toBe("Couldn't reach Slack. Check the network of this server.")
  })

  test('does not show what was in an answer that was cut off', async () => {
    await using simulation = await SlackSimulation.open()
    simulation.server.fault(HISTORY, { kind: 'cut' })
    expect((await failureOf(simulation.run())).message).not.toMatch(/messages|"/)
  })

  test('is told by its error alone: the SDK prints nothing', async () => {
    const methods = ['debug', 'info', 'log', 'warn', 'error'] as const
    const printed = methods.map((method) => vi.spyOn(console, method))
    await using simulation = await SlackSimulation.open()
    simulation.server.fault(HISTORY, { kind: 'cut' })
    await failureOf(simulation.run())
    simulation.server.fault(HISTORY, { kind: 'limited', retryAfter: 1 })
    await failureOf(simulation.run())
    expect(printed.flatMap(({ mock }) => mock.calls)).toEqual([])
    for (const spy of printed) spy.mockRestore()
  })

  test('is the fault of api_url when nobody there knows Slack', async () => {
    await using simulation = await SlackSimulation.open()
    simulation.server.fault('auth.test', { kind: 'status', status: 404 })
    expect(await failureOf(simulation.run())).toMatchObject({ remedy: 'reconfigure' })
  })

  test.each(['not_in_channel', 'channel_not_found', 'is_archived', 'missing_scope'])(
    'closes one channel, by its name, after %s',
    async (error) => {
      await using simulation = await SlackSimulation.open()
      simulation.server.fault(HISTORY, { kind: 'refused', error })
      const failure = await failureOf(simulation.run())
      expect(failure.remedy).toBe('skip')
      expect(failure.message).toMatch(/^#general: /)
    },
  )

  test('of one thread does not keep the others back', async () => {
    await using simulation = await SlackSimulation.open()
    const [broken, whole] = [simulation.post('Broken', 1), simulation.post('Whole', 2)]
    for (const root of [broken, whole]) simulation.reply(root, 'Reply', 1)
    simulation.server.fault('conversations.replies', { kind: 'refused', error: 'internal_error' })
    const { items, failed } = await simulation.run()
    expect([[...items.keys()], failed]).toEqual([[threadId(whole)], [threadId(broken)]])
  })

  test('ends when the run is to end', async () => {
    await using simulation = await SlackSimulation.open()
    simulation.post('Hello')
    const aborting = new AbortController()
    const context = await simulation.context({}, aborting.signal)
    simulation.server.fault(HISTORY, { kind: 'hang' })
    simulation.server.onRequest = (method) => {
      if (method === HISTORY) setImmediate(() => aborting.abort(new Error('enough')))
    }
    await expect(simulation.runIn(context)).rejects.toThrow('enough')
  })

  test('costs nothing when a cursor ran out: it goes on by time', async () => {
    await using simulation = await SlackSimulation.open()
    for (let at = 0; at < 500; at += 1) simulation.post(`Message ${at}`, 500 - at)
    simulation.server.fault(HISTORY, { kind: 'refused', error: 'invalid_cursor' }, 1)
    expect((await simulation.run()).items.size).toBe(500)
    expect(simulation.server.count(HISTORY)).toBe(4)
  })
})

describe('archived channels that a bot had to leave', () => {
  test('stay as they were read, without an error', async () => {
    await using simulation = await SlackSimulation.open({ isBot: true })
    simulation.post('Hello', 1)
    await simulation.run()
    simulation.fake.channel(GENERAL).isArchived = true
    expect(await simulation.run()).toMatchObject({ gone: [], partitions: ['#general'] })
    simulation.cursors.clear()
    expect((await simulation.run()).items.size).toBe(0)
    simulation.cursors.clear()
    expect((await failureOf(simulation.run({ include: ['general'] }))).remedy).toBe('skip')
  })

  test('are read from their beginning when they open again', async () => {
    await using simulation = await SlackSimulation.open({ isBot: true })
    simulation.post('Long ago', 300)
    simulation.fake.channel(GENERAL).isArchived = true
    await simulation.run()
    simulation.fake.channel(GENERAL).isArchived = false
    expect([...(await simulation.run()).items.keys()]).toEqual([dayId('2026-01-05')])
  })
})

describe('the limits of apps that are sold outside the marketplace', () => {
  /** As the runner: waits until the clock of the simulation allows the next request. */
  function paced(simulation: SlackSimulation, spaced: Map<string, number>): Requests {
    const next = new Map<string, number>()
    return {
      async call(api, send) {
        const wait = (next.get(api) ?? 0) - simulation.now.getTime()
        if (wait > 0) simulation.pass(wait / 86_400_000)
        for (;;) {
          try {
            next.set(api, simulation.now.getTime() + (spaced.get(api) ?? 0))
            return await send(new AbortController().signal)
          } catch (error) {
            if (!(error instanceof SourceError) || error.retryAt === undefined) throw error
            simulation.now = error.retryAt
          }
        }
      },
      holdUntil: () => Promise.reject(new Error('not asked for')),
      async spaceOut(api, intervalMs) {
        spaced.set(api, intervalMs)
      },
    }
  }

  test('are noticed and kept to, and everything is read all the same', async () => {
    await using simulation = await SlackSimulation.open({ isStrict: true })
    for (let at = 0; at < 50; at += 1) simulation.post(`Message ${at}`, 50 - at)
    const root = simulation.post('Root', 60)
    for (let at = 0; at < 30; at += 1) simulation.reply(root, `Part ${at}.`, 60)
    const spaced = new Map<string, number>()
    const { items } = await simulation.run({}, paced(simulation, spaced))
    expect(items.size).toBe(51)
    expect((await bodyOf(items.get(threadId(root)))).match(/Part/g)).toHaveLength(30)
    expect(Object.fromEntries(spaced)).toEqual({ [HISTORY]: 60_000, 'conversations.replies': 60_000 })
  })

  test('are not taken from one page that is short although there is more', async () => {
    await using simulation = await SlackSimulation.open({ mostMessages: 15 })
    for (let at = 0; at < 20; at += 1) simulation.post(`Message ${at}`, 20 - at)
    const context = await simulation.context()
    expect((await simulation.runIn(context)).items.size).toBe(20)
    expect(context.requests.spaced.size).toBe(0)
  })

  test('are lifted when more messages come at once', async () => {
    await using simulation = await SlackSimulation.open()
    for (let at = 0; at < 20; at += 1) simulation.post(`Message ${at}`, 20 - at)
    const context = await simulation.context()
    await simulation.runIn(context)
    expect(Object.fromEntries(context.requests.spaced)).toEqual({ [HISTORY]: 0 })
  })
})
