import type { BrowserContext, FileChooser, Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { browserTest } from '../lib/app/app-browser.ts'
import type { AppService } from '../lib/app/app-service.ts'
import { FIRST_PERSON } from '../lib/app/sign-in-to.ts'

const file = (name: string, text: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })

/** Another account of the person who is signed in. */
async function addAccount(context: BrowserContext, service: AppService, name: string): Promise<void> {
  const headers = await csrfHeaders(context, service)
  const answer = await context.request.post(`${service.address}/app/api/accounts`, { headers, data: { name } })
  expect(answer.status()).toBe(201)
}

async function csrfHeaders({ request }: BrowserContext, { address }: AppService) {
  const { csrf_token } = await (await request.get(`${address}/app/api/session`)).json()
  return { 'x-csrf-token': csrf_token }
}

async function changeTo(page: Page, account: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(FIRST_PERSON.name) }).click()
  await page.getByRole('menuitem', { name: account }).click()
  await page.getByRole('button', { name: new RegExp(account) }).waitFor()
}

async function openFileDialog(page: Page, button = 'Upload files'): Promise<FileChooser> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: button }).click()
  return chooser
}

async function signInAgain(page: Page): Promise<void> {
  await page.getByLabel('Email or username').fill(FIRST_PERSON.login)
  const password = page.getByLabel('Password')
  await password.fill(FIRST_PERSON.password)
  await password.press('Enter')
}

