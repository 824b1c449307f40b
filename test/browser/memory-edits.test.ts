import type { Locator, Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { accessibilityFindings } from '../lib/app/accessibility-findings.ts'
import { browserTest } from '../lib/app/app-browser.ts'
import { turnTo } from '../lib/app/app-pages.ts'

const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true })
const field = (within: Page | Locator) => within.getByLabel('Corrected text')
const open = async (page: Page, item: string) => {
  await turnTo(page, `/library/text/${item}`)
  await page.getByRole('button', { name: /^What agents see/ }).click()
}
const memories = (page: Page) => page.getByRole('region', { name: 'Memories' }).getByRole('article')
const results = (page: Page) => page.getByRole('list', { name: 'Results' }).getByRole('listitem')

describe('putting a memory right on the page of its item', () => {
  browserTest('by the mouse: correct, pin, unpin and undo', async ({ page, service }) => {
    await service.memorize({ fileName: 'ferry.md', body: 'The ferry sails from pier nine.', itemId: 'ferry' })
    await open(page, 'ferry')
    const memory = memories(page).first()
    await button(memory, 'Correct').click()
    expect(await field(memory).inputValue()).toBe('The ferry sails from pier nine.')
    expect(await accessibilityFindings(page)).toEqual([])
    await field(memory).fill('The ferry sails from pier four.')
    await button(memory, 'Save').click()
    await memory.getByText('The ferry sails from pier four.').waitFor()
    await memory.getByText(/^Corrected by .+ on \d+ \w+ \d{4}$/).waitFor()

    await button(memory, 'Pin').click()
    await memory.getByText(/^Pinned by /).waitFor()
    await button(memory, 'Unpin').click()
    await memory.getByText(/^Pinned by /).waitFor({ state: 'detached' })
    expect(await accessibilityFindings(page)).toEqual([])

    await button(memory, 'Undo correction').click()
    await memory.getByText(/^Corrected by /).waitFor({ state: 'detached' })
    expect(await memory.getByText('pier four').count()).toBe(0)
    await button(memory, 'Correct').and(page.locator(':focus')).waitFor()
  })

  browserTest(
    'by the keyboard: Escape cancels, Ctrl and Enter save, and the focus returns',
    async ({ page, service }) => {
      await service.memorize({ fileName: 'kiosk.md', body: 'The kiosk opens at six.', itemId: 'kiosk' })
      await open(page, 'kiosk')
      const memory = memories(page).first()
      const focused = page.locator(':focus')
      await button(memory, 'Correct').focus()
      await page.keyboard.press('Enter')
      await field(memory).and(focused).waitFor()
      await page.keyboard.type(' Not on Sundays.')
      await page.keyboard.press('Escape')
      await button(memory, 'Correct').and(focused).waitFor()
      expect(await memory.getByText('Sundays').count()).toBe(0)

      await page.keyboard.press('Enter')
      await field(memory).and(focused).waitFor()
      await page.keyboard.type(' Not on Mondays.')
      await page.keyboard.press('Control+Enter')
      await memory.getByText(/^Corrected by /).waitFor()
      await memory.getByText('The kiosk opens at six. Not on Mondays.').waitFor()
      await button(memory, 'Correct').and(focused).waitFor()
    },
  )

  browserTest(
    'what is wrong with a correction stands at its field, and nothing typed is lost',
    async ({ page, service }) => {
      await service.memorize({ fileName: 'shed.md', body: 'The shed is blue.', itemId: 'shed' })
      await open(page, 'shed')
      const memory = memories(page).first()
      await button(memory, 'Correct').click()
      await field(memory).fill('x'.repeat(4_001))
      await button(memory, 'Save').click()
      await memory.getByText('text must be at most 4000 characters').waitFor()
      expect(await field(memory).inputValue()).toHaveLength(4_001)
    },
  )
})

describe('a note on a memory', () => {
  browserTest('is written, shown with the memory, listed, and deleted', async ({ page, service }) => {
    await service.memorize({ fileName: 'canal.md', body: 'The canal lock closes in winter.', itemId: 'canal' })
    await open(page, 'canal')
    const memory = memories(page).first()
    await button(memory, 'Note').click()
    await memory.getByLabel('Your note').and(page.locator(':focus')).waitFor()
    expect(await accessibilityFindings(page)).toEqual([])
    await memory.getByLabel('Your note').fill('Call Mira for the key.')
    await button(memory, 'Save').click()
    await memory.getByText(/^Note by .+ on \d+ \w+ \d{4}$/).waitFor()
    await memory.getByText('Call Mira for the key.', { exact: true }).waitFor()
    expect(await memory.getByText('The canal lock closes in winter.').count()).toBeGreaterThan(0)
    expect(await accessibilityFindings(page)).toEqual([])

    await turnTo(page, '/library/changes')
    const listed = page.getByRole('listitem').filter({ hasText: 'Call Mira for the key.' })
    await listed.getByText('Noted', { exact: true }).waitFor()
    await open(page, 'canal')
    await button(memory, 'Delete note: Call Mira for the key.').click()
    await page.locator('#toasts').getByText('Note deleted').waitFor()
    await memory.getByText(/^Note by /).waitFor({ state: 'detached' })
  })

  browserTest('shows in the results of a recall at once', async ({ page, service }) => {
    await service.memorize({ fileName: 'mill.md', body: 'The mill grinds rye on Mondays.', itemId: 'mill' })
    await turnTo(page, '/?q=when+does+the+mill+grind+rye')
    const found = results(page).filter({ hasText: 'on Mondays' })
    const source = page.getByRole('region', { name: 'Source of the selected result' })
    await found.getByRole('link').click()
    await source.getByText('What agents see', { exact: true }).first().click()
    await button(source, 'Note').click()
    await source.getByLabel('Your note').fill('Bring your own sacks.')
    await button(source, 'Save').click()
    await source.getByText(/^Note by .+ on \d+ \w+ \d{4}$/).waitFor()
    await found.getByText('Noted', { exact: true }).waitFor()
  })
})

