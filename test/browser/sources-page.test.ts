import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished } from 'vitest'
import { GithubServer } from '../fakes/github/github-server.ts'
import { accessibilityFindings } from '../lib/app/accessibility-findings.ts'
import { browserTest } from '../lib/app/app-browser.ts'
import { turnTo } from '../lib/app/app-pages.ts'
import type { AppService } from '../lib/app/app-service.ts'
import { until } from '../lib/until.ts'

const TEXTS = {
  'checkout.md': '# Checkout\n\nWe chose Postgres for the checkout of the shop.\n',
  'holidays.md': '# Holidays\n\nThe office is closed between Christmas and New Year.\n',
  'onboarding.md': '# Onboarding\n\nNew people get a laptop on their first day.\n',
}

/** What was written just now is left alone for a while. */
const LONG_AGO = new Date('2026-01-15T12:00:00Z')

function handbook({ home }: AppService, name: string): string {
  const folder = join(home, name)
  mkdirSync(folder)
  for (const [file, text] of Object.entries(TEXTS)) {
    writeFileSync(join(folder, file), text)
    utimesSync(join(folder, file), LONG_AGO, LONG_AGO)
  }
  return folder
}

/** The next step, once its heading has the focus. */
async function goOnTo(page: Page, step: 'What to sync' | 'Schedule'): Promise<void> {
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: step, level: 2 }).waitFor()
  await until(async () => (await page.evaluate('document.activeElement?.textContent')) === step)
}

async function openConnector(page: Page): Promise<void> {
  await turnTo(page, '/sources/new')
  await page.getByRole('searchbox', { name: 'Search connectors' }).fill('technical')
  await page.getByRole('link', { name: /^Technical documents/ }).click()
}

async function connectFolder(page: Page, service: AppService, name: string): Promise<void> {
  await openConnector(page)
  await page.getByLabel('Connection name').fill(name)
  await page.getByLabel('Folders').fill(handbook(service, name))
  await goOnTo(page, 'What to sync')
  await goOnTo(page, 'Schedule')
  await page.getByRole('button', { name: 'Connect Technical documents' }).click()
  await page.getByRole('heading', { name: `Technical documents, ${name}`, level: 1 }).waitFor()
  await page.getByText('Up to date', { exact: true }).waitFor()
}

async function itemsOf(page: Page): Promise<string> {
  return page.locator('dl > div', { hasText: 'Items in memory' }).locator('dd').innerText()
}

async function foundIn({ memory }: AppService, text: string): Promise<number> {
  const { memories } = await memory.recall({ text, source: 'technical_docs' })
  return memories.length
}

