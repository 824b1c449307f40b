import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openService } from '../../src/boot/open-service.ts'
import { openHomeSync } from '../../src/boot/sync-home.ts'
import { homeFiles } from '../../src/config/home-folder.ts'
import { loadConfig } from '../../src/config.ts'
import type { SyncService, SyncTarget } from '../../src/connections/sync-service.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { acquireProcessLock } from '../../src/lib/process-lock.ts'
import { runCommand, startUp } from '../lib/command-line.ts'
import { httpCall } from '../lib/http-call.ts'
import { type MadeUpSource, madeUpConnector } from '../lib/made-up-connector.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { startService } from '../lib/start-service.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'

const ADA: SyncTarget = { connector: 'made_up', name: 'ada' }
const CONFIGURED = 'connectors:\n  made_up:\n  - name: ada\n    token: t\n'

interface Options {
  readonly yaml?: string
  readonly env?: Record<string, string>
  readonly home?: string
  /** `false`: another process has the role of the worker, so that what is memorized stays queued. */
  readonly works?: boolean
}

/** A sync service over a made-up source of two texts, and over one of mail that is not configured. */
function openSync({ yaml = CONFIGURED, env = {}, home = join(temporaryFolder(), 'home'), works = true }: Options = {}) {
  const file = join(temporaryFolder(), 'config.yaml')
  writeFileSync(file, yaml)
  const source: MadeUpSource = {
    items: new Map([
      ['tea', 'The green tea is in the left drawer.'],
      ['coffee', 'The coffee beans are on the top shelf.'],
    ]),
  }
  const connector = madeUpConnector(source)
  if (!works) takeRoleOfWorker(home)
  const sync = openHomeSync(loadConfig({ home, file, env }), {
    log: recordingLog().log,
    processInfo: {
      pid: process.pid,
      platform: 'linux',
      env,
      userName: 'Ada Lovelace',
      userHome: '/nonexistent',
    },
    registry: {
      made_up: async () => connector,
      mail: async () => madeUpConnector(source, { id: 'mail', title: 'Mail', auth: 'none' }),
    },
  })
  onTestFinished(() => sync[Symbol.asyncDispose]())
  return { sync, source, home }
}

/** A sync that finds the role free loads the pipeline for its first item, which most of these tests never look at. */
function takeRoleOfWorker(home: string): void {
  mkdirSync(home, { recursive: true })
  const lock = acquireProcessLock(homeFiles(home).locks.worker, { pid: process.pid, since: new Date().toISOString() })
  if ('release' in lock) onTestFinished(() => lock.release())
}

const run = (sync: SyncService, target = ADA) =>
  sync.run(target, { signal: new AbortController().signal, full: false, onProgress: () => undefined })

async function finished(sync: SyncService): Promise<number[]> {
  const waiting: number[] = []
  await sync.finish(new AbortController().signal, (count) => waiting.push(count))
  return waiting
}

async function readyItems(home: string): Promise<unknown> {
  const { stdout } = await runCommand(['status', '--json'], { RECALLD_HOME: home })
  return JSON.parse(stdout).sources
}

