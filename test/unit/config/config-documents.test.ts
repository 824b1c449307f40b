import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  commentedConfig,
  connectorsTable,
  providersTable,
  settingsPage,
  sourcesTable,
} from '../../../src/config/documents.ts'
import { SETTINGS } from '../../../src/config.ts'
import { connectorDocuments, providerDocuments } from '../../../src/connections/connector-view.ts'
import { packagePath } from '../../../src/lib/files.ts'
import { modelDocuments } from '../../../src/models/configured/open-models.ts'
import { madeUpConnector } from '../../lib/made-up-connector.ts'

test.each([
  ['config/example.yaml', () => commentedConfig(SETTINGS)],
  ['config/README.md', async () => settingsPage(SETTINGS, await connectorDocuments(), modelDocuments())],
])('%s tells of the settings as they are (else run: npm run docs:config)', async (path, write) => {
  expect(readFileSync(packagePath(path), 'utf8')).toBe(await write())
})

test('docs/sources.md has the current table of sources (else run: npm run docs:config)', async () => {
  const page = readFileSync(packagePath('docs/sources.md'), 'utf8')
  expect(page).toContain(`<!-- sources -->\n${sourcesTable(await connectorDocuments())}<!-- /sources -->`)
})

test('connectors/README.md has the table of the connectors as they are (else run: npm run docs:config)', async () => {
  const page = readFileSync(packagePath('connectors/README.md'), 'utf8')
  expect(page).toContain(`<!-- connectors -->\n${connectorsTable(await connectorDocuments())}<!-- /connectors -->`)
})

test('docs/connect/README.md has the current table of providers (else run: npm run docs:config)', async () => {
  const page = readFileSync(packagePath('docs/connect/README.md'), 'utf8')
  expect(page).toContain(`<!-- providers -->\n${providersTable(await providerDocuments())}<!-- /providers -->`)
})

test('every setting stands on the page under all of its names', () => {
  const page = settingsPage(SETTINGS, [], [])
  expect(page).toContain(
    '| `rate_limit_per_minute`<br>`RECALLD_RATE_LIMIT_PER_MINUTE`<br>`--rate-limit-per-minute` | `1000` |',
  )
  expect(page.match(/^\| `\w+`<br>`RECALLD_/gm)).toHaveLength(Object.keys(SETTINGS).length)
})

test('every connector has a table of what is set for it alone; what all have stands once', async () => {
  const connectors = await connectorDocuments({
    made_up: async () => madeUpConnector(),
    slow_mail: async () => madeUpConnector(undefined, { id: 'slow_mail', title: 'Slow mail' }),
  })
  const page = settingsPage(SETTINGS, connectors, [])
  expect(page.match(/^\| `schedule` \|/gm)).toHaveLength(1)
  expect(page).toContain('### `slow_mail`: Slow mail')
  expect(page.match(/^\| `depth` .*$/gm)).toEqual(
    Array.from({ length: 2 }, () => '| `depth` | `3` | How deep to look. Must be a whole number from 1 to 9. |'),
  )
  expect(page).toContain('| `name` | required | Your name for this connection,')
})

test('every kind of model has a table of its settings, with what is allowed', () => {
  const page = settingsPage(SETTINGS, [], modelDocuments())
  expect(page.match(/^### `models\.\w+`/gm)).toEqual([
    '### `models.language`',
    '### `models.embedding`',
    '### `models.reranker`',
  ])
  expect(page).toContain(
    '| `max_concurrent` | `2` | Maximum number of concurrent calls. Must be a whole number from 1 to 100. |',
  )
})
