import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { accessibilityFindings } from '../lib/app/accessibility-findings.ts'
import { browserTestOf } from '../lib/app/app-browser.ts'
import type { AppService } from '../lib/app/app-service.ts'
import { startSampleService } from '../lib/app/sample-service.ts'
import { recalld } from '../lib/recalld-process.ts'
import { until } from '../lib/until.ts'

const sampleTest = browserTestOf(startSampleService)
const FIRST = 'How long did the outage last?'

async function ask(page: Page, question: string): Promise<void> {
  const box = page.getByLabel('Search your memory')
  await box.fill(question)
  await box.press('Enter')
  await page.getByRole('button', { name: 'Follow up' }).waitFor()
}

async function followUp(page: Page, question: string): Promise<void> {
  await page.getByRole('button', { name: 'Follow up' }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.type(question)
  await page.keyboard.press('Enter')
  await page.locator('p').getByText(question, { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Follow up' }).waitFor()
}

async function goldenQuestions({ home }: AppService): Promise<readonly { question: string }[]> {
  const { stdout } = await recalld(['golden', 'list', '--json'], { RECALLD_HOME: home })
  return (JSON.parse(stdout) as { questions: { question: string }[] }).questions
}

describe('a conversation', () => {
  sampleTest(
    'goes on: a follow-up is understood by what was said before, and kept in this browser',
    async ({ page }) => {
      const asked: { text: string; context?: string }[] = []
      page.on('request', (request) => {
        if (request.url().endsWith('/app/api/ask')) asked.push(request.postDataJSON())
      })
      await ask(page, FIRST)
      await followUp(page, 'And why was that?')
      const earlier = page.getByRole('region', { name: 'Earlier in this conversation' })
      await earlier.getByText(FIRST).waitFor()
      expect(asked.map(({ text }) => text)).toEqual([FIRST, 'And why was that?'])
      expect(asked[0]?.context).toBeUndefined()
      expect(asked[1]?.context).toContain(`${FIRST}\n`)
      expect(await accessibilityFindings(page, 'every')).toEqual([])
      await page.reload()
      await earlier.getByText(FIRST).waitFor()
      await earlier.getByRole('button').first().click()
      await earlier.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Clear search' }).click()
      await page.getByRole('button', { name: `${FIRST} 1 follow-up` }).click()
      await earlier.getByText(FIRST).waitFor()
      await ask(page, 'Which database did we choose?')
      await earlier.waitFor({ state: 'detached' })
    },
  )

  sampleTest(
    'a useful answer becomes a golden question, and a wrong one with the right item',
    async ({ page, service }) => {
      await ask(page, FIRST)
      await page.getByRole('button', { name: 'Useful' }).click()
      await page.getByText('Saved as a golden question.').waitFor()
      expect(await goldenQuestions(service)).toMatchObject([{ question: FIRST }])
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByRole('button', { name: 'Useful' }).waitFor()
      expect(await goldenQuestions(service)).toEqual([])
      await page.getByRole('button', { name: 'Wrong' }).click()
      const choice = page.getByRole('group', { name: 'Which of these answers your question?' })
      await choice.getByRole('button').first().waitFor()
      expect(await accessibilityFindings(page)).toEqual([])
      await choice.getByRole('button').first().click()
      await until(async () => (await goldenQuestions(service)).length === 1)
    },
  )

  sampleTest('a follow-up becomes a golden question with what it goes on from', async ({ page, service }) => {
    await ask(page, FIRST)
    await followUp(page, 'And why was that?')
    await page.getByRole('button', { name: 'Wrong' }).click()
    const choice = page.getByRole('group', { name: 'Which of these answers your question?' })
    await choice.getByRole('button').first().click()
    await page.getByText('Saved as a golden question.').waitFor()
    const kept = await goldenQuestions(service)
    expect(kept.at(-1)?.question).toMatch(/^And why was that\? .*\w/s)
    expect(kept.at(-1)?.question.length).toBeLessThanOrEqual(320)
  })
})