describe('when the session changes while a page is open', () => {
  browserTest('and ends: whoever signs in again is where they were, and can send what was refused', async ({ own }) => {
    const { page, context } = own
    await page.goto(new URL('library?sort=name', page.url()).href)
    await page.getByText('No items yet').waitFor()
    const chooser = await openFileDialog(page)
    await context.clearCookies()
    await chooser.setFiles([file('heron.txt', 'The heron stands in the reeds.')])
    await signInAgain(page)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('1 file uploaded').waitFor()
    expect(page.url()).toContain('/app/library?sort=name')
  })

  browserTest('and ends while the file dialog is open: what was chosen can be sent, too', async ({ own, service }) => {
    const { page, context } = own
    await page.goto(new URL('library', page.url()).href)
    const chooser = await openFileDialog(page)
    await context.clearCookies()
    // The page refreshes its list, which is refused.
    await service.memorize({ fileName: 'crane.txt', body: 'The crane is grey.', itemId: 'crane' })
    await page.getByLabel('Password').waitFor()
    await chooser.setFiles([file('stork.txt', 'The stork nests on the chimney.')])
    await signInAgain(page)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('1 file uploaded').waitFor()
  })

  browserTest(
    'and is ended in another window while an export is chosen: it is uploaded after signing in again',
    async ({ own, service }) => {
      const { page, context } = own
      await page.goto(new URL('sources/new', page.url()).href)
      const chooser = await openFileDialog(page, 'Choose files')
      const headers = await csrfHeaders(context, service)
      await context.request.delete(`${service.address}/app/api/session`, { headers })
      await page.getByLabel('Password').waitFor()
      await chooser.setFiles([
        file('WhatsApp Chat with Priya.txt', '13/04/26, 10:12 - Priya: The lesson moves to Friday'),
      ])
      await signInAgain(page)
      await page.getByRole('heading', { name: 'Connect Messenger exports', level: 1 }).waitFor()
      await page.getByText('WhatsApp Chat with Priya.txt').waitFor()
    },
  )

  browserTest('and ends as an export is uploaded: it is uploaded after signing in again', async ({ own }) => {
    const { page, context } = own
    await page.goto(new URL('sources/new', page.url()).href)
    const chooser = await openFileDialog(page, 'Choose files')
    await context.clearCookies()
    await chooser.setFiles([file('WhatsApp Chat with Jo.txt', '13/04/26, 10:12 - Jo: The ferry leaves at nine')])
    await signInAgain(page)
    await page.getByRole('heading', { name: 'Connect Messenger exports', level: 1 }).waitFor()
    await page.getByText('WhatsApp Chat with Jo.txt').waitFor()
  })

  browserTest('and ends: after signing in again, each call names the account on the page', async ({ own, service }) => {
    const { page, context } = own
    await page.goto(new URL('library', page.url()).href)
    await context.clearCookies()
    await page.reload()
    const listed = page.waitForRequest(/\/app\/api\/library(\?|$)/)
    await signInAgain(page)
    const headers = (await listed).headers()
    const { account } = await (await context.request.get(`${service.address}/app/api/session`)).json()
    expect(headers['x-account-id']).toBe(account.id)
  })

  browserTest('to another account: nothing of the one before is to be seen', async ({ own, service }) => {
    const { page, context } = own
    await service.memorize({ fileName: 'secret.txt', body: 'The gate code is on the blue card.', itemId: 'secret' })
    await addAccount(context, service, 'Harbour team')
    await page.reload()
    const box = page.getByRole('textbox', { name: /Search your memory/ })
    await box.fill('gate code')
    await box.press('Enter')
    await page.getByRole('list', { name: 'Results' }).getByText('blue card').first().waitFor()
    await page.getByRole('link', { name: 'Library' }).click()
    await page.getByRole('row').filter({ hasText: 'secret.txt' }).waitFor()
    await changeTo(page, 'Harbour team')
    await page.getByText('No items yet').waitFor()
    await page.goBack()
    await page.getByText('No results', { exact: true }).waitFor()
    expect(await page.getByText('blue card').count()).toBe(0)
  })

  browserTest('to another account: no file goes there that was chosen before', async ({ own, service }) => {
    const { page, context } = own
    await addAccount(context, service, 'Orchard team')
    await page.goto(new URL('library', page.url()).href)
    const changed = Promise.withResolvers<void>()
    await page.route('**/library/upload', (route) => changed.promise.then(() => route.continue()))
    const names = ['oak', 'elm', 'fir', 'ash', 'yew']
    // Three are sent at once, and the others wait.
    await page
      .getByLabel('Files to upload')
      .setInputFiles(names.map((name) => file(`${name}.txt`, `The ${name} is old.`)))
    await page.getByText('Uploading 5 files').waitFor()
    await changeTo(page, 'Orchard team')
    changed.resolve()
    await page.getByText('No items yet').waitFor()
    await changeTo(page, 'My memory')
    await expect.poll(() => page.getByRole('button', { name: 'Try again' }).count()).toBe(names.length)
  })

  browserTest('in another window: what waits to be deleted is not deleted there', async ({ own, service }) => {
    const { page, context } = own
    await service.memorize({ fileName: 'swift.txt', body: 'The swift sleeps in the air.', itemId: 'swift' })
    await addAccount(context, service, 'Meadow team')
    await page.clock.install()
    await page.goto(new URL('library?text=swift', page.url()).href)
    await page.getByRole('row').filter({ hasText: 'swift.txt' }).getByRole('checkbox').check()
    const sent = page.waitForRequest((request) => request.method() === 'DELETE')
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click()
    const toasts = page.locator('#toasts')
    await toasts.getByText('Deleting').waitFor()
    // Stops the countdown until the account is changed.
    await toasts.getByRole('button', { name: 'Undo' }).hover()
    const other = await context.newPage()
    await other.goto(page.url())
    await changeTo(other, 'Meadow team')
    // Anything that is refused makes the page follow.
    await page.getByLabel('Files to upload').setInputFiles([file('late.txt', 'Meant for the first account.')])
    await page.getByRole('button', { name: /Meadow team/ }).waitFor()
    const { account } = await (await context.request.get(`${service.address}/app/api/session`)).json()
    await page.mouse.move(5, 5)
    await page.clock.fastForward('01:00')
    const { 'x-account-id': sentFor } = (await sent).headers()
    expect(sentFor).toBeDefined()
    expect(sentFor).not.toBe(account.id)
    await toasts.getByText('You switched to the account Meadow team in another window.').waitFor()
    await changeTo(page, 'My memory')
    await page.getByRole('row').filter({ hasText: 'swift.txt' }).waitFor()
    await toasts.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('row').filter({ hasText: 'swift.txt' }).waitFor({ state: 'detached' })
    await other.close()
  })

  browserTest('in another window: this one follows before it does anything', async ({ own, service }) => {
    const { page, context } = own
    await service.memorize({ fileName: 'kept.txt', body: 'Kept in the first account.', itemId: 'kept' })
    await addAccount(context, service, 'Garden team')
    await page.reload()
    await page.getByRole('link', { name: 'Library' }).click()
    await page.getByRole('row').filter({ hasText: 'kept.txt' }).waitFor()
    const other = await context.newPage()
    await other.goto(page.url())
    await changeTo(other, 'Garden team')
    await page.getByLabel('Files to upload').setInputFiles([file('late.txt', 'Meant for the first account.')])
    await page.getByRole('button', { name: /Garden team/ }).waitFor()
    await page.getByText('No items yet').waitFor()
    await other.close()
  })
})

describe('when a new version is installed while the app is open', () => {
  browserTest('a page that is not there any more loads the app anew', async ({ page, watch }) => {
    watch.allow(/library-page/)
    watch.allow(/dynamically imported module/)
    await page.route('**/assets/library-page-*.js', (route) => route.fulfill({ status: 404, body: '' }), { times: 1 })
    await page.getByRole('link', { name: 'Library' }).click()
    await page.getByRole('heading', { name: 'Library', level: 1 }).waitFor()
  })
})
