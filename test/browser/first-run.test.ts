import type { Locator, Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { browserTest } from '../lib/app/app-browser.ts'
import { startAppService } from '../lib/app/app-service.ts'
import { FIRST_PERSON } from '../lib/app/sign-in-to.ts'
import { tabTo } from '../lib/app/tab-to.ts'

const NOTE = {
  name: 'bridge.md',
  mimeType: 'text/markdown',
  buffer: Buffer.from('# The bridge\n\nWe decided to paint the bridge green, because green paint was the cheapest.\n'),
}
const QUESTION = 'Why did we paint the bridge green?'

/** How a person works: with a mouse, or without one. */
interface Hands {
  press(target: Locator): Promise<void>
  write(target: Locator, text: string): Promise<void>
}

const mouse: Hands = {
  press: (target) => target.click(),
  async write(target, text) {
    await target.click()
    await target.fill(text)
  },
}

/** Only Tab, Enter and letters; nothing is focused but by them. */
function keyboard(page: Page): Hands {
  return {
    async press(target) {
      await tabTo(page, target)
      await page.keyboard.press('Enter')
    },
    async write(target, text) {
      await tabTo(page, target)
      await page.keyboard.type(text)
    },
  }
}

/** From the link of the greeting to an answer that cites what was uploaded. */
async function firstRun(page: Page, hands: Hands, link: string): Promise<void> {
  await page.goto(link)
  await hands.write(page.getByLabel('Your name'), FIRST_PERSON.name)
  await hands.write(page.getByLabel('Email or username'), FIRST_PERSON.login)
  await hands.write(page.getByLabel('Password', { exact: true }), FIRST_PERSON.password)
  await hands.press(page.getByRole('button', { name: 'Sign up' }))

  const navigation = page.getByRole('navigation', { name: 'Pages' })
  await hands.press(navigation.getByRole('link', { name: 'Library' }))
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    hands.press(page.getByRole('button', { name: 'Upload files' }).first()),
  ])
  await chooser.setFiles(NOTE)
  await page.getByRole('link', { name: 'The bridge' }).first().waitFor()

  await hands.press(navigation.getByRole('link', { name: 'Recall' }))
  await hands.write(page.getByLabel('Search your memory or ask a question'), QUESTION)
  await page.keyboard.press('Enter')
  const results = page.getByRole('list', { name: 'Results' })
  await results.getByText('green paint was the cheapest').first().waitFor()
  await hands.press(page.getByRole('button', { name: 'Source 1' }).first())
  const source = page.getByRole('region', { name: 'Source of the selected result' })
  await source.getByRole('article').getByText('green paint was the cheapest').first().waitFor()
}

describe('a person who starts recalld for the first time', () => {
  browserTest('signs up, uploads, recalls and gets a cited answer', async ({ visit, service }) => {
    const { page } = await visit({ signedIn: false })
    await firstRun(page, mouse, service.firstLink)
    expect(new URL(page.url()).searchParams.get('q')).toBe(QUESTION)
  })

  browserTest('does the same by keyboard alone', async ({ visit }) => {
    await using service = await startAppService()
    const { page } = await visit({ signedIn: false, service })
    await firstRun(page, keyboard(page), service.firstLink)
    expect(new URL(page.url()).searchParams.get('q')).toBe(QUESTION)
    // Before the service stops, which an open page would report.
    await page.close()
  })
})
