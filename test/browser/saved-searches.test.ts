import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { accessibilityFindings } from '../lib/app/accessibility-findings.ts'
import { browserTestOf } from '../lib/app/app-browser.ts'
import { openPage, settled, turnTo } from '../lib/app/app-pages.ts'
import { startSampleService } from '../lib/app/sample-service.ts'
import { tabTo } from '../lib/app/tab-to.ts'

const sampleTest = browserTestOf(startSampleService)

const star = (page: Page) => page.getByRole('button', { name: 'Save search' })
const saved = (page: Page) => page.getByRole('heading', { name: 'Saved searches in this browser' })
const isPressed = (page: Page, pressed: boolean) => page.getByRole('button', { name: 'Save search', pressed }).waitFor()

async function save(page: Page, query: string): Promise<void> {
  await turnTo(page, `/?q=${query}`)
  await star(page).click()
  await isPressed(page, true)
}

describe('a saved search', () => {
  sampleTest('keeps question and filters, and is forgotten by a second click', async ({ page }) => {
    await page.locator('#question').fill('checkout')
    await page.locator('#question').press('Enter')
    await page.getByRole('button', { name: /^Filter by source/ }).click()
    await page.getByRole('button', { name: /^Slack/ }).click()
    await page.waitForURL('**/app/?q=checkout&source=slack')
    await page.keyboard.press('Escape')
    await star(page).click()
    await isPressed(page, true)
    await settled(page)
    expect(await accessibilityFindings(page, 'every')).toEqual([])
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await isPressed(page, false)
    await page.getByRole('button', { name: 'Clear search' }).click()
    await saved(page).waitFor()
    await settled(page)
    expect(await accessibilityFindings(page, 'every')).toEqual([])
    await page.getByRole('link', { name: 'checkout · Slack' }).click()
    await page.waitForURL('**/app/?q=checkout&source=slack')
    await star(page).click()
    await isPressed(page, false)
    await page.getByRole('button', { name: 'Clear search' }).click()
    await page.getByText('Try asking').waitFor()
    expect(await saved(page).count()).toBe(0)
  })

  sampleTest('is saved, found in the palette and removed by the keyboard', async ({ page }) => {
    await page.locator('#question:focus').waitFor()
    await page.keyboard.type('the outage')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/app/?q=the+outage')
    await tabTo(page, star(page))
    await page.keyboard.press('Space')
    await isPressed(page, true)
    await save(page, 'the+launch')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('outa')
    await page.getByRole('option', { name: 'Saved search: the outage' }).waitFor()
    expect(await accessibilityFindings(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.waitForURL('**/app/?q=the+outage')
    await turnTo(page, '/')
    const remove = (what: string) => page.getByRole('button', { name: `Remove ${what}` })
    await tabTo(page, remove('the launch'))
    await page.keyboard.press('Enter')
    await remove('the launch').waitFor({ state: 'detached' })
    await remove('the outage').and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await saved(page).waitFor({ state: 'detached' })
    await page.locator('#question:focus').waitFor()
    await page.reload()
    await page.getByText('Try asking').waitFor()
    expect(await saved(page).count()).toBe(0)
  })

  sampleTest('stays when another window saves one, too', async ({ own, service }) => {
    const { page, context } = own
    await save(page, 'database')
    const other = await context.newPage()
    await openPage(other, service, '/?q=launch')
    await save(page, 'outage')
    await star(other).click()
    await isPressed(other, true)
    await openPage(page, service, '/')
    await saved(page).waitFor()
    const links = page.getByRole('link', { name: /^(?:database|launch|outage)$/ })
    expect(await links.allTextContents()).toEqual(['launch', 'outage', 'database'])
  })

  sampleTest('has its star in view on a phone', async ({ visit, service }) => {
    const { page } = await visit({ viewport: { width: 390, height: 844 } })
    await openPage(page, service, '/?q=the+outage')
    const box = await star(page).boundingBox()
    expect(box?.x).toBeGreaterThanOrEqual(0)
    expect((box?.x ?? 390) + (box?.width ?? 390)).toBeLessThanOrEqual(390)
    await star(page).click()
    await isPressed(page, true)
    await page.getByRole('button', { name: 'Clear search' }).click()
    await page.getByRole('link', { name: 'the outage' }).waitFor()
  })
})
