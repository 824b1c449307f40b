import { describe, expect } from 'vitest'
import { z } from 'zod'
import { accessibilityFindings } from '../lib/app/accessibility-findings.ts'
import { browserTestOf } from '../lib/app/app-browser.ts'
import { openPage } from '../lib/app/app-pages.ts'
import { startSampleService } from '../lib/app/sample-service.ts'

const sampleTest = browserTestOf(startSampleService)
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

const MANIFEST = z.object({
  scope: z.string(),
  icons: z.array(z.object({ src: z.string(), sizes: z.string(), type: z.string() })),
  share_target: z.object({ action: z.string(), params: z.record(z.string(), z.string()) }),
})

describe('the app on a phone', () => {
  sampleTest('is installed by its manifest, whose icons have the sizes it states', async ({ page, service }) => {
    const href = await page.locator('link[rel=manifest]').getAttribute('href')
    const answer = await fetch(`${service.address}${href}`)
    expect(answer.headers.get('content-type')).toContain('application/manifest+json')
    const { icons, scope } = MANIFEST.parse(await answer.json())
    expect(scope).toBe('/app/')
    for (const { src, sizes, type } of icons) {
      const icon = await fetch(`${service.address}${src}`)
      expect(icon.headers.get('content-type')).toContain(type)
      if (type !== 'image/png') continue
      // The width and height of a PNG.
      const bytes = Buffer.from(await icon.arrayBuffer())
      expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).toBe(sizes)
    }
  })

  sampleTest('takes what another app shares as a note', async ({ visit, service }) => {
    const { page } = await visit(PHONE)
    const shared = new URLSearchParams({
      title: 'Soup',
      text: 'Lentils, see https://example.org/soup',
      url: 'https://example.org/soup',
    })
    await page.goto(`${service.address}/app/share?${shared}`)
    const note = page.getByRole('textbox', { name: 'Note text' })
    await note.waitFor()
    expect(await note.inputValue()).toBe('Soup\n\nLentils, see https://example.org/soup')
    await page.getByRole('button', { name: 'Save note' }).tap()
    await page.getByText('Note saved').waitFor()
    await page.getByLabel('Search your memory').waitFor()
  })

  sampleTest('has the pages of every day and a note within reach of the thumb', async ({ visit }) => {
    const { page } = await visit(PHONE)
    const bar = page.getByRole('navigation', { name: 'Quick access' })
    await bar.getByRole('link', { name: 'Library' }).tap()
    await page.getByRole('heading', { name: 'Library', level: 1 }).waitFor()
    await bar.getByRole('button', { name: 'Note' }).tap()
    await page.getByRole('textbox', { name: 'Note text' }).waitFor()
    await page.keyboard.press('Escape')
    await bar.getByRole('link', { name: 'Recall' }).tap()
    await page.getByLabel('Search your memory').waitFor()
    expect(await accessibilityFindings(page, 'every')).toEqual([])
  })

  sampleTest('shows the actions of a selection above the bar', async ({ visit, service }) => {
    const { page } = await visit(PHONE)
    await openPage(page, service, '/library')
    await page.getByRole('button', { name: /^Select all/ }).tap()
    const clear = page.getByRole('toolbar').getByRole('button', { name: 'Clear' })
    await clear.tap()
    await clear.waitFor({ state: 'detached' })
  })

  sampleTest('goes back from a source to its result, which has the focus', async ({ visit, service }) => {
    const { page } = await visit(PHONE)
    await openPage(page, service, '/?q=outage')
    const result = page.getByRole('list', { name: 'Results' }).getByRole('link').nth(1)
    const focused = page.locator(':focus')
    await result.tap()
    await page.getByRole('button', { name: 'Back to the results' }).tap()
    await result.and(focused).waitFor()
    await result.tap()
    await page.getByRole('link', { name: 'Open item' }).tap()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'Back to the results' }).and(focused).waitFor()
  })

  sampleTest('shows the first result in the upper third, also below an answer', async ({ visit, service }) => {
    const { page } = await visit(PHONE)
    for (const text of ['the outage', 'How long did the outage last?']) {
      await openPage(page, service, `/?q=${encodeURIComponent(text)}`)
      if (text.endsWith('?')) await page.getByRole('button', { name: 'Follow up' }).waitFor()
      const box = await page.getByRole('list', { name: 'Results' }).getByRole('listitem').first().boundingBox()
      expect(box?.y, text).toBeLessThan(PHONE.viewport.height / 3)
    }
  })
})