describe('a run by hand', () => {
  test('makes a home where there is none, and processes what it memorized while no service does', async () => {
    const { sync, home } = openSync()
    expect(await run(sync)).toMatchObject({ connector: 'made_up', name: 'ada', memorized: 2, outcome: 'ok' })
    expect((await finished(sync)).at(-1)).toBe(0)
    await sync[Symbol.asyncDispose]()
    expect(await readyItems(home)).toEqual([
      expect.objectContaining({ source_type: 'text', items: { queued: 0, processing: 0, ready: 2, failed: 0 } }),
    ])
    const service = await startUp({ RECALLD_HOME: home })
    expect(service.stdout()).not.toContain('This is the first start')
    await service.stop()
  })

  test('works beside a running service, which processes what was memorized', async () => {
    const home = temporaryFolder()
    const service = await startUp({ RECALLD_HOME: home })
    onTestFinished(async () => void (await service.stop()))
    const { sync } = openSync({ home })
    expect(await run(sync)).toMatchObject({ memorized: 2, outcome: 'ok' })
    expect((await finished(sync)).at(-1)).toBe(0)
    const recalled = await runCommand(['recall', '--json', 'green', 'tea'], { RECALLD_HOME: home })
    expect(recalled.stdout).toContain('left drawer')
  })

  test('does the work of a service that has not the role of the worker, and leaves it the role that it has', async () => {
    const home = temporaryFolder()
    const service = await startUp({ RECALLD_HOME: home }, '--roles', 'api')
    onTestFinished(async () => void (await service.stop()))
    const { sync } = openSync({ home })
    await run(sync)
    expect((await finished(sync)).at(-1)).toBe(0)
    const recalled = await runCommand(['recall', '--json', 'green', 'tea'], { RECALLD_HOME: home })
    expect(recalled.stdout).toContain('left drawer')
    for (const roles of ['api', 'worker']) {
      const second = await runCommand(['up', '--port', '0', '--roles', roles], { RECALLD_HOME: home })
      expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining('uses this home') })
    }
  })

  test('takes what has changed since the run before, and nothing twice', async () => {
    const { sync, source } = openSync({ works: false })
    await run(sync)
    source.items.set('tea', 'The green tea is in the right drawer.')
    source.items.delete('coffee')
    expect(await run(sync)).toMatchObject({ memorized: 1, removed: 1, unchanged: 0 })
    expect(await run(sync)).toMatchObject({ memorized: 0, removed: 0, unchanged: 1 })
  })

  test('is told as activity of the account when it did something', async () => {
    const { sync, home } = openSync({ works: false })
    await run(sync)
    await run(sync)
    await sync[Symbol.asyncDispose]()
    await using stack = new AsyncDisposableStack()
    const config = loadConfig({ home, file: homeFiles(home).config, env: {} })
    const { service } = await openService(config, recordingLog().log, stack)
    const accountId = (await service.accounts.list())[0]?.accountId ?? ''
    const owner = { accountId, personId: '', role: 'owner' } as const
    expect(await service.activity.page(owner, { kinds: ['sync'], limit: 10 })).toMatchObject([
      {
        actor: { type: 'connection', id: 'made_up/ada' },
        entry: { connection: 'made_up/ada', outcome: 'ok', memorized: 2, removed: 0, failed: 0 },
      },
    ])
  })

  test('says what it would take, and takes nothing', async () => {
    const { sync } = openSync({ works: false })
    const options = { signal: new AbortController().signal, full: false, onProgress: () => undefined }
    expect((await sync.preview(ADA, options)).partitions).toEqual([
      expect.objectContaining({ partition: '#all', new: 2, changed: 0, gone: 0 }),
    ])
    expect(await run(sync)).toMatchObject({ memorized: 2 })
  })

  test('waits for the service no longer than it is asked to', async () => {
    const { sync } = openSync({ works: false })
    await run(sync)
    const stop = new AbortController()
    await expect(sync.finish(stop.signal, () => stop.abort())).rejects.toThrow('abort')
  })

  test('gives the connector the person of the account and folders of its own', async () => {
    const { sync, source, home } = openSync({ works: false })
    await run(sync)
    expect(source.userName).toBe('Ada Lovelace')
    const machine = source.machine as { spoolFolder: string; temporaryFolder: string }
    expect(machine.spoolFolder).toBe(join(home, 'spool'))
    expect(existsSync(machine.temporaryFolder)).toBe(true)
    await sync[Symbol.asyncDispose]()
    expect(existsSync(machine.temporaryFolder)).toBe(false)
  })
})

