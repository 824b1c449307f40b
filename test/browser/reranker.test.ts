import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { startOpenAiServer } from '../fakes/openai-server.ts'
import { accessibilityFindings } from '../lib/app/accessibility-findings.ts'
import { browserTest as test } from '../lib/app/app-browser.ts'
import { turnTo } from '../lib/app/app-pages.ts'

test('a reranker of a provider is tested, orders the next recall, and is taken away again', async ({
  page,
  service,
}) => {
  await using server = await startOpenAiServer()
  await service.memorize({ fileName: 'kite.md', body: 'Our kite hangs in the cellar beside the skis.' })
  await turnTo(page, '/settings/models')
  const panel = page.getByRole('region', { name: 'Reranker' })
  expect(await panel.getByRole('radio', { name: /^None/ }).isChecked()).toBe(true)
  await panel.getByRole('radio', { name: /^A provider/ }).check()
  await panel.getByLabel('Address').fill('http://127.0.0.1:9/v1')
  await panel.getByLabel('Model', { exact: true }).fill('rank-1')
  await panel.getByRole('button', { name: 'Test and use' }).click()
  await panel.locator('.text-bad').getByText('rank-1').waitFor()
  await panel.getByLabel('Address').fill(server.url)
  await panel.getByRole('button', { name: 'Test and use' }).click()
  await page.locator('li').getByText('cohere-compatible:rank-1', { exact: true }).waitFor()
  expect(await accessibilityFindings(page, 'every')).toEqual([])
  const asked = server.reranks.length
  await service.memory.recall({ text: 'Where is the kite?' })
  expect(server.reranks.length).toBe(asked + 1)

  await panel.getByRole('radio', { name: /^None/ }).check()
  await panel.getByRole('button', { name: 'Use', exact: true }).click()
  await page.locator('li').getByText('cohere-compatible:rank-1', { exact: true }).waitFor({ state: 'detached' })
  expect(readFileSync(join(service.home, 'config.yaml'), 'utf8')).not.toContain('rank-1')
  await service.memory.recall({ text: 'Where is the kite?' })
  expect(server.reranks.length).toBe(asked + 1)
})
