import type { Locator, Page } from 'playwright-core'

const MOST_STEPS = 80

/** Moves the focus as a person does who has a keyboard only. @throws Error when Tab does not lead to the target */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor()
  const focused = target.and(page.locator(':focus'))
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    if ((await focused.count()) > 0) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${target}`)
}
