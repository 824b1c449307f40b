import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { accessibilityFindings } from '../lib/app/accessibility-findings.ts'
import { browserTestOf, browserTest as test } from '../lib/app/app-browser.ts'
import { turnTo } from '../lib/app/app-pages.ts'
import { startAppService } from '../lib/app/app-service.ts'
import { recalld } from '../lib/recalld-process.ts'
import { until } from '../lib/until.ts'

/** One source of the service has a setting that is wrong, another a folder that is not there. */
const troubledTest = browserTestOf(async () => {
  const yaml =
    'connectors:\n  technical_docs: [{name: handbook, paths: 5}]\n  text: [{name: notes, paths: [/nowhere/notes]}]\n'
  const service = await startAppService({
    prepare: (home) => writeFileSync(join(home, 'config.yaml'), yaml, { mode: 0o600 }),
  })
  await recalld(['sync', 'text'], { RECALLD_HOME: service.home })
  return service
})

test.for([
  ['de-AT', 'de', 'Quellen', '4. März 2026'],
  ['ja', 'ja', 'ソース', '2026年3月4日'],
  ['fr-FR', 'en', 'Sources', '4 March 2026'],
] as const)(
  'a browser in %s shows the app in %s, also its dates',
  async ([locale, language, sources, day], { visit }) => {
    const { page } = await visit({ locale })
    await turnTo(page, '/days/2026-03-04')
    await page.getByRole('heading', { name: day }).waitFor()
    await page.getByRole('link', { name: sources, exact: true }).waitFor()
    expect(await page.evaluate('document.documentElement.lang')).toBe(language)
    expect(await accessibilityFindings(page)).toEqual([])
  },
)

test.for([
  ['de', 'Quellen auf diesem Server werden in ein anderes Konto synchronisiert.'],
  ['ja', 'このサーバーのソースは別のアカウントに同期されます。'],
] as const)('an error of the service is said in %s', async ([locale, sentence], { visit }) => {
  const { page } = await visit({ locale })
  const detail = 'Sources on this server sync into a different account.'
  await page.route('**/app/api/sources', (route) => route.fulfill({ status: 409, json: { detail } }))
  // Opened anew, because the badge of the first page has asked for the sources already.
  await page.goto(new URL('/app/sources', page.url()).href)
  await page.getByText(sentence).first().waitFor()
})

test('the language that is chosen in the app stays, whatever the browser prefers', async ({ page }) => {
  const chooseLanguage = (label: string, language: string) =>
    page.getByRole('combobox', { name: label }).selectOption({ label: language })
  await chooseLanguage('Language', 'Deutsch')
  await page.getByRole('link', { name: 'Einstellungen' }).waitFor()
  await page.reload()
  await page.getByRole('link', { name: 'Einstellungen' }).waitFor()
  await chooseLanguage('Sprache', 'English')
  await page.getByRole('link', { name: 'Settings' }).waitFor()
  await until(async () => (await page.evaluate('document.documentElement.lang')) === 'en')
})

troubledTest.for([
  ['de', 'Einstellungen bearbeiten', 'gibt es nicht. Binde den Datenträger ein'],
  ['ja', '設定を編集', 'がありません。ディスクをマウントするか'],
] as const)(
  'what a source reports, and what to do about it, is said in %s',
  async ([locale, action, problem], { visit }) => {
    const { page } = await visit({ locale })
    await turnTo(page, '/sources')
    await page.getByRole('link', { name: action, exact: true }).first().waitFor()
    await page.getByText(problem).first().waitFor()
  },
)

test.for([
  [
    'de',
    'Browserverlauf verbinden',
    'Die Seiten, die du besucht hast',
    'Weitere Einstellungen',
    'Verlaufsdatenbanken. Standard',
  ],
  ['ja', 'ブラウザ履歴を接続', 'ブラウザ履歴', 'その他の設定', '同期する履歴データベース'],
] as const)('a connector is described in %s', async ([locale, title, summary, more, setting], { visit }) => {
  const { page } = await visit({ locale })
  await turnTo(page, '/sources/new')
  await page.getByRole('link', { name: summary }).click()
  await page.getByRole('heading', { name: title }).waitFor()
  await page.getByText(more).click()
  await page.getByText(setting).waitFor()
})
