import { describe, expect, test } from 'vitest'
import { startSyncDisplay } from '../../../src/cli/sync/progress-display.ts'
import { AppError } from '../../../src/domain/errors.ts'
import type { PartitionPreview, SyncProgress } from '../../../src/sync/run-report.ts'
import { CONNECTORS, previewReport, runReport, runWithSync, scriptedSync } from '../../lib/scripted-sync.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

const ACME = { connector: 'slack', name: 'acme', title: 'Slack' }
const BETA = { connector: 'slack', name: 'beta', title: 'Slack' }
const ME = { connector: 'github', name: 'me', title: 'GitHub' }
const DOCS = { connector: 'technical_docs', name: 'docs' }

const PROGRESS: SyncProgress = {
  connector: 'slack',
  name: 'acme',
  partition: '#general',
  partitionsDone: 3,
  partitionsTotal: 14,
  items: 120,
  memorized: 8,
  unchanged: 111,
  removed: 0,
  failed: 1,
}

describe('recalld sync', () => {
  test('says of each connection in a line what was done', async () => {
    const service = scriptedSync({ configured: [ACME, ME] })
    const { code, stdout } = await runWithSync({ home: temporaryFolder(), service }, 'sync')
    expect(code).toBe(0)
    expect(stdout).toBe(
      'slack/acme: 312 items checked, 14 memorized, 296 unchanged, 2 removed, 0 failed, 31 requests in 12.4 s\n' +
        'github/me: 312 items checked, 14 memorized, 296 unchanged, 2 removed, 0 failed, 31 requests in 12.4 s\n',
    )
  })

  test('runs what is named, and passes on --full', async () => {
    const ran: unknown[] = []
    const service = scriptedSync({
      configured: [ACME, ME],
      run: async (target, { full }) => {
        ran.push([target.connector, full])
        return runReport(target)
      },
    })
    expect((await runWithSync({ home: temporaryFolder(), service }, 'sync', 'github', '--once', '--full')).code).toBe(0)
    expect(ran).toEqual([['github', true]])
  })

  test('runs several connectors at a time, and the connections of one after another', async () => {
    const events: string[] = []
    const service = scriptedSync({
      configured: [ACME, BETA, ME, DOCS],
      run: async (target) => {
        events.push(`begin ${target.name}`)
        for (let turn = 0; turn < 3; turn += 1) await Promise.resolve()
        events.push(`end ${target.name}`)
        return runReport(target)
      },
    })
    const { stdout } = await runWithSync({ home: temporaryFolder(), service }, 'sync')
    expect(events.slice(0, 3)).toEqual(['begin acme', 'begin me', 'begin docs'])
    expect(events.indexOf('begin beta')).toBeGreaterThan(events.indexOf('end acme'))
    expect([...stdout.matchAll(/^\S+:/gm)].map(String)).toEqual([
      'slack/acme:',
      'slack/beta:',
      'github/me:',
      'technical_docs/docs:',
    ])
  })

  test('names ten failures with their reasons, then how many more and where they stand', async () => {
    const failures = Array.from({ length: 12 }, (_, index) => ({
      partition: '#general',
      item: `Thread ${index + 1}`,
      error: 'The answer was no JSON.',
    }))
    const service = scriptedSync({
      configured: [ACME],
      run: async (target) => runReport(target, { outcome: 'partial', failed: 25, failures }),
    })
    const { code, stdout } = await runWithSync({ home: temporaryFolder(), service }, 'sync')
    expect(code).toBe(1)
    expect(stdout).toContain('\n  #general, Thread 10: The answer was no JSON.\n')
    expect(stdout).not.toContain('Thread 11')
    expect(stdout).toContain(
      '  ... and 15 more. Run "recalld status" to see them, or "recalld retry slack/acme" to try them again.\n',
    )
  })

  test.each([
    ['ok', 0, 0],
    ['ok', 3, 1],
    ['partial', 0, 1],
    ['waiting', 0, 1],
    ['stopped', 0, 1],
    ['aborted', 0, 1],
    ['attention', 0, 2],
  ] as const)('a run that ends %s with %i failed items ends with code %i', async (outcome, failed, expected) => {
    const service = scriptedSync({
      configured: [ME, ACME],
      run: async (target) => (target === ME ? runReport(target) : runReport(target, { outcome, failed })),
    })
    const { code } = await runWithSync({ home: temporaryFolder(), service }, 'sync')
    expect(code).toBe(expected)
  })

  test('says what is wrong and what to do, without control characters', async () => {
    const service = scriptedSync({
      configured: [ACME],
      run: async (target) =>
        runReport(target, {
          outcome: 'attention',
          problem: 'Slack refused the token (\u001b[2Jtoken_revoked).',
          remedy: 'reauthorize',
          warnings: ['The scope im:history is missing.'],
        }),
    })
    const { stdout } = await runWithSync({ home: temporaryFolder(), service }, 'sync')
    expect(stdout).toContain('  Slack refused the token ([2Jtoken_revoked).\n')
    expect(stdout).toContain('  Run "recalld connect slack --name acme" to reconnect it.\n')
    expect(stdout).toContain('  Note: The scope im:history is missing.\n')
  })

  test('says once what kept all of it from being read', async () => {
    const error = '/notes is not there; mount its disk.'
    const service = scriptedSync({
      configured: [ME],
      run: async (target) =>
        runReport(target, {
          outcome: 'attention',
          problem: `~/notes: ${error}`,
          remedy: 'reconfigure',
          failures: [
            { partition: '~/notes', error },
            { partition: '~/docs', item: 'a.md', error: 'It is too large.' },
          ],
        }),
    })
    const { stdout } = await runWithSync({ home: temporaryFolder(), service }, 'sync')
    expect(stdout.split('\n').slice(1)).toEqual([
      '  ~/docs, a.md: It is too large.',
      `  ~/notes: ${error}`,
      '  Edit `connectors.github` (name: me) in config.yaml, or run "recalld connect github --name me".',
      '',
    ])
  })

  test('goes on with the others when one cannot begin', async () => {
    const service = scriptedSync({
      configured: [ACME, ME],
      run: async (target) => {
        if (target === ACME) throw new AppError('conflict', 'slack/acme is being synchronized by another process.')
        return runReport(target)
      },
    })
    const { code, stdout } = await runWithSync({ home: temporaryFolder(), service }, 'sync')
    expect(code).toBe(1)
    expect(stdout).toContain('  slack/acme is being synchronized by another process.\n')
    expect(stdout).toContain('github/me: 312 items')
  })

  test('refuses names that are not there', async () => {
    const { code, stderr } = await runWithSync({ home: temporaryFolder() }, 'sync', 'slak')
    expect({ code, stderr }).toEqual({ code: 2, stderr: 'recalld: There is no connection slak.\n' })
  })

  test('says how to begin when nothing is configured', async () => {
    const home = temporaryFolder()
    const { code, stdout, stderr } = await runWithSync({ home }, 'sync')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('$ recalld sync claude_code\n')
    expect(stderr).toContain('  slack (Slack)\n')
    expect(stderr).toContain(`${home}/config.yaml`)
    const json = await runWithSync({ home }, 'sync', '--json')
    expect(JSON.parse(json.stderr)).toMatchObject({ code: 'invalid', error: expect.stringContaining('No source') })
  })

  test('says that everything is paused when it is', async () => {
    const connectors = async () => CONNECTORS.map((view) => ({ ...view, configured: ['acme'] }))
    const service = scriptedSync({ connectors })
    const { code, stderr } = await runWithSync({ home: temporaryFolder(), service }, 'sync')
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('are paused (slack, github') })
  })
})

