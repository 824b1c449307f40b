import { expect } from 'vitest'
import { startOpenAiServer } from '../fakes/openai-server.ts'
import { accessibilityFindings } from '../lib/app/accessibility-findings.ts'
import { browserTest as test } from '../lib/app/app-browser.ts'
import { turnTo } from '../lib/app/app-pages.ts'
import { until } from '../lib/until.ts'

test('activity tells what an agent recalled while one looks, and narrows by kind', async ({ service, page }) => {
  await turnTo(page, '/settings/activity')
  await page.getByRole('heading', { name: 'Activity' }).waitFor()
  await service.memory.recall({ text: 'deployment of the shop' })
  const told = page.getByText('recalled “deployment of the shop”: nothing found')
  await told.waitFor()
  await page.getByText('Keys and people', { exact: true }).click()
  await told.waitFor({ state: 'detached' })
  await page.getByText('Questions', { exact: true }).click()
  await told.waitFor()
  expect(page.url()).toContain('what=questions')
  expect(await accessibilityFindings(page)).toEqual([])
})

test('a question that is answered is one entry', async ({ page }) => {
  await turnTo(page, '/?q=When+is+the+winter+fair%3F')
  await page.getByText('No clear answer').waitFor()
  await turnTo(page, '/settings/activity?what=questions')
  await page.getByText('asked “When is the winter fair?”').waitFor()
  expect(await page.getByText('winter fair').count()).toBe(1)
})

test('a text that is typed, searched for and then answered is one entry', async ({ page }) => {
  await page.locator('#question:focus').waitFor()
  await page.keyboard.type('the summer fair', { delay: 200 })
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Get an answer' }).click()
  await page.getByText('No clear answer').waitFor()
  await page.getByLabel('Answer every search').check()
  await page.getByLabel('Answer every search').uncheck()
  await page.locator('#question').fill('When is the autumn fair?')
  await page.locator('#question').press('Enter')
  await page.waitForURL('**/app/?q=When+is+the+autumn+fair%3F')
  await page.getByText('No clear answer').waitFor()
  await turnTo(page, '/settings/activity?what=questions')
  await page.getByText('asked “When is the autumn fair?”').waitFor()
  expect(await page.getByText('autumn fair').count()).toBe(1)
  await page.getByText('recalled “the summer fair”').waitFor()
  expect(await page.getByText('summer fair').count()).toBe(1)
})

test('the time zone of the account is found by typing, and kept', async ({ page }) => {
  await turnTo(page, '/settings')
  const zone = page.getByRole('combobox', { name: 'Time zone' })
  await zone.fill('tokyo')
  await page.getByRole('option', { name: 'Asia/Tokyo' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Account saved').waitFor()
  await page.reload()
  await until(async () => (await zone.inputValue()) === 'Asia/Tokyo')
})

test('the focus stays where invitations are when the last one is taken back', async ({ page }) => {
  await turnTo(page, '/settings/people')
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Create link' }).click()
  await page.getByRole('dialog', { name: 'Invitation link' }).getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: /^Revoke/ }).click()
  await page.getByRole('button', { name: /^Revoke/ }).waitFor({ state: 'detached' })
  const focused = () => page.locator(':focus').getAttribute('aria-label')
  await until(async () => (await focused()) === 'People and invitations')
})

test('a backup is downloaded, and what is built in is tested', async ({ page }) => {
  await turnTo(page, '/settings/server')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download backup' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^recalld-\d{4}-\d\d-\d\d\.db$/)
  expect(await download.failure()).toBeNull()
  expect(await accessibilityFindings(page)).toEqual([])
  await page.getByRole('link', { name: 'Models' }).click()
  await page.getByRole('button', { name: 'Test models' }).click()
  await page.getByText(/The built-in model works, responded in/).waitFor()
  expect(await accessibilityFindings(page)).toEqual([])
})

test('a language model is chosen in the page, tested, used at once and taken away again', async ({ page }) => {
  const said = { headline: 'Launch moved', people: ['Ada'], decisions: ['The launch is a week later.'] }
  await using server = await startOpenAiServer(() => said)
  await turnTo(page, '/settings/models')
  const panel = page.getByRole('region', { name: 'Language model', exact: true })
  await panel.getByLabel('Address').fill('http://127.0.0.1:9/v1')
  await panel.getByLabel('Model', { exact: true }).fill('qwen3:8b')
  await page.getByRole('button', { name: 'Test and use' }).click()
  await page.locator('.text-bad').getByText('qwen3:8b').waitFor()
  await panel.getByLabel('Address').fill(server.url)
  await panel.getByLabel('API key').fill('sk-very-secret')
  await page.getByLabel('Input, US$ per million tokens').fill('0,15')
  await page.getByLabel('Limit per month and account, US$').fill('10')
  await page.getByText('A budget needs both prices.').waitFor()
  await page.getByLabel('Output, US$ per million tokens').fill('0.6')
  await page.getByText('Per calendar month.').waitFor()
  await page.getByRole('button', { name: 'Test and use' }).click()
  await page.getByText('Language model changed').waitFor()
  await page.getByText('Used for memories and answers.').waitFor()
  expect(await page.content()).not.toContain('sk-very-secret')
  expect(await accessibilityFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Use the built-in one' }).click()
  await page.getByText('Rules extract memories').waitFor()
})
