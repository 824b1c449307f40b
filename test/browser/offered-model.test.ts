import { availableParallelism } from 'node:os'
import { expect } from 'vitest'
import { hasEngine } from '../../src/models/local/local-models.ts'
import { accessibilityFindings } from '../lib/app/accessibility-findings.ts'
import { browserTestOf } from '../lib/app/app-browser.ts'
import { openPage } from '../lib/app/app-pages.ts'
import { startAppService } from '../lib/app/app-service.ts'
import { freePort } from '../lib/free-port.ts'

/** Nothing answers where it looks for packages. */
const test = browserTestOf(async () =>
  startAppService({ env: { npm_config_registry: `http://127.0.0.1:${await freePort()}` } }),
)

const hasRoom = hasEngine() && availableParallelism() >= 2 && process.availableMemory() >= 1_500_000_000

test('an offered model can be added, and is not offered again once declined', async ({ page, service, skip }) => {
  skip(!hasRoom, 'this machine has no room for the model')
  const offer = page.getByRole('region', { name: 'Better search for English text' })
  await offer.waitFor()
  expect(await accessibilityFindings(page)).toEqual([])
  await offer.getByRole('button', { name: /^Add \(\d+ MB\)/ }).click()
  await page.getByText("doesn't respond").waitFor()
  expect(new URL(page.url()).pathname).toBe('/app/settings/models')
  await openPage(page, service, '/')
  await offer.getByRole('button', { name: 'No, thanks' }).click()
  await offer.waitFor({ state: 'detached' })
  await service.memorize({ fileName: 'kite.md', body: 'Our kite hangs in the cellar beside the skis.' })
  await openPage(page, service, '/')
  await page.getByRole('heading', { name: 'Try asking' }).waitFor()
  expect(await offer.count()).toBe(0)
})
