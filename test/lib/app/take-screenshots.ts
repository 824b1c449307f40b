import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { packagePath } from '../../../src/lib/files.ts'

const THEMES = ['light', 'dark'] as const
const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
]

/** Of tests; git ignores it. `RECALLD_SCREENSHOTS` names another. */
export function screenshotFolder(): string {
  const folder = process.env.RECALLD_SCREENSHOTS ?? packagePath('test/browser/screenshots')
  mkdirSync(folder, { recursive: true })
  return folder
}

/** Pictures of a page as it is now, for people to look at: light and dark, wide and on a phone. @returns their paths */
export async function takeScreenshots(page: Page, name: string): Promise<string[]> {
  const before = page.viewportSize()
  const paths: string[] = []
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme })
    for (const size of SIZES) {
      await page.setViewportSize(size)
      const path = join(screenshotFolder(), `${name}-${colorScheme}-${size.width}.png`)
      await page.screenshot({ path, animations: 'disabled' })
      paths.push(path)
    }
  }
  await page.emulateMedia({ colorScheme: null })
  if (before !== null) await page.setViewportSize(before)
  return paths
}
