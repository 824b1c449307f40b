import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { accessibilityFindings } from '../lib/app/accessibility-findings.ts'
import { browserTestOf } from '../lib/app/app-browser.ts'
import { openPage, turnTo } from '../lib/app/app-pages.ts'
import { startSampleService } from '../lib/app/sample-service.ts'
import { tabTo } from '../lib/app/tab-to.ts'

const sampleTest = browserTestOf(startSampleService)

describe('days', () => {
  sampleTest('the first page shows the latest day, and its items open', async ({ page }) => {
    const event = page.getByRole('link', { name: /Launch of the new checkout/ })
    await page.getByRole('heading', { name: 'Tuesday, 24 March 2026' }).waitFor()
    expect(await event.textContent()).toContain('Room Alster')
    await event.click()
    await page.getByRole('heading', { name: 'Launch of the new checkout', level: 1 }).waitFor()
  })

  sampleTest('one moves by day, week and month, and by date, with an address for each', async ({ page }) => {
    await turnTo(page, '/days/2026-03-03')
    await page.getByText('Elif Aydin: Welcome everybody').waitFor()
    await page.getByText('Week', { exact: true }).click()
    await page.waitForURL('**/days/2026-03-02/week')
    await page.getByRole('link', { name: 'Tuesday, 3 March 2026' }).waitFor()
    await page.getByRole('link', { name: 'Next week' }).click()
    await page.waitForURL('**/days/2026-03-09/week')
    await page.getByText('Month', { exact: true }).click()
    await page.waitForURL('**/days/2026-03-01/month')
    await page.getByRole('heading', { name: 'March 2026', level: 2 }).waitFor()
    await page.getByLabel('Go to date').fill('2026-01-31')
    await page.waitForURL('**/days/2026-01-01/month')
  })

  sampleTest('an empty day leads to the nearest ones', async ({ page }) => {
    await turnTo(page, '/days/1999-01-01')
    await page.getByText('Nothing from this time').waitFor()
    await page.getByRole('link', { name: /^Go to / }).click()
    await page.getByRole('listitem').first().waitFor()
    expect(page.url()).not.toContain('1999')
  })

  const opens = (page: Page, when: string) => page.getByRole('link', { name: `Open ${when}`, exact: true })

  sampleTest('are one key away from a question that is only a time', async ({ page }) => {
    await page.locator('#question:focus').waitFor()
    await page.keyboard.type('What happened on 3 March 2026?')
    await page.keyboard.press('Enter')
    // In the time zone of the account, which is another one than the browser's.
    await page.getByRole('button', { name: '3 Mar 2026, from your question', exact: false }).waitFor()
    expect(await page.getByRole('button', { name: '2 Mar 2026' }).count()).toBe(0)
    await tabTo(page, opens(page, 'Tuesday, 3 March 2026'))
    expect(await accessibilityFindings(page, 'every')).toEqual([])
    await page.keyboard.press('Enter')
    await page.waitForURL('**/days/2026-03-03')
    await page.getByText('Elif Aydin: Welcome everybody').waitFor()
    await page.goBack()
    await opens(page, 'Tuesday, 3 March 2026').waitFor()
  })

  sampleTest('are named by such questions as weeks and months, also while one types', async ({ page }) => {
    await page.locator('#question').fill('What did I do between 2 March and 8 March 2026?')
    await page.getByRole('link', { name: /^Open 2.–.8 March 2026$/ }).click()
    await page.waitForURL('**/days/2026-03-02/week')
    await turnTo(page, '/?q=What+happened+in+March+2026')
    await opens(page, 'March 2026').click()
    await page.waitForURL('**/days/2026-03-01/month')
  })

  sampleTest('are named by no question about something, someone or a longer time', async ({ page }) => {
    for (const question of ['the launch in March 2026', 'What did Jonas and I discuss in March 2026?', 'in 2026']) {
      await turnTo(page, `/?q=${encodeURIComponent(question)}`)
      await page.getByRole('list', { name: 'From your question' }).waitFor()
      expect(await page.locator('a[href*="/days/"]').count(), question).toBe(0)
    }
    await turnTo(page, '/?q=What+happened+in+March+2026&source=slack')
    await page.getByRole('list', { name: 'From your question' }).waitFor()
    expect(await page.locator('a[href*="/days/"]').count()).toBe(0)
  })
})

