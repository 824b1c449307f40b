import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { SAMPLE_USER } from '../src/cli/serve/samples.ts'
import { packagePath } from '../src/lib/files.ts'
import { openPage } from '../test/lib/app/app-pages.ts'
import type { AppService } from '../test/lib/app/app-service.ts'
import { buildPages } from '../test/lib/app/built-pages.ts'
import { launchChromium } from '../test/lib/app/chromium.ts'
import { startSampleService } from '../test/lib/app/sample-service.ts'
import { signInTo } from '../test/lib/app/sign-in-to.ts'
import { recalld } from '../test/lib/recalld-process.ts'

/** Takes the screenshots of docs/images from a service with the samples and this project's documents, read from a folder. */

const FOLDER = packagePath('docs/images')
const MOST_BYTES = 250 * 1024
const SIZE = { width: 1280, height: 800 }
const ACCOUNT = 'The shop'
const QUESTION = 'Which database did we choose and why?'
const ITEM = 'google_meets/google_meets-checkout-weekly-3-march-md'

interface Picture {
  readonly name: string
  readonly show: (page: Page, address: string) => Promise<unknown>
}

const PICTURES: readonly Picture[] = [
  {
    name: 'recall',
    show: async (page, address) => {
      await openPage(page, { address }, `/?q=${encodeURIComponent(QUESTION)}`)
      await page.getByText('PostgreSQL').first().waitFor()
    },
  },
  {
    name: 'sources',
    show: async (page, address) => {
      await openPage(page, { address }, '/sources')
      await page.getByText('Handbook').first().waitFor()
    },
  },
  {
    name: 'library-item',
    show: async (page, address) => {
      await openPage(page, { address }, `/library/${ITEM}`)
      await page.getByText('PostgreSQL').first().waitFor()
    },
  },
  {
    name: 'keys',
    show: async (page, address) => {
      await openPage(page, { address }, '/settings/keys')
      await page.getByText('default').first().waitFor()
    },
  },
]

await buildPages()
await using service = await startSampleService()
await makeKeys(service)
const browser = await launchChromium()
try {
  await mkdir(FOLDER, { recursive: true })
  for (const theme of ['light', 'dark'] as const) await takeAll(browser, service, theme)
} finally {
  await browser.close()
}

async function makeKeys({ home }: AppService): Promise<void> {
  const commands = [
    ['keys', 'create', '--name', 'Claude Code', '--sources', 'all'],
    ['keys', 'create', '--name', 'Support bot', '--sources', 'technical_docs,slack'],
  ]
  for (const command of commands) {
    const { code, stderr } = await recalld(command, { RECALLD_HOME: home })
    if (code !== 0) throw new Error(`recalld ${command.join(' ')}: ${stderr}`)
  }
}

async function takeAll(browser: Browser, service: AppService, colorScheme: 'light' | 'dark'): Promise<void> {
  const timezoneId = SAMPLE_USER.timeZone
  const context = await browser.newContext({ viewport: SIZE, deviceScaleFactor: 1.25, colorScheme, timezoneId })
  await signInTo(context, service, { name: SAMPLE_USER.name, login: 'mara', password: 'a shop of good lamps' })
  const page = await context.newPage()
  await openPage(page, service, '/settings')
  await page.getByLabel('Name', { exact: true }).fill(ACCOUNT)
  await page.keyboard.press('Enter')
  await page.getByRole('button').getByText(ACCOUNT).waitFor()
  for (const { name, show } of PICTURES) {
    await show(page, service.address)
    const path = join(FOLDER, `${name}-${colorScheme}.png`)
    await page.screenshot({ path, animations: 'disabled' })
    const { size } = await stat(path)
    if (size > MOST_BYTES) throw new Error(`${path} has ${size} bytes; at most ${MOST_BYTES}`)
    process.stdout.write(`${path}: ${Math.round(size / 1024)} KiB\n`)
  }
  await context.close()
}
