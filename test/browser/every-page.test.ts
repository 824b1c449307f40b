import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { accessibilityFindings } from '../lib/app/accessibility-findings.ts'
import { browserTestOf } from '../lib/app/app-browser.ts'
import { APP_PAGES, settled, turnTo } from '../lib/app/app-pages.ts'
import { startSampleService } from '../lib/app/sample-service.ts'
import { takeScreenshots } from '../lib/app/take-screenshots.ts'

const sampleTest = browserTestOf(startSampleService)

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const TABLET = { viewport: { width: 768, height: 1024 } }

/** What reaches beyond the right edge, though the page cannot be scrolled there; evaluated in the page. */
const TOO_WIDE = `(() => {
  const width = document.documentElement.clientWidth
  if (document.documentElement.scrollWidth <= width) return []
  const wide = [...document.querySelectorAll('#page *')].filter((one) => one.getBoundingClientRect().right > width + 1)
  return wide.slice(-5).map((one) => one.outerHTML.slice(0, 200))
})()`

/** How far the page can be scrolled beyond its content; evaluated in the page. */
const BELOW_CONTENT = `document.documentElement.scrollHeight - Math.max(innerHeight, document.querySelector('#page').getBoundingClientRect().bottom + scrollY)`

/** In both themes; what is there besides colours is the same in both. */
async function findingsIn(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await accessibilityFindings(page, 'colours')
  await page.emulateMedia({ colorScheme: 'light' })
  return [...(await accessibilityFindings(page, 'every')), ...dark.map((finding) => `dark: ${finding}`)]
}

describe('in both themes', () => {
  const settings = APP_PAGES.filter((path) => path.startsWith('/settings'))
  const remembered = APP_PAGES.filter((path) => /^\/(?:days|people|library|\?|$)/.test(path))
  sampleTest.for([
    ['the pages of the memory', remembered],
    ['the pages of the account', APP_PAGES.filter((path) => ![...settings, ...remembered].includes(path))],
    ['the settings', settings],
  ] as const)('everybody can use %s', async ([, paths], { page }) => {
    const findings: string[] = []
    for (const path of paths) {
      await turnTo(page, path)
      findings.push(...(await findingsIn(page)))
      const below = Number(await page.evaluate(BELOW_CONTENT))
      if (below > 1) findings.push(`${path} scrolls ${below} pixels beyond its content`)
      if (process.env.RECALLD_SCREENSHOTS !== undefined) await takeScreenshots(page, `page${path.replace(/\W+/g, '-')}`)
    }
    expect(findings).toEqual([])
  })

  sampleTest('everybody can sign in', async ({ visit, service }) => {
    const { page } = await visit({ signedIn: false })
    const findings: string[] = []
    for (const address of [`${service.address}/app/`, service.firstLink, `${service.address}/app/welcome#gone`]) {
      await page.goto('about:blank')
      await page.goto(address)
      await settled(page)
      findings.push(...(await findingsIn(page)))
    }
    expect(findings).toEqual([])
  })
})

sampleTest('an address that leads nowhere has a title, like every page', async ({ page }) => {
  await turnTo(page, '/no/such/page')
  await page.getByRole('heading', { name: 'Page not found', level: 1 }).waitFor()
  expect(await accessibilityFindings(page, 'every')).toEqual([])
})

describe('on a phone', () => {
  sampleTest.for([
    ['en-GB', PHONE],
    ['de-DE', PHONE],
    ['de-DE', TABLET],
  ] as const)(
    'and on a tablet, no page scrolls sideways, and everybody can use it: %s',
    async ([locale, device], { visit }) => {
      const { page } = await visit({ ...device, locale })
      for (const path of APP_PAGES) {
        await turnTo(page, path)
        expect(await page.evaluate<string[]>(TOO_WIDE), path).toEqual([])
        if (locale === 'en-GB') expect(await accessibilityFindings(page, 'every')).toEqual([])
      }
    },
  )

  sampleTest('the menu leads to every page, and closes', async ({ visit }) => {
    const { page } = await visit(PHONE)
    const navigation = page.getByRole('navigation', { name: 'Pages' })
    for (const title of ['Days', 'People', 'Sources', 'Library', 'Settings', 'Recall']) {
      await page.getByRole('button', { name: 'Open menu' }).waitFor()
      expect(await navigation.isVisible(), title).toBe(false)
      await page.getByRole('button', { name: 'Open menu' }).tap()
      await navigation.getByRole('link', { name: title }).tap()
      await navigation.waitFor({ state: 'hidden' })
      await page.locator('main h1').waitFor()
    }
  })
})
