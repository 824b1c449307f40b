import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { startOpenAiServer, wordVector } from '../fakes/openai-server.ts'
import { accessibilityFindings } from '../lib/app/accessibility-findings.ts'
import { browserTest as test } from '../lib/app/app-browser.ts'
import { turnTo } from '../lib/app/app-pages.ts'

test('an embedding model of a provider is tested, says what it costs, embeds the memory and is taken away again', async ({
  page,
  service,
}) => {
  await using server = await startOpenAiServer()
  await service.memorize({ fileName: 'cat.md', body: 'Our cat sleeps on the sofa beside the oven.' })
  await turnTo(page, '/settings/models')
  const panel = page.getByRole('region', { name: 'Embedding model from a provider' })
  await panel.getByLabel('Address').fill('http://127.0.0.1:9/v1')
  await panel.getByLabel('Model', { exact: true }).fill('bge-m3')
  await panel.getByRole('button', { name: 'Test' }).click()
  await panel.locator('.text-bad').getByText('bge-m3').waitFor()
  expect(await panel.getByRole('button', { name: /^Use it/ }).count()).toBe(0)
  await panel.getByLabel('Address').fill(server.url)
  await panel.getByLabel('API key').fill('sk-very-secret')
  await panel.getByLabel('Price, US$ per million tokens (optional)').fill('0,02')
  await panel.getByRole('button', { name: 'Test' }).click()
  await panel.getByText(/^1 text will be embedded, about \d+ tokens\. Cost: less than \$0\.01\./).waitFor()
  expect(await accessibilityFindings(page, 'every')).toEqual([])
  await panel.getByRole('button', { name: 'Use it and embed 1 text' }).click()
  await page.locator('li').getByText('openai-compatible:bge-m3', { exact: true }).waitFor()
  const config = () => readFileSync(join(service.home, 'config.yaml'), 'utf8')
  expect(config()).toMatch(/dimensions: 8\b/)
  expect(config()).not.toContain('sk-very-secret')
  const asked = server.embeddings.length
  await service.memory.recall({ text: 'Where does the cat sleep?' })
  expect(server.embeddings.length).toBeGreaterThan(asked)
  await panel.getByRole('button', { name: 'Use the built-in one' }).click()
  const dialog = page.getByRole('dialog', { name: 'Use the built-in model?' })
  await dialog.getByText('1 vector of this model will be deleted. Creating them again costs less than $0.01.').waitFor()
  expect(await accessibilityFindings(page, 'every')).toEqual([])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(config()).toContain('bge-m3')
  await panel.getByRole('button', { name: 'Use the built-in one' }).click()
  await dialog.getByRole('button', { name: 'Delete vectors and use it' }).click()
  await page.locator('li').getByText('openai-compatible:bge-m3', { exact: true }).waitFor({ state: 'detached' })
  expect(config()).not.toContain('bge-m3')
})

test('an embedding model whose provider goes away while it embeds is given up for the built-in one', async ({
  page,
  service,
}) => {
  await using server = await startOpenAiServer()
  await service.memorize({ fileName: 'dog.md', body: 'Our dog sleeps under the table beside the window.' })
  await turnTo(page, '/settings/models')
  const panel = page.getByRole('region', { name: 'Embedding model from a provider' })
  await panel.getByLabel('Address').fill(server.url)
  await panel.getByLabel('Model', { exact: true }).fill('bge-lost')
  await panel.getByRole('button', { name: 'Test' }).click()
  await panel.getByRole('button', { name: /^Use it and embed/ }).waitFor()
  server.embed(({ input }) =>
    input.some((text) => text.includes('dog')) ? { status: 503 } : input.map((text) => wordVector(text, 8)),
  )
  await panel.getByRole('button', { name: /^Use it and embed/ }).click()
  await page.getByText('Preparing openai-compatible:bge-lost').first().waitFor()
  await panel.getByRole('button', { name: 'Use the built-in one' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete vectors and use it' }).click()
  await page.getByText('Preparing openai-compatible:bge-lost').first().waitFor({ state: 'detached' })
  expect(readFileSync(join(service.home, 'config.yaml'), 'utf8')).not.toContain('bge-lost')
  await panel.getByRole('button', { name: 'Use the built-in one' }).waitFor({ state: 'detached' })
})
