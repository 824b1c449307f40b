import type { Page, Request } from 'playwright-core'
import { describe, expect } from 'vitest'
import { browserTest } from '../lib/app/app-browser.ts'
import { turnTo } from '../lib/app/app-pages.ts'
import type { AppService } from '../lib/app/app-service.ts'

const toast = (page: Page) => page.locator('#toasts')

/** Chooses to delete some new items, whose names start with a word. */
async function remove(page: Page, service: AppService, word: string, count: number): Promise<void> {
  for (let n = 1; n <= count; n += 1)
    await service.memorize({
      fileName: `${word}-${n}.txt`,
      body: `The ${word} number ${n} flies.`,
      itemId: `${word}-${n}`,
    })
  await turnTo(page, `/library?text=${word}-`)
  await page.getByRole('button', { name: `Select all ${count}` }).click()
  await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click()
  await toast(page).getByText(`Deleting ${count} items`).waitFor()
}

/** As when another tab is chosen. */
const leave = (page: Page) =>
  page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
    delete document.visibilityState`)

/** Requests of deletions, and of signing out. */
function sentBy(page: Page): string[] {
  const sent: string[] = []
  page.on('request', (request: Request) => {
    const { pathname } = new URL(request.url())
    const posted = pathname.endsWith('/forget') ? ` ${request.postDataJSON().items.length}` : ''
    if (request.method() === 'DELETE' || posted !== '')
      sent.push(`${request.method()} ${pathname.replace('/app/api', '')}${posted}`)
  })
  return sent
}

const refusal = { status: 503, contentType: 'application/problem+json', body: '{"detail":"The disk is full."}' }

describe('deletions', () => {
  browserTest('keep a person signed in while they cannot be sent', async ({ page, service, watch }) => {
    watch.allow(/503/)
    await page.route('**/app/api/library/forget', (route) => route.fulfill(refusal))
    const sent = sentBy(page)
    await remove(page, service, 'kite', 2)
    await page.getByRole('button', { name: 'Ada' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await toast(page).getByText("Couldn't delete 2 items").waitFor()
    await toast(page).getByText('The disk is full.').waitFor()
    await toast(page).getByRole('button', { name: 'Try again' }).click()
    await toast(page).getByText('2 items deleted').waitFor()
    expect(sent).not.toContain('DELETE /session')
  })

  browserTest('are sent once, however often the page is left', async ({ page, service }) => {
    const sent = sentBy(page)
    const answer = Promise.withResolvers<void>()
    await page.route('**/app/api/library/text/*', async (route) => {
      await answer.promise
      await route.continue()
    })
    await remove(page, service, 'stork', 3)
    await toast(page).getByRole('button', { name: 'Delete now' }).click()
    await expect.poll(() => sent.length).toBe(1)
    await leave(page)
    await leave(page)
    answer.resolve()
    await toast(page).getByText('3 items deleted').waitFor()
    await toast(page).getByRole('button', { name: 'Show receipt' }).waitFor()
    expect(await toast(page).getByText('already deleted').count()).toBe(0)
    expect(sent).toEqual([expect.stringMatching(/^DELETE \/library\/text\/stork-/), 'POST /library/forget 2'])
  })

  browserTest('go on after an error where they stopped', async ({ page, service, watch }) => {
    watch.allow(/503/)
    const sent = sentBy(page)
    let calls = 0
    await page.route('**/app/api/library/text/*', (route) => {
      calls += 1
      return calls === 2 ? route.fulfill(refusal) : route.continue()
    })
    await remove(page, service, 'finch', 3)
    await toast(page).getByRole('button', { name: 'Delete now' }).click()
    await toast(page).getByText("Couldn't delete 2 items").waitFor()
    await toast(page).getByRole('button', { name: 'Try again' }).click()
    await toast(page).getByText('3 items deleted').waitFor()
    expect(await toast(page).getByText('already deleted').count()).toBe(0)
    await page.getByRole('button', { name: '3 deletion receipts' }).waitFor()
    expect(sent).toHaveLength(4)
  })

  browserTest('are undone by Ctrl+Z, also while a check box has the focus', async ({ page, service }) => {
    await service.memorize({ fileName: 'heron.txt', body: 'The heron stays.', itemId: 'heron' })
    const sent = sentBy(page)
    await remove(page, service, 'crane', 2)
    await turnTo(page, '/library?text=heron')
    await page.getByRole('checkbox', { name: /heron/ }).focus()
    await page.keyboard.press('Control+z')
    await toast(page).getByText('Deleting 2 items').waitFor({ state: 'detached' })
    expect(sent).toEqual([])
  })

  browserTest('wait while "Undo" is pointed at or has the focus', async ({ page, service }) => {
    await page.clock.install()
    await remove(page, service, 'robin', 2)
    const undo = toast(page).getByRole('button', { name: 'Undo' })
    await undo.focus()
    await undo.hover()
    await page.mouse.move(5, 5)
    await page.clock.fastForward('01:00')
    await undo.hover()
    await page.locator('#page').focus()
    await page.clock.fastForward('01:00')
    expect(await undo.count()).toBe(1)
    await page.mouse.move(5, 5)
    await page.clock.fastForward('01:00')
    await toast(page).getByText('2 items deleted').waitFor()
  })
})