describe('people', () => {
  sampleTest('have a page with what they promised, and where it was said', async ({ page, service }) => {
    await openPage(page, service, '/people')
    await page.getByRole('link', { name: /^Jonas Weber/ }).click()
    await page.getByRole('heading', { name: 'Jonas Weber promised' }).waitFor()
    await page.getByText('Jonas promised to do the migration').waitFor()
    await page
      .getByRole('link', { name: /Checkout weekly/ })
      .first()
      .click()
    await page.getByRole('heading', { name: 'Checkout weekly', level: 1 }).waitFor()
  })

  sampleTest('that nobody knows get a suggestion', async ({ page }) => {
    await turnTo(page, '/people/person/Jonas%20Webber')
    await page.getByRole('status').getByText('Did you mean Jonas Weber?').waitFor()
  })

  sampleTest('do not include the owner, who has a profile', async ({ page }) => {
    await turnTo(page, '/people')
    await page.getByRole('link', { name: /^Jonas Weber/ }).waitFor()
    expect(await page.getByRole('link', { name: /^(?:Mara|Nobody)/ }).count()).toBe(0)
    await page.getByText('You', { exact: true }).click()
    await page.getByRole('heading', { name: 'Open promises' }).waitFor()
  })

  sampleTest('lose a name that is split off, until that is undone', async ({ page }) => {
    await turnTo(page, '/people/person/Priya%20Raman')
    await page.getByText('Also called Priya.').waitFor()
    await page.getByRole('button', { name: 'Split off Priya' }).click()
    await page.locator('#toasts').getByText('Priya is now a separate person').waitFor()
    await page.getByText('Priya is a separate person.').waitFor()
    expect(await page.getByText('Also called Priya.').count()).toBe(0)
    await page.getByRole('button', { name: 'Undo the decision about Priya' }).click()
    await page.getByText('Decision about Priya undone').waitFor()
    await page.getByText('Also called Priya.').waitFor()
  })

  sampleTest('are merged into another one, and two again when it is undone', async ({ page }) => {
    await turnTo(page, '/people')
    const cards = page.getByRole('link', { name: /memor(?:y|ies)/ })
    await cards.first().waitFor()
    const before = await cards.count()
    await page.getByRole('link', { name: /^Jonas Weber/ }).click()
    await page.getByRole('button', { name: 'Merge with…' }).click()
    await page.getByRole('combobox', { name: 'Person' }).fill('Elif')
    await page.getByRole('option', { name: /Elif/ }).first().click()
    expect(await accessibilityFindings(page, 'every')).toEqual([])
    await page.getByRole('button', { name: 'Merge', exact: true }).click()
    await page.getByRole('heading', { name: 'Elif Aydin', level: 1 }).waitFor()
    await page.getByText('Jonas Weber is merged into Elif Aydin.').waitFor()
    await page.getByText(/^By .+ on /).waitFor()
    expect(await accessibilityFindings(page, 'every')).toEqual([])
    await turnTo(page, '/people')
    await page.getByText('Jonas Weber is merged into Elif Aydin.').waitFor()
    await expect.poll(() => cards.count()).toBe(before - 1)
    await page.reload()
    await page.getByRole('button', { name: 'Undo the decision about Jonas Weber' }).click()
    await page.getByText('Decision about Jonas Weber undone').waitFor()
    await page.getByRole('link', { name: /^Jonas Weber/ }).waitFor()
    expect(await page.getByText('Jonas Weber is merged into Elif Aydin.').count()).toBe(0)
  })

  sampleTest('that were merged leave the first page at once', async ({ page }) => {
    const recent = page.locator('section', { has: page.getByRole('heading', { name: 'People of the last 30 days' }) })
    const jonas = recent.getByRole('link', { name: 'Jonas Weber' })
    await jonas.click()
    await page.getByRole('button', { name: 'Merge with…' }).click()
    await page.getByRole('combobox', { name: 'Person' }).fill('Elif')
    await page.getByRole('option', { name: /Elif/ }).first().click()
    await page.getByRole('button', { name: 'Merge', exact: true }).click()
    await page.getByText('Jonas Weber is merged into Elif Aydin.').waitFor()
    await page.getByRole('link', { name: 'Recall', exact: true }).click()
    await recent.getByRole('link', { name: 'Elif Aydin' }).waitFor()
    await jonas.waitFor({ state: 'detached' })
    await turnTo(page, '/people')
    await page.getByRole('button', { name: 'Undo the decision about Jonas Weber' }).click()
    await page.getByText('Decision about Jonas Weber undone').waitFor()
  })
})

sampleTest('the first page leads to the people and projects of the last days', async ({ page }) => {
  await page.getByRole('heading', { name: 'People of the last 30 days' }).waitFor()
  const projects = page.locator('section', { has: page.getByRole('heading', { name: 'Projects of the last 30 days' }) })
  const project = (await projects.getByRole('link').first().innerText()).trim()
  await projects.getByRole('link').first().click()
  await page.getByRole('heading', { name: project, level: 1 }).waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'Jonas Weber', exact: true }).click()
  await page.getByRole('heading', { name: 'Jonas Weber', level: 1 }).waitFor()
})
