import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { SAMPLE_USER } from '../../src/cli/serve/samples.ts'
import { openPage } from '../lib/app/app-pages.ts'
import type { AppService } from '../lib/app/app-service.ts'
import { buildPages } from '../lib/app/built-pages.ts'
import { launchChromium } from '../lib/app/chromium.ts'
import { startSampleService } from '../lib/app/sample-service.ts'
import { signInTo } from '../lib/app/sign-in-to.ts'
import { percentile } from './measure.ts'

/** What a task takes from the home page until its result is shown. */
export interface TaskEffort {
  readonly what: string
  readonly clicks: number
  /** Enter, arrows and shortcuts; a combination counts once. */
  readonly keys: number
  /** Characters. */
  readonly typed: number
  /** Median, for a hand that never hesitates: what the app takes. */
  readonly seconds: number
}

/** Uses a page as a person does, and counts. */
class Hand {
  readonly page: Page
  clicks = 0
  keys = 0
  typed = 0

  constructor(page: Page) {
    this.page = page
  }

  async click(target: Locator): Promise<void> {
    await target.click()
    this.clicks += 1
  }

  async press(key: string): Promise<void> {
    await this.page.keyboard.press(key)
    this.keys += 1
  }

  /** Into what has the focus. */
  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text)
    this.typed += text.length
  }
}

interface Task {
  readonly what: string
  /** Ends once the result is shown. */
  readonly carryOut: (hand: Hand, service: AppService) => Promise<unknown>
}

const SIZE = { width: 1280, height: 800 }
const PATIENCE_MS = 15_000

const button = (within: Page | Locator, name: string | RegExp) => within.getByRole('button', { name, exact: true })
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
const results = (page: Page) => page.getByRole('list', { name: 'Results' }).getByRole('listitem')
const source = (page: Page) => page.getByRole('region', { name: 'Source of the selected result' })

async function ask(hand: Hand, question: string): Promise<void> {
  await hand.type(question)
  await hand.press('Enter')
}