describe('recalld sync --json', () => {
  test('prints one object for each connection and line, the specified keys first, and no progress into a pipe', async () => {
    const service = scriptedSync({
      configured: [ACME, ME],
      run: async (target, { onProgress }) => {
        onProgress({ ...PROGRESS, waitingUntil: new Date() })
        return runReport(target)
      },
    })
    const { code, stdout, stderr } = await runWithSync({ home: temporaryFolder(), service }, 'sync', '--json')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const lines = stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(2)
    expect(Object.keys(JSON.parse(lines[0] ?? '')).slice(0, 13)).toEqual([
      'connector',
      'account',
      'partitions',
      'items',
      'memorized',
      'unchanged',
      'removed',
      'failed',
      'requests',
      'waited_ms',
      'duration_ms',
      'name',
      'outcome',
    ])
    expect(JSON.parse(lines[1] ?? '')).toMatchObject(runReport(ME))
  })

  test('shows progress to a person who watches, when the objects go elsewhere', async () => {
    const run = async (target: typeof ACME, { onProgress }: { onProgress(progress: SyncProgress): void }) => {
      onProgress(PROGRESS)
      return runReport(target)
    }
    const seat = { home: temporaryFolder(), terminal: { columns: 100 } }
    const service = scriptedSync({ configured: [ACME], run: (_, options) => run(ACME, options) })
    expect((await runWithSync({ ...seat, service, pipedOutput: true }, 'sync', '--json')).stderr).toContain('3/14')
    expect((await runWithSync({ ...seat, service }, 'sync', '--json')).stderr).toBe('')
  })

  test('gives a connection that cannot begin the same keys', async () => {
    const run = async () => {
      throw new AppError('unauthenticated', 'Slack refused the token.')
    }
    const service = scriptedSync({ configured: [ACME], run })
    const { code, stdout } = await runWithSync({ home: temporaryFolder(), service }, 'sync', '--json')
    expect(code).toBe(2)
    expect(JSON.parse(stdout)).toMatchObject({
      memorized: 0,
      outcome: 'attention',
      problem: 'Slack refused the token.',
    })
  })
})

