import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { isEverythingTested } from './test/lib/is-everything-tested.ts'

/** Tests of single modules and of connectors leave nothing behind in their process, so that files can share one. */
const UNIT = ['test/unit/**/*.test.ts', 'test/connectors/**/*.test.ts']
/** Crashes of connectors in one process: as them. */
const SIMULATED = ['test/connectors/**/*-simulation.test.ts', 'test/crash/sync-simulation.test.ts']

/** What the specification and the contracts of the service say holds on PostgreSQL too. */
const POSTGRES = [
  'test/e2e/isolation.test.ts',
  'test/contract/memory.test.ts',
  'test/contract/sync-runner.test.ts',
  'test/e2e/specification-*.test.ts',
]

/** Tests of the built pages: in Chromium, and over HTTP. */
const BROWSER = 'test/browser/**/*.test.ts'

/** The rest of what is quick enough for every change: the contracts on both engines, the specification, isolation. */
const QUICK = ['test/*.test.ts', 'test/contract/**/*.test.ts', 'test/e2e/{specification-*,isolation}.test.ts']
/** Contracts again elsewhere: with a storage of objects, on split tables, while a server goes away, through a move. */
const CONTRACTS_ELSEWHERE = 'test/contract/{*blobs-*,store-move,store-postgres-split,postgres-away}.test.ts'

const PACKAGES = './test/lib/packages-in-one-file.ts'
const everything = isEverythingTested()

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          isolate: false,
          include: everything ? [...UNIT, ...SIMULATED] : UNIT,
          exclude: everything ? [] : SIMULATED,
        },
      },
      {
        extends: true,
        test: {
          name: 'whole',
          isolate: false,
          include: everything ? ['test/**/*.test.ts'] : QUICK,
          exclude: everything ? [...UNIT, ...SIMULATED, BROWSER] : [CONTRACTS_ELSEWHERE],
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          isolate: false,
          include: everything ? POSTGRES : POSTGRES.slice(0, -1),
          env: { RECALLD_TEST_STORE: 'postgres' },
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: everything ? [BROWSER] : [],
          globalSetup: ['./test/lib/app/built-pages.ts'],
        },
      },
    ],
    globalSetup: [PACKAGES, './test/lib/built-program.ts'],
    execArgv: ['--import', new URL(PACKAGES, import.meta.url).href],
    setupFiles: ['test/lib/loopback-only.ts'],
    pool: 'forks',
    // Many tests wait for processes: with a core left free, as by default, two cores would run one file at a time. With more
    // files than cores, those whose fakes answer in time are late.
    maxWorkers: '100%',
    // Threads and processes that tests start load hundreds of modules each time; without it they take half as long again.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/recalld', import.meta.url)) },
    // These only end what hangs: a test waits for conditions, however busy the machine is.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
