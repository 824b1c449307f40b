import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { insertItems } from '../bench/library-items.ts'
import { accessibilityFindings } from '../lib/app/accessibility-findings.ts'
import { browserTest } from '../lib/app/app-browser.ts'
import { turnTo } from '../lib/app/app-pages.ts'
import type { AppService } from '../lib/app/app-service.ts'
import { until } from '../lib/until.ts'

const PLACES = ['harbour', 'garden', 'library', 'kitchen', 'cellar', 'attic', 'workshop', 'orchard']
const LONG_NOTE = Array.from(
  { length: 60 },
  (_, n) =>
    `## Part ${n + 1}\n\nOn day ${n + 1} Grace painted door ${n * 7} of the ${PLACES[n % PLACES.length]}, and Alan ordered ${n + 3} buckets of paint.\n`,
).join('\n')

const file = (name: string, text: string | Uint8Array) => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(text),
})

function insertInto({ home }: AppService, count: number, prefix: string): void {
  const database = join(home, 'recalld.db')
  const reader = new DatabaseSync(database, { readOnly: true, timeout: 60_000 })
  const accountId = String(reader.prepare('select account_id from account').get()?.account_id)
  reader.close()
  insertItems(database, accountId, count, prefix)
}

const open = (page: Page, path = '') => turnTo(page, `/library${path}`)

const toast = (page: Page) => page.locator('#toasts')
const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const choose = (page: Page, ...files: ReturnType<typeof file>[]) =>
  page.getByLabel('Files to upload').setInputFiles(files)

