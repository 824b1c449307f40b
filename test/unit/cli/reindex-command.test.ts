import { tmpdir } from 'node:os'
import { PassThrough, Readable } from 'node:stream'
import { expect, test } from 'vitest'
import type { ModelView, ReindexService, SpaceComparison } from '../../../src/administration/reindex-contract.ts'
import { createCommandContext } from '../../../src/boot/command-context.ts'
import { runProgram } from '../../../src/cli/program.ts'
import { AppError } from '../../../src/domain/errors.ts'
import { packagePath } from '../../../src/lib/files.ts'

const BUILT_IN: ModelView = { space_id: 'built-in', name: 'the built-in model', is_built_in: true }
const LARGE: ModelView = { space_id: 'large', name: 'openai:large', is_built_in: false }

/** A reindex service for which `openai:large` is configured and nothing was done yet; it records what is done. */
function service(script: Partial<ReindexService> = {}) {
  const done: string[] = []
  let active = BUILT_IN
  const made: ReindexService = {
    state: async () => ({ configured: LARGE, active, ...(active === LARGE && { previous: BUILT_IN }) }),
    estimate: async () => ({ texts: 1_200, characters: 480_000, tokens: 120_000, dollars: 2.4, seconds: 600 }),
    build: async (report) => {
      for (const filled of [0, 600, 1_200]) report({ chunks: 1_200, filled })
    },
    missing: async () => 0,
    compare: async () => [],
    askGolden: async () => {
      throw new AppError('internal', 'not asked for here')
    },
    switchOver: async () => {
      done.push('switched')
      active = LARGE
    },
    rollBack: async () => {
      done.push('went back')
    },
    drop: async () => [],
    [Symbol.asyncDispose]: async () => {
      done.push('closed')
    },
    ...script,
  }
  return { made, done }
}

async function runAt(
  made: ReindexService,
  args: readonly string[],
  stopRequested = new Promise<string>(() => undefined),
) {
  const written = { stdout: '', stderr: '' }
  const output = (name: 'stdout' | 'stderr') => ({
    write: (text: string | Uint8Array) => {
      written[name] += String(text)
    },
  })
  const context = createCommandContext({
    io: { stdout: output('stdout'), stderr: output('stderr'), env: { NO_COLOR: '1' } },
    machine: {
      nodeVersion: process.versions.node,
      platform: process.platform,
      userName: 'ada',
      userHome: '/nonexistent',
      temporaryFolder: tmpdir(),
      nodePath: process.execPath,
      launcherPath: packagePath('bin/recalld.js'),
    },
    pid: process.pid,
    standardStreams: () => ({ stdin: Readable.from([]), stdout: new PassThrough() }),
    onlyForOwner: () => undefined,
    watchDefects: () => undefined,
    stopRequested: () => stopRequested,
  })
  const code = await runProgram(args, { ...context, reindex: async () => made })
  return { code, ...written }
}

const WORSE: SpaceComparison = {
  account_id: 'acct_1',
  before: { asked: 2, found_in_5: 2, found_in_10: 2, mean_reciprocal_rank: 1, without_item: 0 },
  after: { asked: 2, found_in_5: 1, found_in_10: 1, mean_reciprocal_rank: 0.5, without_item: 0 },
  questions: [
    { number: 1, rank: 1, before: 1, change: 'same', question: 'Where do we cache prices?' },
    { number: 4, rank: null, before: 1, change: 'worse', question: 'When does the train leave?' },
  ],
  clearly_worse: true,
}

test('a model that answers golden questions clearly worse is not switched to, and the questions are named', async () => {
  const { made, done } = service({ compare: async () => [WORSE] })
  const { code, stdout, stderr } = await runAt(made, ['reindex'])
  expect(code).toBe(1)
  expect(stdout).toContain('before: 2 of 2 found in the top 10, 2 in the top 5; mean reciprocal rank 1.00\n')
  expect(stdout).toContain('after:  1 of 2 found in the top 10, 1 in the top 5; mean reciprocal rank 0.50\n')
  expect(stdout).toMatch(/4 +1 -> not found +worse +When does the train leave\?/)
  expect(stdout).toContain('1 question unchanged.\n')
  expect(stdout).toContain('Recall uses the built-in model.\n')
  expect(stderr).toContain('Run "recalld reindex --force" to switch anyway.')
  expect(done).toEqual(['closed'])
})

test('--force switches to it all the same', async () => {
  const { made, done } = service({ compare: async () => [WORSE] })
  const { code, stdout } = await runAt(made, ['reindex', '--force'])
  expect(code).toBe(0)
  expect(stdout).toContain('Recall now uses openai:large.\n')
  expect(done).toEqual(['switched', 'closed'])
})

test('a dry run tells texts, tokens, price and time', async () => {
  const { made, done } = service()
  expect((await runAt(made, ['reindex', '--dry-run'])).stdout).toBe(
    'openai:large: 1200 texts, about 120,000 tokens, $2.40, about 10 minutes.\n',
  )
  expect(done).toEqual(['closed'])
})

test('what is not built whole is not switched to', async () => {
  const building = { state: async () => ({ configured: LARGE, active: BUILT_IN, building: LARGE }) }
  const { made, done } = service({ ...building, missing: async () => 3 })
  expect(await runAt(made, ['reindex', '--switch'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('3 texts have no vector of openai:large yet'),
  })
  const { made: empty } = service()
  expect(await runAt(empty, ['reindex', '--switch'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('No vectors were built'),
  })
  expect(done).toEqual(['closed'])
})

test('a problem of the model is said once, and a signal ends the waiting without a switch', async () => {
  const stop = Promise.withResolvers<string>()
  const { made, done } = service({
    build: async (report, signal) => {
      const problem = 'openai:large does not answer.'
      report({ chunks: 10, filled: 3, problem })
      report({ chunks: 10, filled: 3, problem })
      stop.resolve('SIGINT')
      await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    },
  })
  const { code, stderr } = await runAt(made, ['reindex'], stop.promise)
  expect(code).toBe(1)
  expect(stderr.match(/does not answer\. Retrying\./g)).toHaveLength(1)
  expect(stderr).toContain('Stopped. Run it again to resume.')
  expect(done).toEqual(['closed'])
})

test('two wishes at once are a wrong use', async () => {
  const { made } = service()
  expect(await runAt(made, ['reindex', '--drop', '--rollback'])).toMatchObject({ code: 2 })
  expect(await runAt(made, ['reindex', '--no-switch', '--dry-run'])).toMatchObject({ code: 2 })
})

test('golden run --check ends with code 1 when something got worse, and names it', async () => {
  const { after: scores, questions } = WORSE
  const { made } = service({ askGolden: async () => ({ scores, questions }) })
  const checked = await runAt(made, ['golden', 'run', '--check', '--account', 'acct_1'])
  expect(checked.code).toBe(1)
  expect(checked.stdout).toMatch(/4 +1 -> not found +worse +When does the train leave\?/)
  expect(checked.stderr).toContain('1 golden question got worse since the last run.')
  expect(await runAt(made, ['golden', 'run', '--account', 'acct_1'])).toMatchObject({ code: 0 })
})
