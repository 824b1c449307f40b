import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ConnectionStatus } from '../../../src/connections/sync-service.ts'
import { AppError } from '../../../src/domain/errors.ts'
import { runCommand } from '../../lib/command-line.ts'
import { connectionStatus, fromNow, runWithSync, scriptedSync } from '../../lib/scripted-sync.ts'

/** A home with an account; its service is down. */
let home: string
const DOWN = { RECALLD_URL: 'http://127.0.0.1:9' }

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'recalld-test-'))
  const account = ['accounts', 'create', '--name', 'home', '--user-name', 'ada']
  const { code, stderr } = await runCommand(account, { RECALLD_HOME: home })
  expect({ code, stderr }).toMatchObject({ code: 0 })
})

afterAll(() => rmSync(home, { recursive: true, force: true }))

function status(connections: readonly ConnectionStatus[], columns?: number, ...args: readonly string[]) {
  const service = scriptedSync({ status: async () => connections })
  return runWithSync({ home, service, env: DOWN, ...(columns && { terminal: { columns } }) }, 'status', ...args)
}

const LIMITED = connectionStatus({
  connector: 'github',
  name: 'me',
  title: 'GitHub',
  account: 'ada',
  state: 'waiting',
  last_success_at: null,
  next_run_at: null,
  coverage: { complete: 0, total: 0 },
})