describe('hiding a memory', () => {
  browserTest('on the page of its item, where it can be shown again', async ({ page, service }) => {
    await service.memorize({ fileName: 'attic.md', body: 'The attic key hangs behind the stove.', itemId: 'attic' })
    await open(page, 'attic')
    const memory = memories(page).first()
    await button(memory, 'Hide').click()
    await memory.getByText('Hidden', { exact: true }).waitFor()
    expect(await accessibilityFindings(page)).toEqual([])
    await button(memory, 'Show again').click()
    await memory.getByText('Hidden', { exact: true }).waitFor({ state: 'detached' })
  })

  browserTest('takes it from the results at once, and Undo brings it back', async ({ page, service }) => {
    await service.memorize({ fileName: 'crypt.md', body: 'The crypt lamp burns green oil.', itemId: 'crypt' })
    await turnTo(page, '/?q=which+oil+does+the+crypt+lamp+burn')
    const found = results(page).filter({ hasText: 'green oil' })
    const source = page.getByRole('region', { name: 'Source of the selected result' })
    await found.getByRole('link').click()
    await source.getByText('What agents see', { exact: true }).first().click()
    await button(source, 'Hide').click()
    await found.waitFor({ state: 'detached' })
    const toast = page.locator('#toasts')
    await toast.getByText('Memory hidden').waitFor()
    await button(page.locator('#toasts'), 'Undo').click()
    await found.waitFor()
    await toast.getByText('Memory shown again').waitFor()
  })
})

describe('putting a memory right in the results of a recall', () => {
  browserTest('shows the effect on the results at once', async ({ page, service }) => {
    await service.memorize({ fileName: 'gate.md', body: 'The gate opens at seven.', itemId: 'gate' })
    await turnTo(page, '/?q=when+does+the+gate+open')
    const wrong = results(page).filter({ hasText: 'at seven' })
    const source = page.getByRole('region', { name: 'Source of the selected result' })
    const agentsView = source.getByText('What agents see', { exact: true }).first()
    await wrong.getByRole('link').click()
    await agentsView.click()
    await button(source, 'Correct').click()
    await field(source).fill('The gate opens at eight.')
    await button(source, 'Save').click()
    const corrected = results(page).filter({ hasText: 'at eight' }).filter({ hasText: 'Corrected' })
    await corrected.waitFor()
    await wrong.getByText('There is newer information on this.').waitFor()
    expect(await accessibilityFindings(page, 'every')).toEqual([])

    await button(source, 'Pin').click()
    await wrong.getByText('Pinned').waitFor()
    await corrected.getByRole('link').click()
    await agentsView.click()
    await source.getByText(/^Corrected by .+ on \d+ \w+ \d{4}$/).waitFor()
    await button(source, 'Undo correction').click()
    await corrected.waitFor({ state: 'detached' })
    await wrong.getByText('There is newer information on this.').waitFor({ state: 'detached' })
  })
  browserTest(
    'prepares the service once the form opens, and shows the text before it is processed',
    async ({ page, service }) => {
      await service.memorize({ fileName: 'weir.md', body: 'The weir closes at nine.', itemId: 'weir' })
      await turnTo(page, '/?q=when+does+the+weir+close')
      const source = page.getByRole('region', { name: 'Source of the selected result' })
      await results(page).filter({ hasText: 'at nine' }).getByRole('link').click()
      await source.getByText('What agents see', { exact: true }).first().click()
      const prepared = page.waitForResponse((response) => response.url().endsWith('/app/api/warm-up'))
      await button(source, 'Correct').click()
      expect((await prepared).status()).toBe(204)
      const searchAgain = Promise.withResolvers<void>()
      await page.route('**/app/api/recall', async (route) => {
        await searchAgain.promise
        await route.continue()
      })
      await field(source).fill('The weir closes at ten.')
      await button(source, 'Save').click()
      await results(page).filter({ hasText: 'at ten' }).filter({ hasText: 'Corrected' }).waitFor()
      searchAgain.resolve()
      await results(page).filter({ hasText: 'There is newer information on this.' }).waitFor()
    },
  )
})
