import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { z } from 'zod'
import { accessibilityFindings } from '../lib/app/accessibility-findings.ts'
import { browserTest, browserTestOf } from '../lib/app/app-browser.ts'
import { type AppService, startAppService } from '../lib/app/app-service.ts'
import { httpCall } from '../lib/http-call.ts'
import { until } from '../lib/until.ts'

const recall = (service: AppService, key: string, source: string) =>
  httpCall(`${service.address}/v1/memories/recall`, {
    method: 'POST',
    key,
    form: [
      ['text', 'anything'],
      ['source', source],
    ],
  })

const open = async (page: Page, name: 'Keys' | 'Usage') => {
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name }).click()
}
/** That the keyboard goes on from a place of the page, after a dialog is gone. */
const focusIsKept = async (page: Page) => {
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await until(async () => page.evaluate<boolean>('document.querySelector("main").contains(document.activeElement)'))
}

/** The value that the dialog holds, by its button. */
async function shownKey(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  return (await page.getByTestId('key').textContent()) ?? ''
}

describe('keys in the browser', () => {
  browserTest('a new key needs no plan, is shown once and works', async ({ page, service }) => {
    await open(page, 'Keys')
    await page.getByRole('button', { name: 'New key' }).click()
    const form = page.getByRole('dialog', { name: 'New key' })
    await form.getByLabel('Name').fill('cursor-laptop')
    await form.getByLabel('Specific sources').check()
    expect(await form.getByRole('button', { name: 'Create key' }).isDisabled()).toBe(true)
    await form.getByLabel('Search sources').fill('git')
    await form.getByRole('checkbox', { name: 'GitHub' }).check()
    expect(await accessibilityFindings(page)).toEqual([])
    await form.getByRole('button', { name: 'Create key' }).click()

    const shown = page.getByRole('dialog', { name: 'Key cursor-laptop' })
    await shown.waitFor()
    expect(await shown.innerText()).not.toMatch(/rk_\w/)
    await page.keyboard.press('Escape')
    const key = await shownKey(page)
    expect(key).toMatch(/^rk_[\w-]{43}$/)
    await shown.getByRole('tab', { name: 'Cursor' }).click()
    expect(await shown.getByRole('tabpanel', { name: 'Cursor' }).innerText()).toContain(`${service.address}/mcp`)
    expect(await accessibilityFindings(page)).toEqual([])
    await shown.getByRole('button', { name: "I've saved the key" }).click()
    await shown.waitFor({ state: 'detached' })
    expect(await page.content()).not.toContain(key)
    await focusIsKept(page)

    expect((await recall(service, key, 'github')).status).toBe(200)
    expect((await recall(service, key, 'slack')).status).toBe(403)
    const row = page.getByRole('listitem').filter({ hasText: 'cursor-laptop' })
    await expect.poll(() => row.innerText()).toContain('GitHub')

    await page.getByRole('button', { name: 'Revoke cursor-laptop' }).click()
    await page.getByRole('button', { name: 'Revoke key' }).click()
    await row.waitFor({ state: 'detached' })
    await focusIsKept(page)
    expect((await recall(service, key, 'github')).status).toBe(401)
    expect(await accessibilityFindings(page)).toEqual([])
  })

  browserTest('a regenerated default key goes on working at the terminal', async ({ page, service }) => {
    const stored = async () =>
      z
        .object({ api_key: z.string() })
        .parse(JSON.parse(await readFile(join(service.home, 'credentials.json'), 'utf8')))
    const before = await stored()
    await open(page, 'Keys')
    await page.getByRole('button', { name: 'Regenerate default' }).click()
    await page.getByRole('button', { name: 'Regenerate key' }).click()
    const key = await shownKey(page)
    expect(await stored()).toEqual({ api_key: key })
    expect((await recall(service, before.api_key, 'text')).status).toBe(401)
    expect((await recall(service, key, 'text')).status).toBe(200)
  })

  browserTest('a key that another window made appears by itself', async ({ page, visit }) => {
    await open(page, 'Keys')
    await page.getByRole('heading', { name: /of 5 keys/ }).waitFor()
    const other = await visit()
    await open(other.page, 'Keys')
    await other.page.getByRole('button', { name: 'New key' }).click()
    await other.page.getByLabel('Name').fill('elsewhere')
    await other.page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('heading', { name: 'elsewhere' }).waitFor()
  })
})

describe('where nobody bills', () => {
  browserTest('no page speaks of plans, quotas or billing', async ({ page }) => {
    await open(page, 'Usage')
    await page.getByRole('heading', { name: 'Stored' }).waitFor()
    await page.getByRole('heading', { name: 'Daily usage' }).waitFor()
    const text = async () => page.locator('main').innerText()
    expect(await text()).not.toMatch(/plan|quota|billing|unlimited|starter/i)
    await open(page, 'Keys')
    await page.getByRole('heading', { name: /of 5 keys/ }).waitFor()
    expect(await text()).not.toMatch(/plan|quota|billing/i)
  })

  browserTest('the old addresses of keys, usage and activity lead into the settings', async ({ page, service }) => {
    for (const [from, to] of [
      ['keys', 'settings/keys'],
      ['usage?days=90', 'settings/usage?days=90'],
      ['activity?what=questions', 'settings/activity?what=questions'],
    ]) {
      await page.goto(`${service.address}/app/${from}`)
      await page.waitForURL(`${service.address}/app/${to}`)
      await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    }
  })
})

const BILLED = browserTestOf(() => startAppService({ env: { RECALLD_BILLING: 'on' } }))

describe('where accounts pay', () => {
  BILLED('a plan is chosen under usage, and its limits are shown', async ({ page }) => {
    await open(page, 'Usage')
    await page.getByRole('button', { name: /plan/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Starter').check()
    await dialog.getByRole('button', { name: 'Use this plan' }).click()
    await page.getByText('Plan changed to Starter').waitFor()
    await page.getByText('of 10,000').first().waitFor()
    expect(await accessibilityFindings(page)).toEqual([])
  })
})

describe('usage in the browser', () => {
  browserTest('days of the chart are told to the keyboard, and as a table', async ({ page, service }) => {
    const { api_key: key } = z
      .object({ api_key: z.string() })
      .parse(JSON.parse(await readFile(join(service.home, 'credentials.json'), 'utf8')))
    for (let count = 0; count < 3; count++) await recall(service, key, 'text')
    await open(page, 'Usage')
    const days = page.getByRole('group', { name: /^Recalls by day/ })
    await days.waitFor()
    const today = days.getByRole('button').last()
    await today.focus()
    await expect.poll(() => today.getAttribute('aria-label')).toMatch(/recalls: [1-9]/)
    // Yesterday has recalls, too, when midnight has just passed.
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => page.locator(':focus').getAttribute('aria-label')).toMatch(/recalls: 0$/)
    await page.getByText('Recalls as a table').click()
    expect(await page.getByRole('table', { name: /^Recalls by day/ }).innerText()).toContain('default')
    expect(await accessibilityFindings(page)).toEqual([])
  })
})
