import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { insertItems } from '../bench/library-items.ts'
import { accessibilityFindings } from '../lib/app/accessibility-findings.ts'
import { browserTestOf } from '../lib/app/app-browser.ts'
import { turnTo } from '../lib/app/app-pages.ts'
import { type AppService, startAppService } from '../lib/app/app-service.ts'
import { until } from '../lib/until.ts'

const ITEMS = 10_000
const NOTES = 120
const TEAMS = ['harbour', 'garden', 'kitchen', 'cellar', 'attic', 'workshop']

/** 10,000 items in the library, and notes that can be recalled among them. */
const largeTest = browserTestOf(async () => {
  const service = await startAppService()
  const note = (n: number) => `Ferry report ${n}: the ${TEAMS[n % TEAMS.length]} team counted ${n * 7} guests.`
  await Promise.all(
    Array.from({ length: NOTES }, (_, n) =>
      service.memory.memorize({
        fileName: `ferry-${n}.txt`,
        body: new TextEncoder().encode(note(n)),
        sourceType: 'text',
        itemId: `ferry-${n}`,
        userName: 'Ada',
      }),
    ),
  )
  await until(async () => {
    const { files } = await service.memory.list({ sourceType: 'text', limit: 1_000 })
    return files.length === NOTES && files.every(({ status }) => status === 'ready')
  })
  insertInto(service)
  return service
})

function insertInto({ home }: AppService): void {
  const file = join(home, 'recalld.db')
  const reader = new DatabaseSync(file, { readOnly: true, timeout: 60_000 })
  const accountId = String(reader.prepare('select account_id from account').get()?.account_id)
  reader.close()
  insertItems(file, accountId, ITEMS - NOTES, 'many')
}

const results = (page: Page) => page.getByRole('list', { name: 'Results' }).getByRole('listitem')

describe('with 10,000 items', () => {
  largeTest(
    'the library is searched, all that match are selected, and a tag reaches each of them',
    async ({ page }) => {
      await turnTo(page, '/library')
      const table = page.getByRole('table', { name: 'Items' })
      await page.getByText('10,000 items', { exact: true }).waitFor()
      await page.evaluate('window.scrollTo(0, document.body.scrollHeight)')
      await page.locator('tr[aria-rowindex="10001"] a').waitFor()
      expect(await page.getByRole('row').count()).toBeLessThan(80)
      await page.evaluate('window.scrollTo(0, 0)')
      await page.getByPlaceholder('Title, file name or ID').fill('number 99')
      await expect.poll(async () => Number(await table.getAttribute('aria-rowcount'))).toBeLessThan(200)
      const count = Number(await table.getAttribute('aria-rowcount')) - 1
      expect(count).toBeGreaterThan(1)
      await page.getByRole('button', { name: `Select all ${count}` }).click()
      const bar = page.getByRole('toolbar')
      await bar.getByText(`${count} items selected`).waitFor()
      expect(await accessibilityFindings(page)).toEqual([])
      await bar.getByLabel('Add a tag').fill('Ninety')
      await bar.getByRole('button', { name: 'Add' }).click()
      await page.locator('#toasts').getByText(`${count} items tagged “Ninety”`).waitFor()
      await turnTo(page, '/library?tag=ninety')
      await page.getByText(`${count} items`, { exact: true }).waitFor()
    },
  )

  largeTest('a selection has at most 1,000 items, and says so before', async ({ page }) => {
    await turnTo(page, '/library?source=slack')
    await page.getByRole('button', { name: 'Select the first 1,000' }).click()
    await page.getByRole('toolbar').getByText('1,000 items selected').waitFor()
  })

  largeTest('results are walked through by j and k to the last one, none of them twice', async ({ page }) => {
    await page.getByLabel('Search your memory').fill('ferry report guests')
    await page.keyboard.press('Enter')
    await results(page).nth(29).waitFor()
    for (const shown of [60, 90, 100]) {
      await page.getByRole('button', { name: 'Show more' }).click()
      await results(page)
        .nth(shown - 1)
        .waitFor()
    }
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0)
    const texts = await results(page).allTextContents()
    expect(new Set(texts.map((text) => /Ferry report \d+/.exec(text)?.[0])).size).toBe(100)
    await results(page).first().locator(':focus, [tabindex="0"]').first().focus()
    for (let n = 1; n < 100; n++) await page.keyboard.press('j')
    await page.getByText('100 of 100', { exact: true }).waitFor()
    await page.keyboard.press('k')
    await page.getByText('99 of 100', { exact: true }).waitFor()
    const last = /Ferry report \d+: .*/.exec(texts[98] ?? '')?.[0].slice(0, 20) ?? 'no report'
    await page.getByRole('region', { name: 'Source of the selected result' }).getByText(last).first().waitFor()
  })
})
