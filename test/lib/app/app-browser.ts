import { join } from 'node:path'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { type RunnerTestCase, test } from 'vitest'
import { type AppService, startAppService } from './app-service.ts'
import { chromiumPath, launchChromium } from './chromium.ts'
import { signInTo } from './sign-in-to.ts'
import { screenshotFolder } from './take-screenshots.ts'
import { type Watch, watchContext } from './watched-page.ts'

/** A browser window of its own: cookies, storage, a page; and what must not happen in it. */
export interface Visit {
  readonly context: BrowserContext
  readonly page: Page
  readonly watch: Watch
}

export interface VisitOptions extends BrowserContextOptions {
  /** `false`: as a stranger; default: as the first person, at `/app/`. */
  readonly signedIn?: boolean
  /** Instead of the service of the file. */
  readonly service?: ServiceToVisit
}

type ServiceToVisit = Pick<AppService, 'address' | 'firstLink'>
export type OpenVisit = (options?: VisitOptions) => Promise<Visit>

const SIZE = { width: 1280, height: 800 }
/** Shorter than a test may take, so that it says what it waited for; build servers may be slow. */
const PATIENCE_MS = 240_000

/**
 * `test` of the pages in Chromium, with:
 *
 * - `service`: `recalld up` in a home of its own, one for the file;
 * - `page`: signed in as the first person, at `/app/`; `watch`: what must not happen on it;
 * - `visit(options)`: further windows; of another size, as a stranger, at another service.
 *
 * A test fails when a script fails, the content security policy is broken, a page reaches for another host, a file is
 * lost or the service answers 5xx; then there is a picture of each page in the folder of screenshots. Without Chromium
 * all are skipped.
 */
export const browserTest = browserTestOf(startAppService)

/** The same with a service of another kind. @param start called once for a file */
export function browserTestOf(start: () => Promise<AppService>) {
  return (
    test
      // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern what a fixture is made of
      .extend('browser', { scope: 'worker' }, async ({}, { onCleanup }): Promise<Browser> => {
        const browser = await launchChromium()
        onCleanup(() => browser.close())
        return browser
      })
      // biome-ignore lint/correctness/noEmptyPattern: the same
      .extend('service', { scope: 'file' }, async ({}, { onCleanup }): Promise<AppService> => {
        const service = await start()
        onCleanup(() => service[Symbol.asyncDispose]())
        return service
      })
      .extend('visit', async ({ browser, service, task }, { onCleanup }): Promise<OpenVisit> => {
        const visits: Visit[] = []
        onCleanup(() => closeVisits(visits, task))
        return async (options = {}) => {
          const visit = await openVisit(browser, { service, ...options })
          visits.push(visit)
          return visit
        }
      })
      .extend('own', async ({ visit }): Promise<Visit> => visit())
      .extend('page', async ({ own }): Promise<Page> => own.page)
      .extend('watch', async ({ own }): Promise<Watch> => own.watch)
      .skipIf(chromiumPath() === undefined)
  )
}

async function openVisit(
  browser: Browser,
  { service, signedIn = true, ...options }: VisitOptions & { readonly service: ServiceToVisit },
): Promise<Visit> {
  const context = await browser.newContext({ viewport: SIZE, reducedMotion: 'reduce', ...options })
  context.setDefaultTimeout(PATIENCE_MS)
  const watch = await watchContext(context, service.address)
  if (signedIn) await signInTo(context, service)
  const page = await context.newPage()
  if (signedIn) {
    await page.goto(`${service.address}/app/`)
    await page.locator('#page').waitFor()
  }
  return { context, page, watch }
}

/** @throws Error when something happened on the pages that must not */
async function closeVisits(visits: readonly Visit[], { name, result }: RunnerTestCase): Promise<void> {
  const faults = visits.flatMap(({ watch }) => watch.faults)
  if (result?.state === 'fail' || faults.length > 0) await picture(visits, name)
  await Promise.all(visits.map(({ context }) => context.close()))
  if (faults.length > 0) throw new Error(`On the pages of this test:\n${faults.join('\n')}`)
}

async function picture(visits: readonly Visit[], testName: string): Promise<void> {
  const name = testName.replace(/\W+/g, '-').slice(0, 80)
  for (const [index, { page }] of visits.entries()) {
    const path = join(screenshotFolder(), `failed-${name}-${index}.png`)
    await page.screenshot({ path })
    process.stderr.write(`${page.url()} as it was: ${path}\n`)
  }
}
