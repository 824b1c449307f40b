import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { commentedConfig, settingsPage } from '../../src/config/documents.ts'
import { SETTINGS } from '../../src/config.ts'
import { packagePath } from '../../src/kit/package-root.ts'

test.each([
  ['config/example.yaml', commentedConfig],
  ['config/README.md', settingsPage],
])('%s tells of the settings as they are (else run: npm run docs:config)', (path, write) => {
  expect(readFileSync(packagePath(path), 'utf8')).toBe(write(SETTINGS))
})

test('every setting stands on the page under all of its names', () => {
  const page = settingsPage(SETTINGS)
  expect(page).toContain(
    '| `rate_limit_per_minute`<br>`RECALLD_RATE_LIMIT_PER_MINUTE`<br>`--rate-limit-per-minute` | `1000` |',
  )
  expect(page.match(/^\| `/gm)).toHaveLength(Object.keys(SETTINGS).length)
})