describe('recalld status', () => {
  test('shows a table of connections, then service and items as before, while the service is down', async () => {
    const { code, stdout } = await status([connectionStatus(), LIMITED])
    expect(code).toBe(0)
    const [head, acme, me, ...rest] = stdout.split('\n')
    expect(head).toBe('connection  account               state    last success  next sync  items  failed  read')
    expect(acme).toBe('slack/acme  acme (ada@acme.test)  healthy  4 min ago     in 11 min  1204   0       12/14')
    expect(me).toBe('github/me   ada                   waiting  never         -          1204   0       -')
    expect(rest.join('\n')).toMatch(
      /^\nhttp:\/\/127.0.0.1:9 doesn't respond \(.*\)\.\nNo items are waiting to be processed\.\n$/,
    )
  })

  test('shows the rate of a run, the time left where it is known, and which days of a first sync are ready', async () => {
    const progress = { items_per_minute: 230, remaining_s: 720, recent_days: 30 }
    const running = connectionStatus({ state: 'running', progress })
    expect((await status([running])).stdout).toContain(
      'First sync: the last 30 days are ready. 230 items a minute, about 12 min left.',
    )
    const unknown = connectionStatus({
      state: 'running',
      progress: { ...progress, remaining_s: null, recent_days: null },
    })
    expect((await status([unknown])).stdout).toMatch(/^ *230 items a minute\.$/m)
    const [json] = JSON.parse((await status([running], undefined, '--json')).stdout).connections
    expect(json.progress).toEqual(progress)
  })

  test('says how a source that was read by hand is read on a schedule, not what was wrong with it once', async () => {
    const once = { state: 'not configured', problem: 'The token was refused.', next_run_at: null } as const
    const { stdout } = await status([connectionStatus({ ...once, connector: 'browser', name: 'me' })], 100)
    expect(stdout).toContain('browser/me isn\'t scheduled. Run "recalld connect browser" to sync it automatically.')
    expect(stdout).not.toContain('refused')
  })

  test('counts what was skipped by reason, also for a source that is not configured', async () => {
    const skips = {
      skipped: 4,
      skip_reasons: [
        { code: 'too_large', count: 2 },
        { code: 'invalid', message: 'file is not valid UTF-8 text', count: 1 },
        { code: 'unreadable', count: 1 },
      ],
    } as const
    for (const state of ['not configured', 'healthy'] as const) {
      const { stdout } = await status([connectionStatus({ state, ...skips })], 100)
      expect(stdout).toContain(
        '\nslack/acme\n' +
          '  2 items skipped: too large.\n' +
          '  1 item skipped: file is not valid UTF-8 text.\n' +
          '  1 item skipped: no readable text.\n',
      )
    }
  })

  test('cuts accounts where the terminal is narrow, and becomes a list where it is very narrow', async () => {
    const long = connectionStatus({ account: 'a workspace with a long name (ada.lovelace@example.test)' })
    const table = await status([long], 90)
    expect(table.stdout).toContain('a workspace with a lo…  healthy')
    const list = await status([long], 44)
    expect(list.stdout).toContain(
      'slack/acme  healthy\n' +
        '  a workspace with a long name (ada.lovelac…\n' +
        '  last success 4 min ago, next sync in 11\n' +
        '  min, 1204 items, 0 failed, 12/14 parts\n  read\n',
    )
    for (const [{ stdout }, width] of [[table, 90] as const, [list, 44] as const]) {
      const shown = stdout.slice(0, stdout.indexOf('http://')).split('\n')
      expect(Math.max(...shown.map((line) => line.length))).toBeLessThanOrEqual(width)
    }
  })

  test('says below the table what is wrong and what to do', async () => {
    const { stdout } = await status([
      connectionStatus({
        state: 'needs attention',
        problem: 'Slack refused the token (token_revoked).',
        remedy: 'reauthorize',
        warnings: ['The token expires in 3 days.'],
        partitions: [
          {
            partition: '#old',
            error: 'imap.acme.test is busy.',
            remedy: 'It is retried automatically.',
            since: fromNow(-3 * 86_400 - 60),
          },
        ],
        failed: 2,
        skipped: 5,
        failures: [
          { item: 'Plan', error: 'The file is encrypted.', next_attempt_at: null },
          { item: 'Notes', error: 'The answer was no JSON.', next_attempt_at: fromNow(7_260) },
        ],
      }),
    ])
    expect(stdout).toContain(
      '\nslack/acme\n' +
        '  Slack refused the token (token_revoked). Run "recalld connect slack --name acme" to reconnect it.\n' +
        '  The token expires in 3 days.\n' +
        '  #old: imap.acme.test is busy. (3 d ago) It is retried automatically.\n' +
        '  Plan: The file is encrypted.\n' +
        '  Notes: The answer was no JSON. (next attempt in 2 h)\n' +
        '  ... and 5 more items (run "recalld status --json" to see all).\n' +
        '  Run "recalld retry slack/acme" to try failed and skipped items again.\n',
    )
  })

  test('says once what kept all of a connection from being read', async () => {
    const error = '/notes is not there; mount its disk.'
    const partitions = [{ partition: '~/notes', error, remedy: null, since: fromNow(-60) }]
    const { stdout } = await status([
      connectionStatus({ state: 'needs attention', problem: `~/notes: ${error}`, remedy: null, partitions }),
    ])
    expect(stdout.split(error)).toHaveLength(2)
  })

  test('shows the age of a cursor only when it comes near its end', async () => {
    const day = 86_400
    const young = await status([connectionStatus({ cursor_age_s: day, cursor_limit_s: 7 * day })])
    expect(young.stdout).not.toContain('cursor')
    const old = await status([connectionStatus({ cursor_age_s: 6 * day, cursor_limit_s: 7 * day })])
    expect(old.stdout).toMatch(/ cursor\n.* 6 d of 7 d\n/)
  })

  test('has colours for states on a terminal', async () => {
    const service = scriptedSync({ status: async () => [connectionStatus({ state: 'needs attention' })] })
    const env = { ...DOWN, NO_COLOR: '' }
    const { stdout } = await runWithSync({ home, service, env, terminal: { columns: 120 } }, 'status')
    expect(stdout).toContain('\u001b[31mslack/acme')
  })

  test('tells of "recalld connect" in one line when there is no connection', async () => {
    expect((await status([])).stdout).toMatch(
      /^No sources connected yet\. Run "recalld connect" to see all sources\.\n/,
    )
  })

  test('shows the rest when connections cannot be read', async () => {
    const service = scriptedSync({
      status: () => Promise.reject(new AppError('invalid', 'config.yaml line 3: there is no connector slak.')),
    })
    const text = await runWithSync({ home, service, env: DOWN }, 'status')
    expect(text).toMatchObject({ code: 0, stdout: expect.stringContaining('No items are waiting') })
    expect(text.stdout).toContain("Connections can't be shown: config.yaml line 3")
    const json = JSON.parse((await runWithSync({ home, service, env: DOWN }, 'status', '--json')).stdout)
    expect(json).toMatchObject({ connections: [], connections_problem: expect.stringContaining('line 3'), waiting: 0 })
  })

  test('prints JSON with the connections and what it had before', async () => {
    const connection = connectionStatus()
    const { stdout } = await status([connection], undefined, '--json')
    expect(JSON.parse(stdout)).toEqual({
      service: { address: 'http://127.0.0.1:9', healthy: false, problem: expect.any(String) },
      connections: [connection],
      alerts: { channels: [] },
      waiting: 0,
      sources: [],
      failed: [],
      embedding: { model: 'the built-in model', problems: [] },
      golden: [],
    })
  })
})

describe('recalld retry', () => {
  const retrying = (calls: unknown[]) =>
    scriptedSync({
      retry: async (names, options) => {
        calls.push([names, options])
        return 3
      },
    })

  test('has connectors try their items again, and says when they will', async () => {
    const calls: unknown[] = []
    const { code, stdout } = await runWithSync({ home, service: retrying(calls) }, 'retry', 'slack', '--forgotten')
    expect(code).toBe(0)
    expect(stdout).toBe('The next sync reads 3 items again. Run "recalld sync" to sync now.\n')
    expect(calls).toEqual([[['slack'], { forgotten: true }]])
  })

  test('keeps its key in JSON and adds another', async () => {
    const calls: unknown[] = []
    const { stdout } = await runWithSync({ home, service: retrying(calls) }, 'retry', '--json')
    expect(stdout).toBe('{"retried":0,"connector_items":3}\n')
    expect(calls).toEqual([[[], { forgotten: false }]])
  })

  test('says when nothing has failed', async () => {
    expect((await runWithSync({ home }, 'retry')).stdout).toBe('No items have failed.\n')
  })
})
