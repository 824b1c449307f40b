import { expect } from 'vitest'
import { accessibilityFindings } from '../lib/app/accessibility-findings.ts'
import { browserTest } from '../lib/app/app-browser.ts'
import { openPage } from '../lib/app/app-pages.ts'

browserTest('what was changed is listed, and undone by one click', async ({ visit, service }) => {
  await service.memorize(
    { fileName: 'oak.txt', body: 'The oak in the courtyard is old.', itemId: 'oak' },
    { fileName: 'elm.txt', body: 'The elm behind the barn is tall.', itemId: 'elm' },
  )
  await service.memory.mark('pin', { customId: 'oak_memory_0', sourceType: 'text' })
  await service.memory.mark('hide', { customId: 'elm_memory_0', sourceType: 'text' })
  for (const width of [1280, 390]) {
    const { page } = await visit({ viewport: { width, height: 800 } })
    await openPage(page, service, '/library/changes')
    await page.getByText('The elm behind the barn is tall.').waitFor()
    expect(await accessibilityFindings(page, 'every')).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true)
  }
  const { page } = await visit()
  await openPage(page, service, '/library/changes')
  await page.getByRole('button', { name: /^Undo\s?: elm/ }).click()
  await page.getByText('The elm behind the barn is tall.').waitFor({ state: 'detached' })
  await page.getByText('The oak in the courtyard is old.').waitFor()
  expect((await service.memory.edits({})).edits.map(({ kind }) => kind)).toEqual(['pin'])
  await openPage(page, service, '/settings/server')
  await page.getByText('alert_webhook_url').waitFor()
  expect(await accessibilityFindings(page, 'every')).toEqual([])
})
