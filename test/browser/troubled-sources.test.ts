import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { browserTestOf } from '../lib/app/app-browser.ts'
import { turnTo } from '../lib/app/app-pages.ts'
import { startAppService } from '../lib/app/app-service.ts'

const SOURCES = 'connectors:\n  technical_docs: [{name: handbook, paths: [/nowhere/handbook]}]\n'

const troubledTest = browserTestOf(() =>
  startAppService({ prepare: (home) => writeFileSync(join(home, 'config.yaml'), SOURCES, { mode: 0o600 }) }),
)

troubledTest('the first page leads to sources that need the person', async ({ page, service }) => {
  await service.memorize({ fileName: 'launch.txt', body: 'The launch of the shop is on Tuesday.' })
  await turnTo(page, '/sources')
  await page.getByText('Needs attention').first().waitFor()
  await turnTo(page, '/')
  await page.getByText('1 source needs your attention.').waitFor()
  await page.getByRole('link', { name: 'Show sources' }).click()
  await page.getByRole('heading', { name: 'Sources', level: 1 }).waitFor()
})