describe('the library', () => {
  browserTest('takes files, tells how each of them goes, and lists what became of them', async ({ page }) => {
    await open(page)
    await choose(
      page,
      file('ferry.txt', 'The ferry sails from pier nine at seven.'),
      file('kettle.txt', 'The kettle is red.'),
    )
    await rowOf(page, 'ferry.txt').getByText('Ready').waitFor()
    await rowOf(page, 'kettle.txt').getByText('Ready').waitFor()
    await page.getByRole('heading', { name: '2 files uploaded' }).waitFor()
    expect(await accessibilityFindings(page)).toEqual([])
  })

  browserTest('asks before a file takes the place of another', async ({ page, service, watch }) => {
    await service.memorize({ fileName: 'shed.txt', body: 'The shed is green.', itemId: 'shed-txt' })
    await open(page)
    await choose(page, file('shed.txt', 'The shed is blue now.'))
    await page.getByRole('button', { name: 'Replace' }).click()
    await page.getByText('1 file uploaded').waitFor()
    await expect
      .poll(async () => (await service.memory.download({ itemId: 'shed-txt', sourceType: 'text' })).body.length)
      .toBe(21)
    expect(watch.faults).toEqual([])
  })

  browserTest('tags a selection, lists its items by tag, and takes a tag from an item', async ({ page, service }) => {
    for (const name of ['oak', 'elm', 'fir'])
      await service.memorize({ fileName: `${name}.txt`, body: `The ${name} stands tall.`, itemId: `${name}-txt` })
    await open(page)
    for (const name of ['oak', 'elm']) await rowOf(page, `${name}.txt`).getByRole('checkbox').click()
    await page.getByRole('button', { name: /^Select all/ }).focus()
    await page.keyboard.press('Tab')
    await page.getByRole('toolbar').locator(':focus').waitFor()
    await page.getByRole('toolbar').getByLabel('Add a tag').fill('Garden')
    await page.getByRole('toolbar').getByRole('button', { name: 'Add' }).click()
    await toast(page).getByText('2 items tagged “Garden”').waitFor()
    await rowOf(page, 'oak.txt').getByText('#Garden').waitFor()
    await open(page, '?tag=garden')
    await page.getByText('2 items', { exact: true }).waitFor()
    await expect.poll(() => rowOf(page, 'fir.txt').count()).toBe(0)

    await open(page, '/text/oak-txt')
    const tags = page.getByRole('region', { name: 'Tags' })
    await tags.getByLabel('Add a tag').fill('Old trees')
    await tags.getByLabel('Add a tag').press('Enter')
    await tags.getByRole('link', { name: 'Old trees' }).waitFor()
    expect(await accessibilityFindings(page)).toEqual([])
    await tags.getByRole('button', { name: 'Remove the tag Garden' }).press('Enter')
    await until(async () => (await tags.getByRole('link').allTextContents()).join() === 'Old trees')
    expect(await tags.locator(':focus').getAttribute('aria-label')).toBe('Add a tag')
    const { tags: stored } = await service.memory.tags({ itemId: 'oak-txt', sourceType: 'text' })
    expect(stored).toEqual(['Old trees'])
  })

  browserTest('forgets what is left of a selection of which something is gone already', async ({ page, service }) => {
    const names = ['swift', 'swallow', 'martin']
    for (const name of names)
      await service.memorize({ fileName: `${name}.txt`, body: `A ${name} flew by.`, itemId: name })
    await open(page)
    for (const name of names) await page.getByLabel(`Select ${name}.txt`).check()
    await service.memory.forget({ itemId: 'swift', sourceType: 'text' })
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click()
    await toast(page).getByRole('button', { name: 'Delete now' }).click()
    await toast(page).getByText('3 items deleted').waitFor()
    await toast(page).getByText('1 item was already deleted.').waitFor()
    await rowOf(page, 'martin.txt').waitFor({ state: 'detached' })
  })

  browserTest('takes files that are dropped on the page', async ({ page }) => {
    await open(page)
    const dropped = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer()
      transfer.items.add(new File(['Dropped from the desk.'], 'dropped.txt', { type: 'text/plain' }))
      return transfer
    })()`)
    await page.dispatchEvent('main', 'dragenter', { dataTransfer: dropped })
    await page.getByText('Drop files to upload').waitFor()
    await page.dispatchEvent('main', 'drop', { dataTransfer: dropped })
    await rowOf(page, 'dropped.txt').getByText('Ready').waitFor()
  })

  browserTest('filters by text, state and order, and keeps that in the address', async ({ page, service }) => {
    await service.memorize({ fileName: 'broken.pdf', body: '%PDF-1.7 nothing', itemId: 'broken', sourceType: 'pdf' })
    await service.memorize({ fileName: 'unbroken.txt', body: 'All is well.', itemId: 'unbroken' })
    await open(page)
    await page.getByRole('searchbox').fill('BROKEN')
    await page.getByText('2 items', { exact: true }).waitFor()
    await page.getByRole('button', { name: /^Failed/ }).click()
    await page.getByText('1 item', { exact: true }).waitFor()
    await rowOf(page, 'broken.pdf')
      .getByText(/damaged|cannot/)
      .waitFor()
    expect(new URL(page.url()).search).toBe('?states=failed&text=BROKEN')
    await page.reload()
    await page.getByText('1 item', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('button', { name: 'Size' }).click()
    await page.waitForURL(({ search }) => search === '?sort=largest')
  })

  browserTest('shows others at once what comes and goes', async ({ page, service }) => {
    await open(page)
    await service.memorize({ fileName: 'from-an-agent.txt', body: 'Written by an agent.', itemId: 'agent-note' })
    await rowOf(page, 'from-an-agent.txt').getByText('Ready').waitFor()
    await service.memory.forget({ itemId: 'agent-note', sourceType: 'text' })
    await rowOf(page, 'from-an-agent.txt').waitFor({ state: 'detached' })
  })

  browserTest('forgets what is ticked, one receipt for each', async ({ page, service }) => {
    for (const name of ['one', 'two']) {
      await service.memorize({ fileName: `gone-${name}.txt`, body: `The parrot number ${name} is called Polly.` })
    }
    await open(page, '?text=gone-')
    await page.getByLabel('Select gone-two.txt').click()
    await page.getByLabel('Select gone-one.txt').click({ modifiers: ['Shift'] })
    await page.getByText('2 items selected').waitFor()
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await page.getByRole('button', { name: 'Select all 2' }).click()
    await page.getByText('2 items selected').waitFor()
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click()
    await toast(page).getByText('Deleting 2 items').waitFor()
    expect(await accessibilityFindings(page)).toEqual([])
    await toast(page).getByRole('button', { name: 'Delete now' }).click()
    await toast(page).getByRole('button', { name: 'Show receipts' }).click()
    const dialog = page.getByRole('dialog', { name: '2 items deleted' })
    await expect.poll(() => dialog.getByText('nothing found').count()).toBe(2)
    expect(await accessibilityFindings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByText('No items match these filters').waitFor()
    await page.getByRole('button', { name: '2 deletion receipts' }).click()
    await dialog.getByRole('heading', { name: 'gone-one.txt' }).waitFor()
  })

  browserTest('keeps what is undone, by mouse and by keyboard', async ({ page, service }) => {
    await service.memorize({ fileName: 'kept.txt', body: 'The owl sleeps in the barn.', itemId: 'kept' })
    await open(page)
    const remove = async () => {
      await page.getByLabel('Select kept.txt').check()
      await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click()
      await rowOf(page, 'kept.txt').getByText('Deleting').waitFor()
    }
    await remove()
    await toast(page).getByRole('button', { name: 'Undo' }).click()
    await rowOf(page, 'kept.txt').getByText('Ready').waitFor()
    await remove()
    await page.locator('#page:focus').waitFor()
    await page.keyboard.press('Control+z')
    await rowOf(page, 'kept.txt').getByText('Ready').waitFor()
    await expect.poll(() => toast(page).getByRole('button').count()).toBe(0)
    expect((await service.memory.download({ itemId: 'kept', sourceType: 'text' })).body.length).toBeGreaterThan(0)
  })

  browserTest('deletes at once when the page is left', async ({ page, service }) => {
    for (const name of ['left-one', 'left-two'])
      await service.memorize({ fileName: `${name}.txt`, body: `The heron ${name} left.`, itemId: name })
    await open(page, '?text=left-')
    await page.getByRole('button', { name: 'Select all 2' }).click()
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click()
    await toast(page).getByText('Deleting 2 items').waitFor()
    await page.goto('about:blank')
    await until(async () => (await service.memory.recall({ text: 'Which heron left?' })).memories.length === 0)
  })

  browserTest('says on return that it could not delete, and tries again', async ({ page, service, watch }) => {
    await service.memorize({ fileName: 'wren.txt', body: 'The wren hides in the hedge.', itemId: 'wren' })
    watch.allow(/ERR_FAILED/)
    await page.route('**/app/api/library/forget', (route) => route.abort())
    await open(page, '/text/wren')
    await page.getByRole('button', { name: 'Delete' }).click()
    await toast(page).getByText('Deleting “wren.txt”').waitFor()
    // As when another tab is chosen.
    await page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
      delete document.visibilityState`)
    await toast(page).getByText("Couldn't delete “wren.txt”").waitFor()
    await toast(page).getByRole('button', { name: 'Try again' }).click()
    await toast(page).getByText('1 item deleted').waitFor()
    await rowOf(page, 'wren.txt').waitFor({ state: 'detached' })
  })

  browserTest('saves a selection as a file', async ({ page, service }) => {
    for (const name of ['crow', 'raven'])
      await service.memorize({ fileName: `bird-${name}.txt`, body: `A ${name} sat on the wall.`, itemId: name })
    await open(page, '?text=bird-')
    await page.getByRole('button', { name: 'Select all 2' }).click()
    const saved = async (choice: RegExp) => {
      await page.getByRole('toolbar').getByRole('button', { name: 'Export' }).click()
      expect(await accessibilityFindings(page)).toEqual([])
      const download = page.waitForEvent('download')
      await page.getByRole('menuitem', { name: choice }).click()
      const file = await download
      return { name: file.suggestedFilename(), text: readFileSync(await file.path(), 'utf8') }
    }
    const markdown = await saved(/^Markdown/)
    expect(markdown.name).toBe('recalld-items.md')
    expect(markdown.text).toContain('A raven sat on the wall.')
    const lines = await saved(/^JSON Lines/)
    expect(
      lines.text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).item_id),
    ).toEqual(['raven', 'crow'])
    await toast(page).getByText('2 items exported').first().waitFor()
  })

  browserTest('asks before it deletes more than can be undone', async ({ page, service }) => {
    insertInto(service, 101, 'gull')
    await open(page, '?text=gull-')
    await page.getByRole('button', { name: 'Select all 101' }).click()
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete 101 items?' })
    await dialog.getByText("You can't undo this.").waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('101 items selected').waitFor()
  })
})