describe('waiting until it can be recalled', () => {
  const finishing = (waiting: readonly number[]) =>
    scriptedSync({ configured: [ACME], finish: async (_, onWaiting) => waiting.forEach(onWaiting) })

  test('happens after the runs', async () => {
    const { stdout } = await runWithSync({ home: temporaryFolder(), service: finishing([3, 1, 0]) }, 'sync')
    expect(stdout).toMatch(/12\.4 s\nThe new items can be recalled now\.\n$/)
  })

  test('shows a bar on a terminal', async () => {
    const seat = { home: temporaryFolder(), service: finishing([9, 4, 5, 0]), terminal: { columns: 80 } }
    expect((await runWithSync(seat, 'sync')).stderr).toContain('9/9 items processed')
  })

  test('does not happen with --no-wait', async () => {
    const { stdout } = await runWithSync({ home: temporaryFolder(), service: finishing([3, 0]) }, 'sync', '--no-wait')
    expect(stdout).not.toContain('recalled')
  })
})

describe('a signal to stop', () => {
  const interrupted = () => {
    const stop = Promise.withResolvers<string>()
    const service = scriptedSync({
      configured: [ACME, BETA],
      run: async (target, { signal }) => {
        stop.resolve('SIGINT')
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        return runReport(target, { outcome: 'aborted' })
      },
      finish: async () => {
        throw new Error('nothing is waited for after a signal')
      },
    })
    return { service, stopRequested: () => stop.promise }
  }

  test('ends the run that is under way, begins no other, and says that it can be run again', async () => {
    const { code, stdout, stderr } = await runWithSync({ home: temporaryFolder(), ...interrupted() }, 'sync')
    expect(code).toBe(1)
    expect(stdout).toContain('slack/acme: 312 items')
    expect(stdout).not.toContain('slack/beta')
    expect(stderr).toContain('SIGINT: finishing the items in progress. A second signal stops immediately.\n')
    expect(stderr).toContain("1 connection wasn't started.")
    expect(stderr).toContain('Run this again to continue.')
  })

  test('is told above the bars of a terminal', async () => {
    const seat = { home: temporaryFolder(), terminal: { columns: 80 }, ...interrupted() }
    expect((await runWithSync(seat, 'sync')).stderr).toContain('SIGINT: finishing the items in progress')
  })
})

