import { describe, expect } from 'vitest'
import { accessibilityFindings } from '../lib/app/accessibility-findings.ts'
import { browserTestOf } from '../lib/app/app-browser.ts'
import { openPage, turnTo } from '../lib/app/app-pages.ts'
import { startSampleService } from '../lib/app/sample-service.ts'

const sampleTest = browserTestOf(startSampleService)

describe('by keyboard', () => {
  sampleTest('the palette goes to pages, people, days and searches', async ({ page }) => {
    const palette = page.getByRole('combobox', { name: 'Go to a page, person, day or search' })
    const type = async (text: string) => {
      await page.keyboard.press('Control+k')
      await palette.fill(text)
    }
    await type('lib')
    expect(await accessibilityFindings(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Library', level: 1 }).waitFor()
    await type('jonas')
    await page.getByRole('option', { name: 'Jonas Weber' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Jonas Weber', level: 1 }).waitFor()
    await type('2026-03-03')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Tuesday, 3 March 2026' }).waitFor()
    await type('load test')
    await page.getByRole('option', { name: 'Search for “load test”' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('list', { name: 'Results' }).getByRole('listitem').first().waitFor()
  })

  sampleTest('what is typed at once after Ctrl+K is in the palette, however late it is loaded', async ({ page }) => {
    const loaded = Promise.withResolvers<void>()
    await page.route(/command-palette/, async (route) => {
      await loaded.promise
      await route.continue()
    })
    await page.locator('#question:focus').waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('libr')
    loaded.resolve()
    await page.keyboard.type('ary')
    await page.getByRole('option', { name: 'Library', exact: true }).waitFor()
    expect(await page.getByRole('combobox', { name: 'Go to a page, person, day or search' }).inputValue()).toBe(
      'library',
    )
    expect(await page.locator('#question').inputValue()).toBe('')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Library', level: 1 }).waitFor()
  })

  sampleTest('g and a letter go to a page, and ? lists the keys, but not while one types', async ({ page }) => {
    await page.locator('#question:focus').waitFor()
    await page.keyboard.type('g?')
    await expect.poll(() => page.locator('#question').inputValue()).toBe('g?')
    await turnTo(page, '/library')
    await page.getByRole('heading', { name: 'Library', level: 1 }).click()
    await page.keyboard.press('g')
    await page.keyboard.press('d')
    await page.getByRole('heading', { name: 'Days', level: 1 }).click()
    await page.keyboard.press('g')
    await page.keyboard.press('k')
    await page.getByRole('heading', { name: /of 5 keys/ }).click()
    await page.keyboard.press('?')
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await list.getByText('Go to People').waitFor()
    await list.getByText('Go to Usage').waitFor()
    expect(await accessibilityFindings(page)).toEqual([])
    await page.keyboard.press('Escape')
    await list.waitFor({ state: 'detached' })
  })

  sampleTest('a note is written in two keystrokes, and stands in the day', async ({ page }) => {
    await turnTo(page, '/library')
    await page.getByRole('heading', { name: 'Library', level: 1 }).click()
    await page.keyboard.press('n')
    await page.getByRole('textbox', { name: 'Note text' }).fill('The spare key of the shed hangs behind the clock.')
    expect(await accessibilityFindings(page)).toEqual([])
    await page.keyboard.press('Control+Enter')
    await page.getByText('Note saved').waitFor()
    await turnTo(page, '/days')
    await page.getByText('The spare key of the shed hangs behind the clock').waitFor()
  })

  sampleTest('a note is begun from the palette, also while one types a question', async ({ page }) => {
    await page.locator('#question:focus').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Go to a page' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.type('note')
    await page.getByRole('option', { name: 'New note' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Note text' }).and(page.locator(':focus')).waitFor()
  })

  sampleTest(
    'Escape leaves a follow-up and the menu of a phone, and the focus goes back',
    async ({ visit, service }) => {
      const { page } = await visit({ viewport: { width: 390, height: 844 } })
      const focused = page.locator(':focus')
      await openPage(page, service, '/?q=How+long+did+the+outage+last%3F')
      await page.getByRole('button', { name: 'Follow up' }).press('Enter')
      await page.getByRole('textbox', { name: 'Follow up' }).and(focused).press('Escape')
      await page.getByRole('button', { name: 'Follow up' }).and(focused).waitFor()
      await page.getByRole('button', { name: 'Open menu' }).press('Enter')
      const menu = page.getByRole('navigation', { name: 'Pages' })
      await menu.getByRole('link', { name: 'Recall' }).and(focused).press('Escape')
      await page.getByRole('button', { name: 'Open menu' }).and(focused).waitFor()
      expect(await menu.isVisible()).toBe(false)
    },
  )
})