describe('an item', () => {
  browserTest('is copied and shared with its citation', async ({ visit, service }) => {
    await service.memorize({ fileName: 'anvil.txt', body: 'The anvil stands in the smithy.', itemId: 'anvil' })
    const { page } = await visit({ permissions: ['clipboard-read', 'clipboard-write'] })
    const shared: unknown[] = []
    await page.exposeFunction('recordShared', (data: unknown) => shared.push(data))
    // Chromium has no share sheet on Linux.
    await page.evaluate('navigator.share = (data) => window.recordShared(data)')
    await open(page, '/text/anvil')
    await page.getByRole('button', { name: 'Copy text and citation' }).click()
    const quoted = 'The anvil stands in the smithy.\n\n— “anvil.txt”, anvil.txt'
    await expect.poll(() => page.evaluate<string>('navigator.clipboard.readText()')).toBe(quoted)
    await page.getByRole('button', { name: 'Share' }).click()
    await expect.poll(() => shared).toEqual([{ title: 'anvil.txt', text: quoted }])
    expect(await accessibilityFindings(page, 'every')).toEqual([])
  })

  browserTest('names the agent that wrote it, without a click', async ({ page, service }) => {
    const note = { fileName: 'agent-note.md', body: 'The spare key hangs behind the boiler.', itemId: 'spare-key' }
    await service.memorize({ ...note, agent: 'claude-code 2.1.197' })
    await open(page, '/text/spare-key')
    await page.getByText(/^Text · written by claude-code 2\.1\.197$/).waitFor()
    await page.getByText('Details', { exact: true }).click()
    await page.getByRole('definition').filter({ hasText: 'claude-code 2.1.197' }).waitFor()
    expect(await accessibilityFindings(page)).toEqual([])
  })

  browserTest(
    'shows where in its text a memory stands, and which memories a passage made',
    async ({ page, service }) => {
      await service.memorize({ fileName: 'doors.md', body: LONG_NOTE, itemId: 'doors' })
      await open(page, '/text/doors')
      await page.getByRole('button', { name: /^What agents see/ }).click()
      const memories = page.getByRole('region', { name: 'Memories' })
      const text = page.getByRole('region', { name: 'Text' })
      await memories.getByRole('article').first().waitFor()
      await memories.evaluate((box: { scrollTop: number }) => {
        box.scrollTop = 3_000
      })
      const late = memories.getByRole('article').nth(8).getByRole('button').first()
      const [day] = (await memories.getByRole('article').nth(8).innerText()).match(/On day \d+/) ?? []
      await late.click()
      const lit = text.getByRole('article').filter({ hasText: `${day} ` })
      await lit.waitFor()
      await expect.poll(() => lit.getAttribute('aria-current')).toBe('true')
      const [box, part] = [await text.boundingBox(), await lit.boundingBox()]
      expect(part?.y).toBeGreaterThanOrEqual((box?.y ?? Number.NaN) - 1)
      expect(part?.y).toBeLessThan((box?.y ?? Number.NaN) + (box?.height ?? 0))
      await text.evaluate((box: { scrollTop: number }) => {
        box.scrollTop = 0
      })
      await text
        .getByRole('button', { name: /memor(y|ies)/ })
        .first()
        .click()
      const first = memories.getByRole('article').filter({ hasText: 'On day 1 ' }).first()
      await expect.poll(() => first.getAttribute('class')).toContain('bg-accent-soft')
      expect(await accessibilityFindings(page, 'every')).toEqual([])
    },
  )

  browserTest('is shown at the passage in the address, with its details folded', async ({ page, service }) => {
    await service.memorize({ fileName: 'rooms.md', body: LONG_NOTE, itemId: 'rooms' })
    await open(page, '/text/rooms?passage=30')
    const text = page.getByRole('region', { name: 'Text' })
    const lit = text.locator('article[aria-current=true]')
    await lit.waitFor()
    const [box, part] = [await text.boundingBox(), await lit.boundingBox()]
    expect(part?.y).toBeGreaterThanOrEqual(box?.y ?? Number.NaN)
    expect(part?.y).toBeLessThan((box?.y ?? Number.NaN) + (box?.height ?? 0))
    await page.getByText('Details', { exact: true }).waitFor()
    expect(await page.getByText('Last changed').isVisible()).toBe(false)
    await page.getByText('Details', { exact: true }).click()
    await page.getByText('Last changed').waitFor()
    expect(await accessibilityFindings(page, 'every')).toEqual([])
  })

  browserTest('is read on a phone, its memories above the text on request', async ({ visit, service }) => {
    await service.memorize({ fileName: 'phone.md', body: LONG_NOTE.slice(0, 2_000), itemId: 'phone' })
    const { page } = await visit({ viewport: { width: 390, height: 844 } })
    await open(page, '/text/phone')
    const memories = page.getByRole('region', { name: 'Memories' })
    const agentView = page.getByRole('button', { name: /^What agents see/ })
    await agentView.waitFor()
    expect(await memories.isVisible()).toBe(false)
    await agentView.click()
    await memories.getByRole('button').first().click()
    await page.getByRole('region', { name: 'Text' }).waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  })

  browserTest('is forgotten with a receipt, and nothing behind it reports an error', async ({ page, service }) => {
    await service.memorize({ fileName: 'secret.txt', body: 'The spare key lies under the third stone.', itemId: 'key' })
    await open(page, '/text/key')
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'Library', level: 1 }).waitFor()
    await page.locator('#page:focus').waitFor()
    await toast(page).getByText('Deleting “secret.txt”').waitFor()
    await toast(page).getByRole('button', { name: 'Delete now' }).click()
    await toast(page).getByRole('button', { name: 'Show receipt' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('The spare key lies under the third stone.').first().waitFor()
    await dialog.getByText('nothing found').waitFor()
    expect(await page.getByText(/not found|doesn't exist/).count()).toBe(0)
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.locator('#page:focus').waitFor()
    const { memories } = await service.memory.recall({ text: 'Where is the spare key?' })
    expect(memories.filter(({ item_id }) => item_id === 'key')).toEqual([])
  })
})

browserTest('a library of 20,000 items is scrolled from end to end', async ({ page, service }) => {
  insertInto(service, 20_000, 'many')
  await open(page, '?text=&sort=oldest')
  const table = page.getByRole('table', { name: 'Items' })
  const rows = async () => Number(await table.getAttribute('aria-rowcount'))
  await expect.poll(rows).toBeGreaterThan(20_000)
  await page.evaluate('window.scrollTo(0, document.body.scrollHeight)')
  await page.locator(`tr[aria-rowindex="${await rows()}"] a`).waitFor()
  expect(await page.getByRole('row').count()).toBeLessThan(80)
  await page.evaluate('window.scrollTo(0, document.body.scrollHeight / 2)')
  await page.locator(`tr[aria-rowindex="${Math.floor((await rows()) / 2)}"] a`).waitFor()
})
