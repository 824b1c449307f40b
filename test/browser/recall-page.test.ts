import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import type { Visit } from '../lib/app/app-browser.ts'
import { browserTest, browserTestOf } from '../lib/app/app-browser.ts'
import { settled } from '../lib/app/app-pages.ts'
import { startSampleService } from '../lib/app/sample-service.ts'
import { tabTo } from '../lib/app/tab-to.ts'

const sampleTest = browserTestOf(startSampleService)

async function search(page: Page, text: string): Promise<void> {
  const box = page.getByLabel('Search your memory')
  await box.fill(text)
  await box.press('Enter')
}

const results = (page: Page) => page.getByRole('list', { name: 'Results' }).getByRole('article')
const asked = (page: Visit['page']) => {
  const calls: string[] = []
  page.on('request', (request) => {
    const path = new URL(request.url()).pathname
    if (/\/(recall|ask)$/.test(path)) calls.push(path.slice(path.lastIndexOf('/') + 1))
  })
  return calls
}

browserTest('an empty memory says how to fill it', async ({ page }) => {
  await page.getByText('Your memory is empty').waitFor()
  await page.getByRole('link', { name: 'Upload files' }).click()
  await page.waitForURL('**/app/library')
})

browserTest(
  'the search box is what one types into, unless one went elsewhere while it was loading',
  async ({ page }) => {
    const link = (name: string) => page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name })
    const box = page.locator('#question')
    const focused = page.locator(':focus')
    const script = Promise.withResolvers<void>()
    await page.route('**/assets/recall-page-*.js', async (route) => {
      await script.promise
      await route.continue()
    })
    await page.reload({ waitUntil: 'commit' })
    await tabTo(page, link('Library'))
    expect(await box.count()).toBe(0)
    script.resolve()
    await box.waitFor()
    expect(await link('Library').and(focused).count()).toBe(1)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Library', level: 1 }).waitFor()
    await tabTo(page, link('Recall'))
    await page.keyboard.press('Enter')
    await box.and(focused).waitFor()
  },
)

