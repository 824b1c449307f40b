import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { type OpenAiServer, startOpenAiServer } from '../fakes/openai-server.ts'
import { answering } from '../lib/answering-model.ts'
import { accessibilityFindings } from '../lib/app/accessibility-findings.ts'
import { browserTestOf } from '../lib/app/app-browser.ts'
import { startAppService } from '../lib/app/app-service.ts'
import { until } from '../lib/until.ts'

let server: OpenAiServer

const modelTest = browserTestOf(async () => {
  server = await startOpenAiServer()
  const settings = `provider: openai-compatible, model: test, url: "${server.url}", use: [ask]`
  const service = await startAppService({
    prepare: (home) => writeFileSync(join(home, 'config.yaml'), `models: {language: {${settings}}}\n`, { mode: 0o600 }),
  })
  await service.memorize({ fileName: 'caching.md', body: 'We decided to cache prices in Valkey, behind a flag.' })
  return {
    ...service,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
})

const QUESTION = 'Where are prices cached?'
const DRAFT = 'Draft by the language model. Checking it against your sources.'

/** The model stops behind its answer, before its quotes. @returns what lets it go on */
function answerInTwoParts(sentence: string, quote = 'cache prices in Valkey'): () => void {
  const rest = Promise.withResolvers<void>()
  server.chat((request) => {
    const { citations, ...answer } = answering(request, sentence, 'cache prices in Valkey')
    const said = { ...answer, citations: citations.map(({ n }) => ({ n, quote })) }
    return { text: JSON.stringify(said), paused: { behind: '"quote"', until: rest.promise } }
  })
  return rest.resolve
}

describe('an answer of a language model', () => {
  modelTest('is a draft until it is proved, and screen readers are told the answer once', async ({ page }) => {
    const goOn = answerInTwoParts('They are in Valkey')
    await page.getByLabel('Search your memory').fill(QUESTION)
    await page.keyboard.press('Enter')
    await page.getByText(DRAFT).waitFor()
    const panel = page.getByRole('region', { name: 'Answer' })
    const live = panel.locator('div[aria-live=polite]')
    await panel.getByText('They are in Valkey.').waitFor()
    expect(await live.textContent()).toBe('')
    expect(await panel.getByRole('button', { name: 'Copy answer' }).count()).toBe(0)
    expect(await accessibilityFindings(page, 'every')).toEqual([])
    await page.getByRole('list', { name: 'Results' }).getByRole('listitem').first().waitFor()
    await panel.getByRole('button', { name: 'Stop' }).focus()
    goOn()
    await panel.getByRole('button', { name: 'Follow up' }).waitFor()
    expect(await live.textContent()).toContain('They are in Valkey.')
    expect(await panel.getByText('They are in Valkey.').count()).toBe(1)
    expect(await page.getByText(DRAFT).count()).toBe(0)
    await until(() => panel.evaluate((element) => element.contains(element.ownerDocument.activeElement)))
  })

  modelTest('is asked for once, however often Enter is pressed', async ({ page }) => {
    let asked = 0
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/app/api/ask') asked++
    })
    const goOn = answerInTwoParts('Valkey has them')
    await page.getByLabel('Search your memory').fill('Which cache has the prices?')
    await page.keyboard.press('Enter')
    await page.getByText('Valkey has them.').waitFor()
    for (let times = 0; times < 3; times++) await page.keyboard.press('Enter')
    goOn()
    await page.getByRole('region', { name: 'Answer' }).getByRole('button', { name: 'Follow up' }).waitFor()
    expect(asked).toBe(1)
  })

  modelTest('that is not proved leaves the page', async ({ page }) => {
    const goOn = answerInTwoParts('They are behind Valkey', 'prices are behind Valkey')
    await page.getByLabel('Search your memory').fill('Where do we cache prices?')
    await page.keyboard.press('Enter')
    await page.getByText('They are behind Valkey.').waitFor()
    goOn()
    const panel = page.getByRole('region', { name: 'Answer' })
    await panel.getByRole('button', { name: 'Follow up' }).waitFor()
    expect(await page.getByText('They are behind Valkey.').count()).toBe(0)
    await panel.getByText('We decided to cache prices in Valkey').first().waitFor()
  })

  modelTest('is stopped by the keyboard, and asked for again when wanted', async ({ page }) => {
    const goOn = answerInTwoParts('It is Valkey')
    await page.getByLabel('Search your memory').fill('What caches prices?')
    await page.keyboard.press('Enter')
    await page.getByText(DRAFT).waitFor()
    const panel = page.getByRole('region', { name: 'Answer' })
    await panel.getByRole('button', { name: 'Stop' }).focus()
    await page.keyboard.press('Enter')
    await panel.getByText('Stopped.').waitFor()
    expect(await page.getByText('It is Valkey.').count()).toBe(0)
    expect(await accessibilityFindings(page, 'every')).toEqual([])
    goOn()
    await panel.getByRole('button', { name: 'Get an answer' }).click()
    await panel.getByText('It is Valkey.').waitFor()
    await panel.getByRole('button', { name: 'Follow up' }).waitFor()
  })
})
