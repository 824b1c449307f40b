import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** Tests of single modules and of connectors leave nothing behind in their process, so that files can share one. */
const UNIT = [
  'test/unit/**/*.test.ts',
  'test/connectors/**/*.test.ts',
  'test/oauth/**/*.test.ts',
  'test/crash/*-simulation.test.ts',
]

const PACKAGES = './test/kit/packages-in-one-file.ts'
/** Tests of the built pages: in Chromium, and over HTTP. */
const BROWSER = 'test/browser/**/*.test.ts'
const PAGES = './test/kit/built-pages.ts'
/** They take as long as all others, so they run on the build server, and here when somebody asks for them. */
const browserTests = Boolean(process.env.CI) || process.argv.some((argument) => argument.includes('browser'))
if (!browserTests)
  process.stderr.write('Tests of the web app in Chromium: npm run test:browser (on the build server by themselves)\n')

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: 'unit', include: UNIT, isolate: false } },
      { extends: true, test: { name: 'whole', include: ['test/**/*.test.ts'], exclude: [...UNIT, BROWSER] } },
      ...(browserTests
        ? [
            {
              extends: true as const,
              test: { name: 'browser', include: [BROWSER], globalSetup: [PAGES], testTimeout: 120_000 },
            },
          ]
        : []),
    ],
    globalSetup: [PACKAGES],
    execArgv: ['--import', new URL(PACKAGES, import.meta.url).href],
    setupFiles: ['test/kit/loopback-only.ts'],
    pool: 'forks',
    // Many tests wait for processes: with a core left free, as by default, two cores would run one file at a time.
    maxWorkers: '100%',
    // Threads and processes that tests start load hundreds of modules each time; without it they take half as long again.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/recalld', import.meta.url)) },
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
})
