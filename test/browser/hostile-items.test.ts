import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { browserTestOf } from '../lib/app/app-browser.ts'
import { turnTo } from '../lib/app/app-pages.ts'
import { startAppService } from '../lib/app/app-service.ts'
import { HOSTILE_EFFECTS, HOSTILE_WORD, hostileItems } from '../lib/app/hostile-items.ts'
import { recalld } from '../lib/recalld-process.ts'

const WITHOUT_TEXT = Buffer.from([0xff, 0xfe, 0xfd, 0x80])

/** A folder is connected that holds files which cannot be read, under names that want to be markup. */
function connectHostileFolder(home: string): void {
  const folder = join(home, 'folder')
  mkdirSync(folder)
  for (const name of ['<img src=x onerror=hostileRan=1>.md', '\u202efdp.md', '[a](javascript:hostileRan=1).md'])
    writeFileSync(join(folder, name), WITHOUT_TEXT)
  const connection = `connectors:\n  technical_docs: [{name: hostile, paths: [${JSON.stringify(folder)}]}]\n`
  writeFileSync(join(home, 'config.yaml'), connection, { mode: 0o600 })
}

const hostileTest = browserTestOf(async () => {
  const service = await startAppService({ prepare: connectHostileFolder })
  await service.memorize(...hostileItems())
  // Its first run by the schedule may be a minute away.
  await recalld(['sync', 'technical_docs'], { RECALLD_HOME: service.home })
  return service
})

/** Once everything that the page wanted is there. */
async function expectOnlyText(page: Page): Promise<void> {
  await page.waitForLoadState('load')
  await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0)
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 })
    expect(await page.evaluate<string[]>(HOSTILE_EFFECTS), `${page.url()} at ${width} px`).toEqual([])
  }
}

hostileTest('what only looks hidden is kept: the joiners of a family of emoji', async ({ page, service }) => {
  const family = '\u{1f469}\u200d\u{1f469}\u200d\u{1f467}\u200d\u{1f466}'
  await service.memorize({ fileName: 'family.md', itemId: 'family', body: `The ${family} moved to Oslo.` })
  await turnTo(page, '/library/text/family')
  await page.getByText(`The ${family} moved to Oslo.`).first().waitFor()
})

describe('text that wants to be more than text is shown as text by', () => {
  hostileTest('recall', async ({ page, service }) => {
    await page.goto(`${service.address}/app/?q=${HOSTILE_WORD}`)
    await page.getByText(HOSTILE_WORD).first().waitFor()
    await expectOnlyText(page)
  })

  hostileTest('the library', async ({ page, service }) => {
    await page.goto(`${service.address}/app/library`)
    await page.getByText(HOSTILE_WORD).first().waitFor()
    await expectOnlyText(page)
  })

  hostileTest('the page of each item', async ({ page }) => {
    for (const { itemId = '' } of hostileItems()) {
      const path = `/text/${encodeURIComponent(itemId)}`
      await turnTo(page, `/library${path}`)
      // Of this item, not of the one before it.
      await page.locator(`a[download][href*=${JSON.stringify(`${path}/original`)}]`).waitFor()
      await page.getByText(HOSTILE_WORD).first().waitFor()
      await expectOnlyText(page)
    }
  })

  hostileTest('activity', async ({ page, service }) => {
    await service.memory.recall({ text: '<img src=x onerror=window.hostileRan=1> \u202eHOSTILE question' })
    await page.goto(`${service.address}/app/settings/activity`)
    await page.getByText('question').first().waitFor()
    await expectOnlyText(page)
  })

  hostileTest('the failures of a source', async ({ page, service }) => {
    await page.goto(`${service.address}/app/sources/technical_docs/hostile`)
    await page.getByText('onerror').first().waitFor()
    await expectOnlyText(page)
  })
})

hostileTest('a question that wants to be more than text is asked as text', async ({ page, service }) => {
  const question = `${HOSTILE_WORD} <img src=x onerror=window.hostileRan=1> \u202e"><script>window.hostileRan=1</script>?`
  await page.goto(`${service.address}/app/?q=${encodeURIComponent(question)}`)
  await page.getByText(HOSTILE_WORD).first().waitFor()
  await expectOnlyText(page)
})