describe('a service elsewhere', () => {
  test('that RECALLD_URL names gets what is read, and the home keeps the ledger alone', async () => {
    const elsewhere = await startService()
    onTestFinished(() => elsewhere.stop())
    const env = { RECALLD_URL: elsewhere.baseUrl, RECALLD_API_KEY: elsewhere.key }
    const { sync, home } = openSync({ env })
    expect(await run(sync)).toMatchObject({ memorized: 2, outcome: 'ok' })
    expect((await finished(sync)).at(-1)).toBe(0)
    const list = await httpCall(`${elsewhere.baseUrl}/v1/files/list?source_type=text`, { key: elsewhere.key })
    expect(list.body.total).toBe(2)
    expect(await sync.status()).toMatchObject([{ state: 'healthy', items: 2 }])
    await sync[Symbol.asyncDispose]()
    expect(await readyItems(home)).toEqual([])

    // The memory of the home knows nothing of it, so there everything is new.
    expect(await run(openSync({ home, works: false }).sync)).toMatchObject({ memorized: 2 })
  })

  test('needs a key of its own', async () => {
    const { sync } = openSync({ env: { RECALLD_URL: 'http://memory.test:7411' } })
    await expect(run(sync)).rejects.toThrow('not of http://memory.test:7411. Set RECALLD_API_KEY as well')
  })

  test('is none when RECALLD_URL names the service of this home', async () => {
    const { sync, home } = openSync({ env: { RECALLD_URL: 'http://localhost:7411/v1/' } })
    expect(await run(sync)).toMatchObject({ memorized: 2 })
    await finished(sync)
    await sync[Symbol.asyncDispose]()
    expect(await readyItems(home)).toHaveLength(1)
  })
})

describe('what is named', () => {
  const two = `${CONFIGURED}  - name: work\n    paused: true\n`

  test('is nothing: all that is not paused', async () => {
    const { sync, home } = openSync({ yaml: two })
    expect(await sync.targets([])).toEqual([{ ...ADA, title: 'Made up' }])
    expect(existsSync(home)).toBe(false)
  })

  test('is a connector, with all of its connections; one connection; or a connector that needs no settings', async () => {
    const { sync } = openSync({ yaml: two, works: false })
    const names = async (...typed: string[]) =>
      (await sync.targets(typed)).map(({ connector, name }) => `${connector}/${name}`)
    expect(await names('made_up')).toEqual(['made_up/ada', 'made_up/work'])
    expect(await names('made_up/work', 'made_up/work')).toEqual(['made_up/work'])
    expect(await names('mail')).toEqual(['mail/me'])
    expect(await run(sync, { connector: 'mail', name: 'me' })).toMatchObject({ memorized: 2 })
  })

  test.each([
    ['made_upp', 'Unknown connector made_upp. Did you mean made_up?'],
    ['made_up/worl', 'Unknown connection made_up/worl. Did you mean made_up/work?'],
    ['mail/you', 'mail is not configured. Connect it, or add it to connectors in config.yaml.'],
  ])('is neither: %s', async (typed, sentence) => {
    await expect(openSync({ yaml: two }).sync.targets([typed])).rejects.toThrow(sentence)
  })

  test('can be tried again, also when it is not configured any more', async () => {
    const { sync, home } = openSync()
    expect(await sync.retry([], { forgotten: false })).toBe(0)
    expect(existsSync(home)).toBe(false)
    takeRoleOfWorker(home)
    await run(sync)
    await sync[Symbol.asyncDispose]()
    const later = openSync({ home, yaml: '' }).sync
    expect(await later.retry(['made_up/ada'], { forgotten: true })).toBe(0)
    expect(await later.status()).toMatchObject([
      { state: 'not configured', items: 2, schedule: null, next_run_at: null },
    ])
    await expect(later.retry(['made_up/bob'], { forgotten: false })).rejects.toThrow('made_up is not configured')
  })
})

describe('the status of a connection', () => {
  test('that never ran needs no home', async () => {
    const { sync, home } = openSync({ yaml: `${CONFIGURED}  - name: work\n    paused: true\n` })
    expect(await sync.status()).toMatchObject([
      { connector: 'made_up', name: 'ada', title: 'Made up', state: 'never ran', schedule: '*/5 * * * *', items: 0 },
      { name: 'work', state: 'paused' },
    ])
    expect(existsSync(home)).toBe(false)
  })

  test('that is well says whose it is, what it holds and what its source warned of', async () => {
    const { sync } = openSync({ works: false })
    await run(sync)
    expect(await sync.status()).toEqual([
      {
        ...ADA,
        title: 'Made up',
        account: 'ada@made-up.test',
        state: 'healthy',
        schedule: '*/5 * * * *',
        last_run_at: expect.stringMatching(/Z$/),
        last_success_at: expect.stringMatching(/Z$/),
        next_run_at: null,
        items: 2,
        failed: 0,
        skipped: 0,
        skip_reasons: [],
        settling: 0,
        coverage: { complete: 1, total: 1 },
        partitions: [],
        failures: [],
        cursor_age_s: expect.any(Number),
        cursor_limit_s: null,
        warnings: ['The scope of moons is missing.'],
        progress: null,
        problem: null,
        remedy: null,
      },
    ])
  })

  test('that lost its access says so, and where a new token belongs', async () => {
    const { sync, source } = openSync({ works: false })
    await run(sync)
    source.problem = new SourceError('reauthorize', 'The source refused the token.')
    expect(await run(sync)).toMatchObject({ outcome: 'attention' })
    expect(await sync.status()).toMatchObject([
      {
        state: 'needs attention',
        items: 2,
        problem: 'The source refused the token.',
        remedy:
          'Create a new token and put it in token or token_file of made_up/ada in config.yaml, or run "recalld connect made_up --name ada".',
      },
    ])
  })
})

