import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { isEverythingTested } from './test/lib/is-everything-tested.ts'
import { filesOfOtherParts } from './test/lib/long-files.ts'
import { LongestFirst } from './test/lib/longest-first.ts'

/** Tests of single modules and of connectors leave nothing behind in their process, so that files can share one. */
const UNIT = ['test/unit/**/*.test.ts', 'test/connectors/**/*.test.ts']
/** Crashes of connectors in one process: as them. */
const SIMULATED = ['test/connectors/**/*-simulation.test.ts', 'test/crash/sync-simulation.test.ts']

/** What the specification and the contracts of the service say holds on PostgreSQL too. By default these files run on SQLite only. */
const ON_POSTGRES = [
  'test/e2e/isolation.test.ts',
  'test/contract/memory.test.ts',
  'test/contract/sync-runner.test.ts',
  'test/e2e/specification-*.test.ts',
]

/** Tests of the built pages: in Chromium, and over HTTP. */
const BROWSER = 'test/browser/**/*.test.ts'

/** The rest of what is quick enough for every change: the contracts, the specification, isolation. */
const QUICK = ['test/*.test.ts', 'test/contract/**/*.test.ts', 'test/e2e/{specification-*,isolation}.test.ts']
/** Contracts again elsewhere: on PostgreSQL, with a storage of objects, between processes, through a move. */
const CONTRACTS_ELSEWHERE =
  'test/contract/{*postgres*,*blobs-*,store-move,shared-rate,sign-in-attempts,two-processes,lost-commit,outage-during-start}.test.ts'
/** Hostile and generated input, other programs, and random sources: 5 to 20 s of processor time each. */
const LONG = [
  'test/unit/pipeline/parse/**/*-hostile*.test.ts',
  'test/unit/mcp/{injections,clean-text}.test.ts',
  'test/unit/repository/{audit,tracing-is-lazy}.test.ts',
  'test/unit/cli/models-on-demand.test.ts',
  'test/unit/retrieval/recall-duplicates.test.ts',
  'test/connectors/{slack/slack,github/github}-consistency.test.ts',
  'test/connectors/imap/*.test.ts',
]

const PACKAGES = './test/lib/packages-in-one-file.ts'
/** Tests start much and keep little: with room for what dies young (MiB), they take a sixth less processor time. */
const YOUNG_GENERATION = ['--min-semi-space-size=32', '--max-semi-space-size=64']
const everything = isEverythingTested()
const leftOut = filesOfOtherParts()

const LOADER = ['--import', new URL(PACKAGES, import.meta.url).href]
const ROOMY = [...LOADER, ...YOUNG_GENERATION]
export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          isolate: false,
          include: everything ? [...UNIT, ...SIMULATED] : UNIT,
          exclude: everything ? leftOut : [...SIMULATED, ...LONG],
          execArgv: ROOMY,
        },
      },
      {
        extends: true,
        test: {
          name: 'whole',
          isolate: false,
          include: everything ? ['test/**/*.test.ts'] : QUICK,
          exclude: everything ? [...UNIT, ...SIMULATED, BROWSER, ...leftOut] : [CONTRACTS_ELSEWHERE],
          execArgv: ROOMY,
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          isolate: false,
          include: everything ? ON_POSTGRES : [],
          exclude: leftOut,
          env: { RECALLD_TEST_STORE: 'postgres' },
          // PGlite is WebAssembly. To optimize what a few hundred tests run takes V8 a tenth more processor time than it saves.
          execArgv: [...ROOMY, '--liftoff-only'],
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          // Each file has a Chromium and a service of its own, each test windows of its own.
          isolate: false,
          // A page keeps its processes and the service busy, so that three files are enough for two cores.
          maxWorkers: Math.ceil(availableParallelism() * 1.5),
          // Projects with different numbers of workers run one after the other.
          sequence: { groupOrder: 1 },
          include: everything ? [BROWSER] : [],
          exclude: leftOut,
          globalSetup: ['./test/lib/app/built-pages.ts', './test/lib/app/sample-folder.ts'],
          execArgv: ROOMY,
        },
      },
    ],
    globalSetup: [PACKAGES, './test/lib/built-program.ts', './test/lib/started-postgres.ts'],
    setupFiles: ['test/lib/loopback-only.ts'],
    pool: 'forks',
    sequence: { sequencer: LongestFirst },
    // Tests wait for processes, disks and timers for two thirds of their time, so that two cores have work for five files.
    maxWorkers: Math.ceil(availableParallelism() * 2.5),
    // Threads and processes that tests start load hundreds of modules each time; without it they take half as long again.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/recalld', import.meta.url)) },
    // These only end what hangs: a test waits for conditions, however busy the machine is.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 240_000 } },
  },
})
