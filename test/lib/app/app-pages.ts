import type { Page } from 'playwright-core'
import { until } from '../until.ts'
import type { AppService } from './app-service.ts'

/** Pages of the app by their paths below /app, as the service with the samples shows them (test/lib/app/sample-service.ts). */
export const APP_PAGES = [
  '/',
  '/?q=Which+database+did+we+choose%3F',
  '/?q=nothing+of+the+kind+zzzz',
  '/days/2026-03-03',
  '/days/2026-03-02/week',
  '/days/1999-01-01',
  '/people',
  '/people?view=you',
  '/people/person/Jonas%20Weber',
  '/library',
  '/library/changes',
  '/library/slack/slack-outage-12-march-md',
  '/library/pdf/pdf-checkout-runbook-pdf',
  '/library/claude_code/claude_code-pool-size-check-jsonl',
  '/sources',
  '/sources/new',
  '/sources/new/technical_docs',
  '/sources/new/slack',
  '/sources/new/messenger_exports',
  '/sources/new/chat_exports',
  '/sources/technical_docs/handbook',
  '/settings',
  '/settings/keys',
  '/settings/usage',
  '/settings/activity',
  '/settings/models',
  '/settings/server',
  '/settings/people',
  '/settings/security',
  '/no/such/page',
]

/** Opens a page of the app and waits until it shows all that it was asked for. @param path below /app */
export async function openPage(page: Page, service: Pick<AppService, 'address'>, path: string): Promise<void> {
  await page.goto(`${service.address}/app${path}`)
  await settled(page)
}

/** As `openPage`, from another page of the app, as a link does. */
export async function turnTo(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(`/app${path}`)})`)
  await settled(page)
}

/** Until nothing of the page is loading. */
export async function settled(page: Page): Promise<void> {
  await page.locator('main :is(h1, p)').first().waitFor()
  const loading = page.locator('[aria-busy=true], .animate-pulse')
  await until(async () => (await loading.count()) === 0)
}
