import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/browser/**', 'node_modules/**'],
    setupFiles: ['test/kit/loopback-only.ts'],
    pool: 'forks',
    // Many tests wait for processes: with a core left free, as by default, two cores would run one file at a time.
    maxWorkers: '100%',
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
})
