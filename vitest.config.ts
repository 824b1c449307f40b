import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { browserProject } from './test/kit/browser-project.ts'

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

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: 'unit', include: UNIT, isolate: false } },
      { extends: true, test: { name: 'whole', include: ['test/**/*.test.ts'], exclude: [...UNIT, BROWSER] } },
      ...browserProject(BROWSER),
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
