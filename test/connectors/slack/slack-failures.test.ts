import { describe, expect, test, vi } from 'vitest'
import type { Requests } from '../../../src/connector/connector.ts'
import { SourceError } from '../../../src/connector/source-error.ts'
import type { SlackFault } from '../../fakes/slack/slack-server.ts'
import { bodyOf, dayId, GENERAL, SlackOffice, threadId } from '../../fakes/slack/slack-simulation.ts'

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
    await using office = await SlackOffice.open()
    expect((await office.context()).account).toEqual({ account: 'T0FERN:U0ADA', title: 'Fernwald (Ada Lovelace)' })
    await using bot = await office.reopened({ isBot: true })
    expect((await bot.context()).account.account).toBe('T0FERN')
  })

  test('comes with a warning for each scope that would give more', async () => {
    await using office = await SlackOffice.open({ scopes: ['channels:read', 'channels:history', 'groups:read'] })
    const { account } = await office.context()
    expect(account.warnings?.map((warning) => /[a-z]+:[a-z]+/.exec(warning)?.[0])).toEqual([
      'groups:history',
      'users:read',
    ])
    office.post('Hello', 1)
    expect(await bodyOf((await office.run()).items.get(dayId('2026-10-31')))).toMatch(/^U0ADA \[/)
  })

  test('cannot be read when its channels cannot be listed', async () => {
    await using office = await SlackOffice.open({ scopes: ['channels:read', 'channels:history', 'users:read'] })
    const error = await failureOf(office.run())
    expect(error.remedy).toBe('reconfigure')
    expect(error.message).toContain('groups:read')
    expect((await office.run({ private_channels: false })).partitions).toEqual(['#general'])
  })

  test.each(['xoxp-one xoxp-two', 'xoxp-…', 'xoxp-1\nxoxp-2'])(
    'has no token like %j, which is not shown',
    async (token) => {
      await using office = await SlackOffice.open()
      const error = await failureOf(office.run({ token }))
      expect(error.remedy).toBe('reconfigure')
      expect([error.message, String(error.cause)].join()).not.toContain('xoxp-1')
      expect(error.message).not.toContain(token)
      expect(office.server.log).toEqual([])
    },
  )

  test('needs a token of a user or a bot', async () => {
    await using office = await SlackOffice.open()
    office.server.fault('conversations.list', { kind: 'refused', error: 'not_allowed_token_type' })
    const error = await failureOf(office.run())
    expect(error.remedy).toBe('reconfigure')
    expect(error.message).toMatch(/not_allowed_token_type.*xoxp-.*xoxb-/)
  })

  test.each(['invalid_auth', 'token_revoked', 'account_inactive', 'token_expired', 'not_authed'])(
    'asks for a new token after %s, and does not name the old one',
    async (code) => {
      await using office = await SlackOffice.open()
      office.server.revoke(code)
      const error = await failureOf(office.run())
      expect(error.remedy).toBe('reauthorize')
      expect(error.message).toContain(code)
      expect(error.message).not.toContain(office.server.token)
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
    await using office = await SlackOffice.open()
    office.server.fault(HISTORY, fault)
    const error = await failureOf(office.run())
    expect(error).toMatchObject({ remedy: 'retry', ...expected })
    expect(office.server.count(HISTORY)).toBe(1)
    expect(error.message).toContain(HISTORY)
  })

  test('is tried again exactly when Slack says', async () => {
    await using office = await SlackOffice.open()
    office.server.fault(HISTORY, { kind: 'limited', retryAfter: 4000 })
    const { retryAt } = await failureOf(office.run())
    expect(retryAt).toEqual(new Date(office.now.getTime() + 4_000_000))
  })

  test('does not show what was in an answer that was cut off', async () => {
    await using office = await SlackOffice.open()
    office.server.fault(HISTORY, { kind: 'cut' })
    expect((await failureOf(office.run())).message).not.toMatch(/messages|"/)
  })

  test('is told by its error alone: the SDK prints nothing', async () => {
    const methods = ['debug', 'info', 'log', 'warn', 'error'] as const
    const printed = methods.map((method) => vi.spyOn(console, method))
    await using office = await SlackOffice.open()
    office.server.fault(HISTORY, { kind: 'cut' })
    await failureOf(office.run())
    office.server.fault(HISTORY, { kind: 'limited', retryAfter: 1 })
    await failureOf(office.run())
    expect(printed.flatMap(({ mock }) => mock.calls)).toEqual([])
    for (const spy of printed) spy.mockRestore()
  })

  test('is the fault of api_url when nobody there knows Slack', async () => {
    await using office = await SlackOffice.open()
    office.server.fault('auth.test', { kind: 'status', status: 404 })
    expect(await failureOf(office.run())).toMatchObject({ remedy: 'reconfigure' })
  })

  test.each(['not_in_channel', 'channel_not_found', 'is_archived', 'missing_scope'])(
    'closes one channel, by its name, after %s',
    async (error) => {
      await using office = await SlackOffice.open()
      office.server.fault(HISTORY, { kind: 'refused', error })
      const failure = await failureOf(office.run())
      expect(failure.remedy).toBe('skip')
      expect(failure.message).toMatch(/^#general: /)
    },
  )

  test('of one thread does not keep the others back', async () => {
    await using office = await SlackOffice.open()
    const [broken, whole] = [office.post('Broken', 1), office.post('Whole', 2)]
    for (const root of [broken, whole]) office.reply(root, 'Reply', 1)
    office.server.fault('conversations.replies', { kind: 'refused', error: 'internal_error' })
    const { items, failed } = await office.run()
    expect([[...items.keys()], failed]).toEqual([[threadId(whole)], [threadId(broken)]])
  })

  test('ends when the run is to end', async () => {
    await using office = await SlackOffice.open()
    office.post('Hello')
    const aborting = new AbortController()
    const context = await office.context({}, aborting.signal)
    office.server.fault(HISTORY, { kind: 'hang' })
    office.server.onRequest = (method) => {
      if (method === HISTORY) setImmediate(() => aborting.abort(new Error('enough')))
    }
    await expect(office.runIn(context)).rejects.toThrow('enough')
  })

  test('costs nothing when a cursor ran out: it goes on by time', async () => {
    await using office = await SlackOffice.open()
    for (let at = 0; at < 500; at += 1) office.post(`Message ${at}`, 500 - at)
    office.server.fault(HISTORY, { kind: 'refused', error: 'invalid_cursor' }, 1)
    expect((await office.run()).items.size).toBe(500)
    expect(office.server.count(HISTORY)).toBe(4)
  })
})

describe('archived channels that a bot had to leave', () => {
  test('stay as they were read, without an error', async () => {
    await using office = await SlackOffice.open({ isBot: true })
    office.post('Hello', 1)
    await office.run()
    office.world.channel(GENERAL).isArchived = true
    expect(await office.run()).toMatchObject({ gone: [], partitions: ['#general'] })
    office.cursors.clear()
    expect((await office.run()).items.size).toBe(0)
    office.cursors.clear()
    expect((await failureOf(office.run({ include: ['general'] }))).remedy).toBe('skip')
  })

  test('are read from their beginning when they open again', async () => {
    await using office = await SlackOffice.open({ isBot: true })
    office.post('Long ago', 300)
    office.world.channel(GENERAL).isArchived = true
    await office.run()
    office.world.channel(GENERAL).isArchived = false
    expect([...(await office.run()).items.keys()]).toEqual([dayId('2026-01-05')])
  })
})

describe('the limits of apps that are sold outside the marketplace', () => {
  /** As the runner: waits until the clock of the office allows the next request. */
  function paced(office: SlackOffice, spaced: Map<string, number>): Requests {
    const next = new Map<string, number>()
    return {
      async call(api, send) {
        const wait = (next.get(api) ?? 0) - office.now.getTime()
        if (wait > 0) office.pass(wait / 86_400_000)
        for (;;) {
          try {
            next.set(api, office.now.getTime() + (spaced.get(api) ?? 0))
            return await send(new AbortController().signal)
          } catch (error) {
            if (!(error instanceof SourceError) || error.retryAt === undefined) throw error
            office.now = error.retryAt
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
    await using office = await SlackOffice.open({ isStrict: true })
    for (let at = 0; at < 50; at += 1) office.post(`Message ${at}`, 50 - at)
    const root = office.post('Root', 60)
    for (let at = 0; at < 30; at += 1) office.reply(root, `Part ${at}.`, 60)
    const spaced = new Map<string, number>()
    const { items } = await office.run({}, paced(office, spaced))
    expect(items.size).toBe(51)
    expect((await bodyOf(items.get(threadId(root)))).match(/Part/g)).toHaveLength(30)
    expect(Object.fromEntries(spaced)).toEqual({ [HISTORY]: 60_000, 'conversations.replies': 60_000 })
  })

  test('are lifted when more messages come at once', async () => {
    await using office = await SlackOffice.open()
    for (let at = 0; at < 20; at += 1) office.post(`Message ${at}`, 20 - at)
    const context = await office.context()
    await office.runIn(context)
    expect(Object.fromEntries(context.requests.spaced)).toEqual({ [HISTORY]: 0 })
  })
})