describe('recalld sync --dry-run', () => {
  const partition = (name: string, values: Partial<PartitionPreview> = {}): PartitionPreview => ({
    partition: name,
    new: 3,
    changed: 1,
    unchanged: 200,
    gone: 0,
    failed: 0,
    bytes: 12_345,
    examples: [],
    secrets: {},
    ...values,
  })
  const preview = (partitions: readonly PartitionPreview[]) =>
    scriptedSync({
      configured: [ACME],
      preview: async (target) => previewReport(target, { partitions }),
      run: () => Promise.reject(new Error('a dry run runs nothing')),
    })

  test('shows a table of partitions with totals and secrets', async () => {
    const service = preview([partition('#general'), partition('#random', { gone: 2, secrets: { aws_key: 2, jwt: 1 } })])
    const { code, stdout } = await runWithSync({ home: temporaryFolder(), service }, 'sync', '--dry-run')
    expect(code).toBe(0)
    expect(stdout).toBe(
      'slack/acme, acme\n' +
        '  partition  new  changed  unchanged  gone  failed     size\n' +
        '  #general     3        1        200     0       0  12.3 kB\n' +
        '  #random      3        1        200     2       0  12.3 kB\n' +
        '  total        6        2        400     2       0  24.7 kB\n' +
        '  Secrets that would be removed: 2 aws_key, 1 jwt.\n' +
        '\nThis was a dry run: nothing was memorized.\n',
    )
  })

  test('fits a narrow terminal, and says what could not be read', async () => {
    const service = preview([partition('a channel with a rather long name', { problem: 'It is archived.', failed: 1 })])
    const seat = { home: temporaryFolder(), service, terminal: { columns: 70 } }
    const { code, stdout } = await runWithSync(seat, 'sync', '--dry-run')
    expect(code).toBe(1)
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(70)
    expect(stdout).toContain('a channel with a rather long name: It is archived.')
  })

  test('prints JSON, one object for each connection', async () => {
    const service = preview([partition('#general')])
    const { stdout } = await runWithSync({ home: temporaryFolder(), service }, 'sync', '--dry-run', '--json')
    expect(JSON.parse(stdout)).toEqual(previewReport(ACME, { partitions: [partition('#general')] }))
  })
})

describe('progress of runs', () => {
  const output = (columns?: number) => {
    let text = ''
    const write = (chunk: string | Uint8Array) => (text += String(chunk))
    return { isTTY: columns !== undefined, ...(columns && { columns }), write, text: () => text }
  }

  test('is a bar for each connector on a terminal, with counts, rate, time left and place', () => {
    const terminal = output(130)
    const display = startSyncDisplay(terminal, () => new Date(2026, 2, 4, 12, 31))
    display.show({ ...PROGRESS, perMinute: 120.4, remainingMs: 210_000, recentDays: 30 }, 'Slack')
    display.show({ ...PROGRESS, connector: 'github', name: 'me', waitingUntil: new Date(2026, 2, 4, 12, 40) }, 'GitHub')
    display.stop()
    expect(terminal.text()).toContain(
      'slack/acme  ███░░░░░░░░░░░░░ 3/14  120 items, 8 memorized, 1 failed, 120 a minute, about 3 min left, last 30 days ready  #gen',
    )
    expect(terminal.text()).toContain('3/14  waiting for GitHub until 12:40, 120 items')
  })

  test('never draws a line wider than the terminal', () => {
    const terminal = output(40)
    const display = startSyncDisplay(terminal, () => new Date())
    display.show({ ...PROGRESS, partition: 'x'.repeat(200) }, 'Slack')
    display.stop()
    expect(terminal.text()).toContain('slack/acme')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences move the cursor
    const drawn = terminal.text().split(/\n|\u001b\[\d*[A-Z]/)
    expect(Math.max(...drawn.map((line) => line.length))).toBeLessThanOrEqual(40)
  })

  test('is a line every five seconds in a pipe, and one when a wait begins', () => {
    const pipe = output()
    let now = new Date(2026, 2, 4, 12, 30)
    const display = startSyncDisplay(pipe, () => now)
    display.show(PROGRESS, 'Slack')
    now = new Date(2026, 2, 4, 12, 30, 5)
    display.show(PROGRESS, 'Slack')
    now = new Date(2026, 2, 4, 12, 30, 6)
    display.show(PROGRESS, 'Slack')
    const waitingUntil = new Date(2026, 2, 5, 12, 40)
    display.show({ ...PROGRESS, waitingUntil }, 'Slack')
    display.show({ ...PROGRESS, waitingUntil }, 'Slack')
    display.stop()
    expect(pipe.text()).toBe(
      'slack/acme: 120 items, 8 memorized, 1 failed; reading #general (4 of 14)\n' +
        'slack/acme: 120 items, 8 memorized, 1 failed; waiting for Slack until 5 Mar, 12:40\n',
    )
  })
})
