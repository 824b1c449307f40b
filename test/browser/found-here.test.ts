import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { claudeSession } from '../fakes/local/claude-session.ts'
import { accessibilityFindings } from '../lib/app/accessibility-findings.ts'
import { browserTestOf } from '../lib/app/app-browser.ts'
import { openPage } from '../lib/app/app-pages.ts'
import { startAppService } from '../lib/app/app-service.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'

/** A person's home folder with one session of Claude Code. */
function startWithSession() {
  const userHome = temporaryFolder()
  const folder = join(userHome, '.claude', 'projects', '-home-ada-shop')
  mkdirSync(folder, { recursive: true })
  const lines = claudeSession('a1').exchanges(1, 3)
  writeFileSync(join(folder, 'a1.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return startAppService({ env: { HOME: userHome } })
}

const test = browserTestOf(startWithSession)

test('an empty memory offers what is on this machine, and one click connects it; adding a source, when asked', async ({
  page,
  service,
}) => {
  await page.getByText('Your memory is empty').waitFor()
  await page.getByRole('heading', { name: 'On this machine' }).waitFor()
  await page.getByText('1 item', { exact: true }).waitFor()
  expect(await accessibilityFindings(page)).toEqual([])
  const looked: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/preview')) looked.push(request.url())
  })
  await openPage(page, service, '/sources/new')
  const look = page.getByRole('button', { name: 'Find sources on this machine' })
  await look.waitFor()
  expect(looked).toEqual([])
  await look.click()
  await page.getByRole('button', { name: 'Connect Claude Code' }).waitFor()
  expect(looked.length).toBeGreaterThan(0)
  expect(await accessibilityFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Connect Claude Code' }).click()
  await page.getByRole('button', { name: 'Connect Claude Code' }).waitFor({ state: 'detached' })
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Sources' }).click()
  await page.getByText('Claude Code').first().waitFor()
})