const TASKS: readonly Task[] = [
  {
    what: 'Find what Elif decided about the launch, and when',
    carryOut: async (hand) => {
      await ask(hand, 'when does the new checkout launch?')
      await results(hand.page)
        .getByText(/new date is Tuesday, 24 March/)
        .first()
        .waitFor()
    },
  },
  {
    what: 'See what I did on 3 March',
    carryOut: async (hand) => {
      await ask(hand, 'what did I do on 3 March 2026?')
      await hand.page.getByText('Checkout weekly').first().waitFor()
    },
  },
  {
    what: 'Read a decision in the original conversation',
    carryOut: async (hand) => {
      await ask(hand, 'which database did we choose')
      await hand.press('ArrowDown')
      await source(hand.page).locator('mark').first().waitFor()
    },
  },
  {
    what: 'Find what Jonas wrote in Slack about the outage',
    carryOut: async (hand) => {
      await ask(hand, 'outage')
      await results(hand.page).first().waitFor()
      await hand.click(button(hand.page, 'Filter by source: All sources'))
      await hand.click(hand.page.getByRole('button', { name: /^Slack/ }))
      await hand.page.waitForURL(/source=slack/)
      await results(hand.page).getByText('Jonas Weber').first().waitFor()
    },
  },
  {
    what: 'Put a wrong memory right',
    carryOut: async (hand) => {
      await ask(hand, 'how long was the outage?')
      await results(hand.page).first().waitFor()
      await hand.click(source(hand.page).getByText('What agents see', { exact: true }).first())
      await hand.click(button(source(hand.page), 'Correct').first())
      const field = source(hand.page).getByLabel('Corrected text')
      await field.and(hand.page.locator(':focus')).waitFor()
      await hand.press('Control+A')
      await hand.type('The outage lasted 51 minutes.')
      await hand.press('Control+Enter')
      await results(hand.page).getByText('51 minutes').first().waitFor()
    },
  },
  {
    what: 'Connect a folder of notes',
    carryOut: async (hand, { home }) => {
      const folder = writeJournal(dirname(home))
      const { page } = hand
      await hand.click(link(page, 'Sources'))
      await hand.click(link(page, 'Add a source'))
      await hand.click(page.getByRole('link', { name: /^Text files/ }))
      await hand.click(page.getByLabel('Connection name'))
      await hand.press('Control+A')
      await hand.type('journal')
      await hand.click(page.getByLabel('Folders'))
      await hand.type(folder)
      await hand.click(button(page, 'Continue'))
      await page.getByRole('heading', { name: 'What to sync', level: 2 }).waitFor()
      await hand.click(button(page, 'Continue'))
      await hand.click(button(page, 'Connect Text files'))
      await page.getByText('Up to date', { exact: true }).waitFor()
    },
  },
  {
    what: 'Write a note',
    carryOut: async (hand) => {
      await hand.press('Control+k')
      await hand.page.getByRole('combobox', { name: 'Go to a page' }).and(hand.page.locator(':focus')).waitFor()
      await hand.type('note')
      await hand.press('Enter')
      await hand.page.getByRole('textbox', { name: 'Note text' }).and(hand.page.locator(':focus')).waitFor()
      await hand.type('The spare key hangs behind the clock.')
      await hand.press('Control+Enter')
      await hand.page.getByText('Note saved').waitFor()
    },
  },
  {
    what: 'See what I promised and have not done',
    carryOut: async (hand) => {
      await hand.click(link(hand.page, 'People'))
      await hand.click(hand.page.getByText('You', { exact: true }))
      await hand.page.getByRole('heading', { name: 'Open promises' }).waitFor()
    },
  },
  {
    what: 'Delete an item, and take it back',
    carryOut: async (hand) => {
      const { page } = hand
      await hand.click(link(page, 'Library'))
      await hand.click(page.getByRole('checkbox', { name: /Windsurf/ }))
      await hand.click(button(page.getByRole('toolbar'), 'Delete'))
      await hand.press('Control+z')
      await page.locator('#toasts').getByText('Deleting').waitFor({ state: 'detached' })
      await link(page, 'Windsurf').waitFor()
    },
  },
  {
    what: 'Give an agent a key of its own',
    carryOut: async (hand) => {
      const { page } = hand
      await hand.click(link(page, 'Settings'))
      await hand.click(link(page, 'Keys'))
      await hand.click(button(page, 'New key'))
      await page.getByRole('dialog', { name: 'New key' }).getByLabel('Name').and(page.locator(':focus')).waitFor()
      await hand.type('Cursor')
      await hand.press('Enter')
      await page.getByRole('dialog', { name: 'Key Cursor' }).waitFor()
    },
  },
]

/** @param home of the person */
function writeJournal(home: string): string {
  const folder = join(home, 'journal')
  mkdirSync(folder)
  const file = join(folder, 'garden.md')
  writeFileSync(file, '# Garden\n\nThe apple tree was cut in February.\n')
  // What was written just now is left alone for a while.
  const longAgo = new Date('2026-01-15T12:00:00Z')
  utimesSync(file, longAgo, longAgo)
  return '~/journal'
}

/** Carries out each task in a service with the samples. @param rounds each with a service of its own */
export async function measureTasks(rounds: number): Promise<TaskEffort[]> {
  await buildPages()
  const browser = await launchChromium()
  try {
    const measured: TaskEffort[][] = []
    for (let round = 0; round < rounds; round++) {
      await using service = await startSampleService()
      measured.push(await carryOutAll(browser, service))
    }
    return (measured[0] ?? []).map((effort, index) => {
      const seconds = measured.flatMap((efforts) => efforts[index]?.seconds ?? [])
      return { ...effort, seconds: percentile(seconds, 0.5) }
    })
  } finally {
    await browser.close()
  }
}

async function carryOutAll(browser: Browser, service: AppService): Promise<TaskEffort[]> {
  const context = await browser.newContext({ viewport: SIZE, timezoneId: SAMPLE_USER.timeZone })
  context.setDefaultTimeout(PATIENCE_MS)
  await signInTo(context, service)
  const page = await context.newPage()
  const efforts: TaskEffort[] = []
  for (const { what, carryOut } of TASKS) {
    await openPage(page, service, '/')
    await page.locator('#question:focus').waitFor()
    const hand = new Hand(page)
    const start = performance.now()
    await carryOut(hand, service)
    const { clicks, keys, typed } = hand
    efforts.push({ what, clicks, keys, typed, seconds: (performance.now() - start) / 1_000 })
  }
  await context.close()
  return efforts
}