describe('a connection whose settings are wrong', () => {
  const yaml = `${CONFIGURED}  - name: bob\n    tokn: t\n  - name: ada\n  mial: [{name: me}]\n  mail: [{name: me, depth: 12}]\n`
  const sentence = 'config.yaml line 6: made_up/bob: there is no setting tokn. Did you mean token?'

  test('is run with the others, and ends with what is wrong', async () => {
    const { sync } = openSync({ yaml, works: false })
    const targets = await sync.targets([])
    const outcomes: string[] = []
    for (const target of targets) {
      const outcome = await run(sync, target).then(
        (report) => report.outcome,
        (error: unknown) => (error instanceof Error ? error.message : ''),
      )
      outcomes.push(`${target.connector}/${target.name}: ${outcome}`)
    }
    expect(outcomes).toEqual([
      'made_up/ada: ok',
      expect.stringContaining(`made_up/bob: ${sentence}`),
      'made_up/ada: config.yaml line 7: made_up has two connections named ada. Rename one.',
      expect.stringContaining('mial/*: config.yaml line 8: unknown connector mial. Did you mean mail?'),
      'mail/me: config.yaml line 9: mail/me: depth must be a whole number from 1 to 9',
    ])
  })

  test('is what its name means, though the connector works without settings', async () => {
    const { sync } = openSync({ yaml })
    expect(await sync.targets(['mail'])).toMatchObject([{ connector: 'mail', name: 'me', mistake: expect.anything() }])
    expect(await sync.targets(['made_up/bob'])).toMatchObject([{ name: 'bob', mistake: expect.anything() }])
    await expect(sync.check({ connector: 'made_up', name: 'bob' })).rejects.toMatchObject({
      location: 'config.yaml line 6',
    })
    await expect(sync.targets(['made_up/bo'])).rejects.toThrow('Did you mean made_up/bob?')
  })

  test('needs attention, and keeps what it remembers', async () => {
    const first = openSync({ works: false })
    await run(first.sync)
    await first.sync[Symbol.asyncDispose]()
    const { sync } = openSync({ home: first.home, yaml: CONFIGURED.replace('token', 'tokn') })
    expect(await sync.status()).toMatchObject([
      {
        ...ADA,
        state: 'needs attention',
        items: 2,
        problem: expect.stringContaining('config.yaml line 4: made_up/ada: there is no setting tokn'),
        remedy: null,
      },
    ])
  })
})

test('a check says whose account it is, or what is wrong, and remembers nothing', async () => {
  const { sync, source } = openSync()
  expect(await sync.check(ADA)).toEqual({ account: 'ada@made-up.test', warnings: ['The scope of moons is missing.'] })
  source.problem = new SourceError('reauthorize', 'The source refused the token.')
  await expect(sync.check(ADA)).rejects.toMatchObject({ code: 'unauthenticated' })
  expect(await sync.status()).toMatchObject([{ state: 'never ran' }])
})

test('the connectors there are, with what is configured of them', async () => {
  const views = await openSync().sync.connectors()
  expect(views).toEqual([
    {
      id: 'made_up',
      title: 'Made up',
      auth: 'token',
      configured: ['ada'],
      standalone: false,
      takesPaths: false,
      needs: 'nothing',
    },
    { id: 'mail', title: 'Mail', auth: 'none', configured: [], standalone: true, takesPaths: false, needs: 'nothing' },
  ])
})