describe('on the pages of sources', () => {
  browserTest('a folder is looked at, connected, read, and forgotten again', async ({ page, service }) => {
    const folder = handbook(service, 'handbook')
    await turnTo(page, '/sources')
    await page.getByText('No sources connected yet').waitFor()
    await page.getByRole('link', { name: /^Technical documents/ }).click()
    await page.getByText(/unless Folders is set/).waitFor()
    await page.getByLabel('Connection name').fill('handbook')
    await page.getByLabel('Folders').fill(folder)
    await goOnTo(page, 'What to sync')
    await page.getByText('3 items to sync from 1 folder').waitFor()
    await page.getByRole('rowheader', { name: /checkout.*onboarding/i }).waitFor()
    await page.getByLabel('Exclude').fill('nothing.md')
    await page.getByRole('button', { name: 'Preview again' }).click()
    await page.getByText('This preview is from before your last changes.').waitFor({ state: 'detached' })
    expect(await accessibilityFindings(page)).toEqual([])
    await goOnTo(page, 'Schedule')
    expect(await page.getByLabel('How often to sync').innerText()).toContain('Recommended: every')
    await page.getByRole('button', { name: 'What to sync' }).click()
    await page.getByText('3 items to sync from 1 folder').waitFor()
    await goOnTo(page, 'Schedule')
    expect(await foundIn(service, 'Which database did we choose for checkout?')).toBe(0)

    await page.getByRole('button', { name: 'Connect Technical documents' }).click()
    await page.getByRole('heading', { name: 'Technical documents, handbook', level: 1 }).waitFor()
    await page.getByText('Up to date', { exact: true }).waitFor()
    await expect.poll(() => itemsOf(page)).toBe('3')
    await until(async () => (await foundIn(service, 'Which database did we choose for checkout?')) > 0)

    await page.getByRole('button', { name: 'Disconnect' }).click()
    const dialog = page.getByRole('dialog', { name: 'Disconnect Technical documents, handbook?' })
    await dialog.getByRole('radio', { name: /^Delete items/ }).check()
    const forget = dialog.getByRole('button', { name: 'Disconnect and delete items' })
    expect(await forget.isDisabled()).toBe(true)
    await dialog.getByLabel('Type handbook to delete its items').fill('handbook')
    await forget.click()
    await page.getByText('3 items deleted, with all their memories.').waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('No sources connected yet').waitFor()
    expect(await foundIn(service, 'Which database did we choose for checkout?')).toBe(0)
  })

  browserTest(
    'settings that are not saved yet stay while it is looked what they would take',
    async ({ page, service }) => {
      await connectFolder(page, service, 'narrowed')
      await page.getByLabel('Exclude').fill('holidays.md')
      await page.getByRole('button', { name: 'Preview' }).click()
      await page.getByText('1 item to delete').waitFor()
      expect(await page.getByLabel('Exclude').inputValue()).toBe('holidays.md')
      await page.getByText('1 unsaved change').waitFor()
      expect(await itemsOf(page)).toBe('3')

      await page.getByRole('button', { name: 'Save settings' }).click()
      await page.getByText('Settings saved').waitFor()
      await page.getByRole('button', { name: 'Sync now' }).click()
      await expect.poll(() => itemsOf(page)).toBe('2')
    },
  )

  browserTest('a connection is paused and resumed from its menu, by keyboard', async ({ page, service }) => {
    await connectFolder(page, service, 'paused')
    await turnTo(page, '/sources')
    const menu = page.getByRole('button', { name: 'Actions for Technical documents, paused' })
    const card = page.getByRole('article', { name: 'Technical documents paused' })
    await menu.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Pause' }).focus()
    await page.keyboard.press('Enter')
    await card.getByText('Paused', { exact: true }).waitFor()
    await menu.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Resume' }).focus()
    await page.keyboard.press('Enter')
    await card.getByText('Up to date', { exact: true }).waitFor()
  })

  browserTest(
    'known entries of a list are checked, and a list that is filled is emptied',
    async ({ page, service }) => {
      const server = await GithubServer.start()
      onTestFinished(() => server[Symbol.asyncDispose]())
      await turnTo(page, '/sources/new/github')
      await page.getByLabel('Connection name').fill('acme')
      await page.getByLabel('Token', { exact: true }).fill(server.token)
      await page.getByText('More settings').click()
      await page.getByLabel('API URL').fill(server.url)
      await goOnTo(page, 'What to sync')
      await page.getByRole('checkbox', { name: 'Discussions' }).uncheck()
      expect(await page.getByRole('textbox', { name: 'Documents' }).inputValue()).toContain('README*')
      await page.getByRole('textbox', { name: 'Documents' }).fill('')
      await goOnTo(page, 'Schedule')
      await page.getByRole('button', { name: 'Connect GitHub' }).click()
      await page.getByRole('heading', { name: 'GitHub, acme', level: 1 }).waitFor()
      const written = readFileSync(join(service.home, 'config.yaml'), 'utf8')
      expect(written).toContain('documents: []')
      expect(written).not.toContain('discussions')
      expect(await page.getByRole('checkbox', { name: 'Discussions' }).isChecked()).toBe(false)
      expect(await page.getByRole('textbox', { name: 'Documents' }).inputValue()).toBe('')
    },
  )

  browserTest('repositories are chosen from a list of many before they are synced', async ({ page, service }) => {
    const server = await GithubServer.start()
    onTestFinished(() => server[Symbol.asyncDispose]())
    for (let count = 1; count <= 120; count++) server.fake.addRepository(`acme/shop-${count}`)
    server.fake.addRepository('ada/diary', { private: true })
    server.fake.addRepository('ada/notes')
    await turnTo(page, '/sources/new/github')
    await page.getByLabel('Connection name').fill('chosen')
    await page.getByLabel('Token', { exact: true }).fill(server.token)
    await page.getByText('More settings').click()
    await page.getByLabel('API URL').fill(server.url)
    await goOnTo(page, 'What to sync')
    await page.getByRole('button', { name: 'Choose repositories' }).click()
    await page.getByText('122 of 122 selected').waitFor()
    expect(await page.getByRole('checkbox', { name: 'acme/shop-100', exact: true }).count()).toBe(0)
    await page.getByRole('button', { name: 'Show 50 more' }).click()
    await page.getByRole('checkbox', { name: 'acme/shop-100', exact: true }).waitFor()
    expect(await accessibilityFindings(page)).toEqual([])

    await page.getByRole('searchbox', { name: 'Search repositories' }).fill('ADA/')
    await page.getByRole('checkbox', { name: 'ada/diary' }).uncheck()
    await page.getByText('121 of 122 selected').waitFor()
    expect(await page.getByRole('checkbox', { name: /^All 2 of ada/ }).isChecked()).toBe(false)
    expect(await page.getByRole('textbox', { name: 'Repositories' }).inputValue()).toBe('acme/*\nada/notes')
    await page.getByRole('searchbox', { name: 'Search repositories' }).fill('shop-7')
    await page.getByRole('checkbox', { name: /^All 120 of acme/ }).uncheck()
    await page.getByText('1 of 122 selected').waitFor()
    await goOnTo(page, 'Schedule')
    await page.getByRole('button', { name: 'Connect GitHub' }).click()
    await page.getByRole('heading', { name: 'GitHub, chosen', level: 1 }).waitFor()
    expect(readFileSync(join(service.home, 'config.yaml'), 'utf8')).toContain('repositories: [ada/notes]')

    await page.getByRole('button', { name: 'Choose repositories' }).click()
    await page.getByText('1 of 122 selected').waitFor()
    await page.getByRole('checkbox', { name: /^All 120 of acme/ }).check()
    await page.getByRole('button', { name: 'Save settings' }).click()
    await page.getByText('Settings saved').waitFor()
    expect(readFileSync(join(service.home, 'config.yaml'), 'utf8')).toContain('repositories: [acme/*, ada/notes]')
  })

  browserTest('what the service refuses is told at its field', async ({ page }) => {
    await openConnector(page)
    await page.getByLabel('Connection name').fill('not a name!')
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect.poll(() => page.getByLabel('Connection name').getAttribute('aria-invalid')).toBe('true')
    await page.getByText('must be letters, digits').first().waitFor()
  })

  browserTest('a token that the source refuses goes no further, and nothing is saved', async ({ page, service }) => {
    const server = await GithubServer.start()
    onTestFinished(() => server[Symbol.asyncDispose]())
    await turnTo(page, '/sources/new/github')
    await page.getByLabel('Connection name').fill('not-accepted')
    await page.getByLabel('Token', { exact: true }).fill('ghp_wrong')
    await page.getByText('More settings').click()
    await page.getByLabel('API URL').fill(server.url)
    await page.getByLabel('API URL').press('Enter')
    await expect.poll(() => page.getByLabel('Token', { exact: true }).getAttribute('aria-invalid')).toBe('true')
    expect(await page.getByRole('heading', { name: 'Access', level: 2 }).isVisible()).toBe(true)
    expect(await page.locator('[aria-current=step]').innerText()).toContain('Access')
    expect(readFileSync(join(service.home, 'config.yaml'), 'utf8')).not.toContain('not-accepted')
    await page.getByLabel('Token', { exact: true }).fill(server.token)
    await goOnTo(page, 'What to sync')
    await expect.poll(() => page.locator('[aria-current=step]').innerText()).toContain('What to sync')
  })

  browserTest('what was typed is there when one comes back, but no token', async ({ page, service }) => {
    await page.goto(`${service.address}/app/sources/new/slack`)
    await page.getByLabel('Connection name').fill('acme')
    await page.getByLabel('Token', { exact: true }).fill('xoxp-typed-and-gone')
    await page.goto('about:blank')
    await page.goto(`${service.address}/app/sources/new/slack`)
    await expect.poll(() => page.getByLabel('Connection name').inputValue()).toBe('acme')
    expect(await page.getByLabel('Token', { exact: true }).inputValue()).toBe('')
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage, ...localStorage })')).not.toContain('xoxp-')
  })
})
