import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { accessibilityFindings } from '../lib/app/accessibility-findings.ts'
import { browserTest } from '../lib/app/app-browser.ts'
import { turnTo } from '../lib/app/app-pages.ts'
import type { AppService } from '../lib/app/app-service.ts'
import { until } from '../lib/until.ts'

const CHAT = {
  name: 'WhatsApp Chat with Priya.txt',
  mimeType: 'text/plain',
  text: '13/04/26, 10:12 - Priya: The cello lesson moves to Friday\n13/04/26, 10:14 - Ada: Fine with me',
}
const NOTE = { name: 'shopping.txt', mimeType: 'text/plain', text: 'Bread and olives' }
const asFile = ({ text, ...file }: typeof CHAT) => ({ ...file, buffer: Buffer.from(text) })

/** Drops files from the desktop on the drop zone. */
async function drop(page: Page, ...files: readonly (typeof CHAT)[]): Promise<void> {
  const transfer = await page.evaluateHandle(`((given) => {
    const data = new DataTransfer()
    for (const { name, mimeType, text } of given) data.items.add(new File([text], name, { type: mimeType }))
    return data
  })(${JSON.stringify(files)})`)
  await page.dispatchEvent('[data-drop-zone]', 'drop', { dataTransfer: transfer })
}

const uploads = ({ home }: AppService) => readdirSync(join(home, 'imports'))

async function connect(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('1 item to sync from 1 app').waitFor()
  await page.getByRole('rowheader', { name: /WhatsApp/ }).waitFor()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Connect Messenger exports' }).click()
  await page.getByText('Up to date', { exact: true }).waitFor()
}

describe('the export of an app', () => {
  browserTest(
    'that is dropped is looked at, connected and read, and goes with its source',
    async ({ page, service }) => {
      await turnTo(page, '/sources/new')
      await drop(page, CHAT)
      await page.getByRole('heading', { name: 'Connect Messenger exports', level: 1 }).waitFor()
      await page.getByText(CHAT.name).waitFor()
      expect(await accessibilityFindings(page)).toEqual([])
      await connect(page)
      await until(async () => (await service.memory.recall({ text: 'cello lesson' })).memories.length > 0)
      expect(uploads(service)).toHaveLength(1)

      await page.getByRole('button', { name: 'Disconnect' }).click()
      const dialog = page.getByRole('dialog', { name: /^Disconnect Messenger exports/ })
      await dialog.getByRole('button', { name: 'Disconnect', exact: true }).click()
      await page.getByRole('button', { name: 'Done' }).click()
      await until(async () => uploads(service).length === 0)
    },
  )

  browserTest('is chosen, refused, removed and connected with the keyboard alone', async ({ page, service }) => {
    await turnTo(page, '/sources/new/messenger_exports')
    const choose = page.getByRole('button', { name: 'Choose files' })
    await choose.waitFor()
    // The page puts the focus on its first step after it is painted.
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    const pick = async (...files: (typeof CHAT)[]) => {
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), choose.press('Enter')])
      await chooser.setFiles(files.map(asFile))
    }
    await pick(NOTE)
    await page.getByText('This file is not an export that recalld knows.').waitFor()
    expect(await accessibilityFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Remove shopping.txt' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('shopping.txt').waitFor({ state: 'detached' })
    expect(uploads(service)).toEqual([])

    await pick(CHAT)
    await page.getByRole('button', { name: `Remove ${CHAT.name}` }).waitFor()
    await page.getByLabel('Connection name').focus()
    await page.keyboard.press('Enter')
    await page.getByText('1 item to sync from 1 app').waitFor()
  })

  browserTest('can be cancelled while it is uploaded, and leaves nothing behind', async ({ page, service }) => {
    await turnTo(page, '/sources/new/messenger_exports')
    const before = uploads(service)
    const held = Promise.withResolvers<void>()
    await page.route('**/app/api/imports/*?at=*', async (route) => {
      await held.promise
      await route.abort()
    })
    await drop(page, CHAT)
    await page.getByRole('progressbar', { name: `Upload of ${CHAT.name}` }).waitFor()
    await until(async () => uploads(service).length > before.length)
    await page.getByRole('button', { name: `Cancel the upload of ${CHAT.name}` }).click()
    await until(async () => uploads(service).length === before.length)
    held.resolve()
    await page.getByText(CHAT.name).waitFor({ state: 'detached' })
  })

  browserTest('of another app leads to its own page', async ({ page }) => {
    await turnTo(page, '/sources/new/chat_exports')
    await drop(page, CHAT)
    await page.getByRole('heading', { name: 'Connect Messenger exports', level: 1 }).waitFor()
    await page.getByText(CHAT.name).waitFor()
  })
})
