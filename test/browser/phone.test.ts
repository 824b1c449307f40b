import { describe, expect } from 'vitest'
import { browserTestOf } from '../kit/app-browser.ts'
import { APP_PAGES, turnTo } from '../kit/app-pages.ts'
import { startSampleService } from '../kit/sample-service.ts'

const phoneTest = browserTestOf(startSampleService)
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

/** What reaches beyond the right edge, though the page cannot be scrolled there; evaluated in the page. */
const TOO_WIDE = `(() => {
  const width = document.documentElement.clientWidth
  if (document.documentElement.scrollWidth <= width) return []
  const wide = [...document.querySelectorAll('#page *')].filter((one) => one.getBoundingClientRect().right > width + 1)
  return wide.slice(-5).map((one) => one.outerHTML.slice(0, 200))
})()`

describe('on a phone', () => {
  phoneTest('no page scrolls sideways', async ({ visit }) => {
    const { page } = await visit(PHONE)
    for (const path of APP_PAGES) {
      await turnTo(page, path)
      expect(await page.evaluate<string[]>(TOO_WIDE), path).toEqual([])
    }
  })

  phoneTest('the menu leads to every page, and closes', async ({ visit }) => {
    const { page } = await visit(PHONE)
    const navigation = page.getByRole('navigation', { name: 'Pages' })
    for (const title of ['Sources', 'Library', 'Keys', 'Usage', 'Activity', 'Settings', 'Recall']) {
      expect(await navigation.isVisible(), title).toBe(false)
      await page.getByRole('button', { name: 'Open the menu' }).tap()
      await navigation.getByRole('link', { name: title }).tap()
      await navigation.waitFor({ state: 'hidden' })
      await page.locator('main h1').waitFor()
    }
  })
})