describe('the recall page', () => {
  sampleTest('is used by the keyboard: type, Enter, and / to type again', async ({ page }) => {
    await page.locator('#question:focus').waitFor()
    await page.keyboard.type('which database did we choose')
    await page.keyboard.press('Enter')
    await results(page).first().waitFor()
    await results(page).first().focus()
    await page.keyboard.press('/')
    await page.locator('#question:focus').waitFor()
    expect(await page.getByLabel('Search your memory').inputValue()).toBe('which database did we choose')
  })

  sampleTest('marks the words of the question, and says why each result is there', async ({ page }) => {
    await search(page, 'which databases did we choose')
    const best = results(page).first()
    await best
      .locator('mark', { hasText: /database/i })
      .first()
      .waitFor()
    await best.getByText('Why this result?').click()
    const points = await best.getByRole('table').getByRole('row').locator('td').allInnerTexts()
    const sum = points.reduce((total, text) => total + Number(text.replace('−', '-')), 0)
    expect(points.length).toBeGreaterThan(1)
    expect(await best.getByText(/^Relevance: \d+ of 100$/).innerText()).toBe(`Relevance: ${sum} of 100`)
  })

  sampleTest('keeps search and filters in the address, for back, reload and sharing', async ({ page }) => {
    await search(page, 'checkout')
    await page.getByRole('button', { name: /^Slack/ }).click()
    await page.waitForURL('**/app/?q=checkout&source=slack')
    await settled(page)
    expect(await results(page).count()).toBeGreaterThan(0)
    for (const card of await results(page).all()) expect(await card.innerText()).toContain('Slack')
    await page.reload()
    await page.getByRole('button', { name: /^Slack/, pressed: true }).waitFor()
    await page.goBack()
    await page.waitForURL('**/app/?q=checkout')
    await page.getByRole('button', { name: /^Slack/, pressed: false }).waitFor()
    expect(await page.getByLabel('Search your memory').inputValue()).toBe('checkout')
  })

  sampleTest('narrows to the time of a bar, and to a person', async ({ page }) => {
    await search(page, 'checkout')
    await results(page).first().waitFor()
    const before = await results(page).count()
    const bar = page.getByRole('button', { name: /Show only these\.$/ }).first()
    const count = Number(/: (\d+) result/.exec((await bar.getAttribute('aria-label')) ?? '')?.[1])
    await bar.click()
    await page.waitForURL(/since=\d{4}-\d{2}-\d{2}&until=/)
    await expect.poll(() => results(page).count()).toBeGreaterThanOrEqual(count)
    expect(count).toBeLessThan(before)
    await page.goBack()
    await results(page).first().waitFor()
    const person = page.locator('article button[title="Show only results with this person"]').first()
    const name = await person.innerText()
    await person.click()
    await page.waitForURL(/person=/)
    await settled(page)
    expect(await results(page).count()).toBeGreaterThan(0)
    for (const card of await results(page).all()) expect(await card.innerText()).toContain(name)
  })

  sampleTest('answers a question once, and its numbers lead to the memories', async ({ page }) => {
    const calls = asked(page)
    await search(page, 'How long did the outage last?')
    const answer = page.getByRole('button', { name: 'Source 1' })
    await answer.waitFor()
    await answer.click()
    await page.locator('article:focus').waitFor()
    expect(calls.toSorted()).toEqual(['ask', 'recall'])
    await search(page, 'the outage')
    await page.getByRole('button', { name: 'Get an answer' }).waitFor()
    await page.goBack()
    await answer.waitFor()
    expect(calls.toSorted()).toEqual(['ask', 'recall', 'recall'])
  })

  sampleTest('answers anything when told to, also the next time', async ({ page }) => {
    const calls = asked(page)
    await search(page, 'the database')
    await page.getByRole('button', { name: 'Get an answer' }).click()
    await page.getByRole('button', { name: 'Source 1' }).waitFor()
    // Beside long results, an answer that is higher than the window is scrolled in itself.
    const always = page.getByLabel('Answer every search')
    await always.scrollIntoViewIfNeeded()
    expect((await always.boundingBox())?.y).toBeLessThan(page.viewportSize()?.height ?? 0)
    await always.check()
    expect(calls).toContain('ask')
    await page.reload()
    await search(page, 'the launch')
    await expect.poll(() => calls.filter((call) => call === 'ask').length).toBeGreaterThan(1)
    await page.getByRole('heading', { name: 'Answer', exact: true }).waitFor()
  })

  sampleTest('says honestly that it knows nothing, and what could be tried', async ({ page, service }) => {
    await search(page, 'What is the weather on the moon?')
    await page.getByText('No clear answer', { exact: true }).waitFor()
    await page.goto(`${service.address}/app/?q=qwrtz+zzzz&source=slack`)
    await page.getByText('No results match these filters').waitFor()
    await page.getByRole('button', { name: 'Search without filters' }).click()
    await page.getByText('No results', { exact: true }).waitFor()
  })

  sampleTest('remembers searches in this browser only, until they are cleared', async ({ page, service, visit }) => {
    await search(page, 'the runbook')
    await results(page).first().waitFor()
    await page.getByRole('button', { name: 'Clear search' }).click()
    await page.getByRole('button', { name: 'the runbook' }).click()
    await page.waitForURL('**/app/?q=the+runbook')
    const other = await visit()
    await other.page.getByText('Try asking').waitFor()
    expect(await other.page.getByText('Recent searches').count()).toBe(0)
    await page.goto(`${service.address}/app/`)
    await page.getByText('Recent searches').waitFor()
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await page.getByText('Recent searches').waitFor({ state: 'detached' })
  })

  sampleTest('says what helps when the plan or the pace ends a search', async ({ page, watch }) => {
    watch.allow(/429|402/)
    for (const [status, words] of [
      [429, 'Too many questions'],
      [402, 'View usage'],
    ] as const) {
      await page.route('**/app/api/recall', (route) =>
        route.fulfill({ status, json: { detail: 'RATE_LIMIT_EXCEEDED' } }),
      )
      await search(page, `status ${status}`)
      await page.getByText(words).waitFor()
      await page.unroute('**/app/api/recall')
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByText(words).waitFor({ state: 'detached' })
    }
  })
})
