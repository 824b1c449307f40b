import type { BrowserContext, Locator, Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { browserTestOf } from '../lib/app/app-browser.ts'
import { turnTo } from '../lib/app/app-pages.ts'
import { startSampleService } from '../lib/app/sample-service.ts'
import { until } from '../lib/until.ts'

const sampleTest = browserTestOf(startSampleService)

/** A phone at the edge of a network. */
async function slowDown(context: BrowserContext, page: Page): Promise<void> {
  const session = await context.newCDPSession(page)
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 600,
    downloadThroughput: 60_000,
    uploadThroughput: 30_000,
  })
}

/** In one task, as on a machine so busy that React renders nothing in between. */
async function sendThrice(form: Locator): Promise<void> {
  await form.locator('button[type=submit]').focus()
  await form.page().evaluate('for (let n = 0; n < 3; n++) document.activeElement.form.requestSubmit()')
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })

describe('over a slow network', () => {
  sampleTest('each page shows what it waits for, and then what it is about', async ({ own: { page, context } }) => {
    await slowDown(context, page)
    for (const [link, name] of [
      ['Library', 'Library'],
      ['People', 'People'],
      ['Sources', 'Sources'],
      ['Days', 'Days'],
    ] as const) {
      await page.getByRole('link', { name: link, exact: true }).click()
      await page.locator('#page').locator('[role=status][aria-label]').first().waitFor()
      await heading(page, name).waitFor()
      expect(await page.getByRole('alert').count()).toBe(0)
    }
    await page.getByRole('link', { name: 'Library', exact: true }).click()
    await page.getByRole('row').nth(1).waitFor()
  })

  sampleTest(
    'going on before a page is there shows the last one that was wanted',
    async ({ own: { page, context } }) => {
      await slowDown(context, page)
      for (const link of ['Library', 'People', 'Settings', 'Sources'])
        await page.getByRole('link', { name: link, exact: true }).click()
      await heading(page, 'Sources').waitFor()
      expect(new URL(page.url()).pathname).toBe('/app/sources')
      await page.goBack()
      await heading(page, 'Settings').waitFor()
    },
  )

  sampleTest('results are those of the text that was typed last', async ({ own: { page, context } }) => {
    const box = page.getByLabel('Search your memory')
    await box.fill('outage')
    await page.getByRole('list', { name: 'Results' }).getByRole('listitem').first().waitFor()
    await slowDown(context, page)
    await box.fill('load test')
    const asked = page.waitForRequest((request) => request.postDataJSON()?.text === 'load test')
    await asked
    await box.fill('database')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/app/?q=database')
    await page.locator('mark').getByText('database').first().waitFor()
    await until(() => page.evaluate<boolean>(`!document.querySelector('[aria-busy=true]')`))
    expect(await box.inputValue()).toBe('database')
    const marked = await page.getByRole('list', { name: 'Results' }).locator('mark').allTextContents()
    expect(marked.some((word) => /load|test|outage/i.test(word))).toBe(false)
  })

  sampleTest('a note that is sent twice in a hurry is saved once', async ({ own: { page, context }, service }) => {
    const notes = async () => (await service.memory.list({ sourceType: 'text', limit: 1 })).total
    const before = await notes()
    await turnTo(page, '/library')
    await heading(page, 'Library').click()
    await page.keyboard.press('n')
    const text = page.getByRole('textbox', { name: 'Note text' })
    await text.fill('The hedgehog moved into the shed.')
    await slowDown(context, page)
    // In one task, as on a machine so busy that React renders nothing between two keys.
    await page.evaluate(`for (let n = 0; n < 3; n++)
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true }))`)
    await text.waitFor({ state: 'detached' })
    expect(await notes()).toBe(before + 1)
  })

  sampleTest('what a form creates is created once, however often it is sent in a hurry', async ({ page }) => {
    const created: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (/\/(?:keys|invitations|correction|sources)$/.test(pathname) && request.method() !== 'GET')
        created.push(pathname.replace(/.*\//, ''))
    })
    const button = (within: Page | Locator, name: string | RegExp) => within.getByRole('button', { name, exact: true })
    const dialog = (name: string) => page.getByRole('dialog', { name })
    await turnTo(page, '/settings/keys')
    await button(page, 'New key').click()
    await dialog('New key').getByLabel('Name').fill('hurried')
    await button(dialog('New key'), 'Create key').and(page.locator(':enabled')).waitFor()
    await sendThrice(dialog('New key').locator('form'))
    await button(dialog('Key hurried'), "I've saved the key").click()

    await turnTo(page, '/settings/people')
    await button(page, 'Invite').click()
    await sendThrice(dialog('Invite someone').locator('form'))
    await button(dialog('Invitation link'), 'Done').click()

    await turnTo(page, '/library/pdf/pdf-checkout-runbook-pdf')
    await button(page, /^What agents see/).click()
    const memory = page.getByRole('region', { name: 'Memories' }).getByRole('article').first()
    await button(memory, 'Correct').click()
    await memory.getByLabel('Corrected text').fill('The runbook is in the drawer.')
    await sendThrice(memory.locator('form'))
    await memory.getByText(/^Corrected by /).waitFor()

    await turnTo(page, '/sources/new/weekly_updates')
    await button(page, 'Continue').click()
    await page.getByRole('heading', { name: 'What to sync', level: 2 }).waitFor()
    await button(page, 'Continue').click()
    await button(page, 'Connect Weekly updates').waitFor()
    await sendThrice(page.locator('main form'))
    await page.getByRole('heading', { name: 'Weekly updates, me', level: 1 }).waitFor()
    expect(created).toEqual(['keys', 'invitations', 'correction', 'sources'])
  })
})
