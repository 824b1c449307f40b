import type { Browser, BrowserContext, Page } from 'playwright-core'
import { type AppService, startAppService } from '../lib/app/app-service.ts'
import { buildPages } from '../lib/app/built-pages.ts'
import { launchChromium } from '../lib/app/chromium.ts'
import { firstPageScripts, gzipBytes } from '../lib/app/page-scripts.ts'
import { signInTo } from '../lib/app/sign-in-to.ts'
import { percentile, sleep, timed } from './measure.ts'
import type { Row } from './table.ts'

export interface WebBenchSize {
  /** Cold visits of the first page. */
  readonly visits: number
  readonly items: number
  /** Turns of the wheel over the library. */
  readonly turns: number
  /** Searches while typing, among the first 10,000 items. */
  readonly searches: number
}

type SignIn = Awaited<ReturnType<BrowserContext['storageState']>>

const SIZE = { width: 1280, height: 800 }
/** A wheel that is turned fast: about a screen each time. */
const TURN = { pixels: 900, everyMs: 50 }
const WITHOUT_LIMITS = {
  RECALLD_MAX_UPLOADS_WAITING: '10000000',
  RECALLD_MAX_UPLOADS_WAITING_PER_ACCOUNT: '10000000',
}
/** Items among which is searched while typing. */
const SEARCHED = 10_000
/** A fast typist. */
const KEY_MS = 60
/** What people see as a stutter. */
const LONG_FRAME_MS = 50

/**
 * What people wait for who open the app: the first page in a browser that never saw it, and the list of a large
 * library.
 */
export async function measureWeb(rows: Row[], { visits, items, turns, searches }: WebBenchSize): Promise<void> {
  await buildPages()
  await using service = await startAppService({ env: WITHOUT_LIMITS })
  const browser = await launchChromium()
  try {
    const signIn = await signedIn(browser, service)
    await fillLibrary(service, 0, Math.min(items, SEARCHED))
    await measureTyping(rows, browser, service, signIn, { items: Math.min(items, SEARCHED), searches })
    await fillLibrary(service, SEARCHED, items)
    await measureFirstPage(rows, browser, service, signIn, visits)
    await measureLibrary(rows, browser, service, signIn, { items, turns })
  } finally {
    await browser.close()
  }
}

/** With the notes of these numbers. */
async function fillLibrary(service: AppService, from: number, to: number): Promise<void> {
  const text = new TextEncoder()
  await timed(Math.max(0, to - from), 32, async (index) => {
    const number = from + index
    const body = text.encode(`Note ${number}. We tried lamp ${number % 97} at desk ${number % 13}, and it was bright.`)
    await service.memory.memorize({ body, fileName: `${nameOf(number)}.txt`, itemId: nameOf(number), userName: 'Ada' })
  })
  const settled = /^recalld_items\{state="settled"\} (\d+)/m
  while (Number(settled.exec(await (await fetch(`${service.address}/metrics`)).text())?.[1]) < to) await sleep(200)
}

const nameOf = (number: number) => `note-${number}`

async function signedIn(browser: Browser, service: AppService): Promise<SignIn> {
  const context = await browser.newContext()
  await signInTo(context, service)
  const state = await context.storageState()
  await context.close()
  return state
}

async function measureFirstPage(
  rows: Row[],
  browser: Browser,
  service: AppService,
  storageState: SignIn,
  visits: number,
): Promise<void> {
  const usable = (page: Page) => page.locator('#question').fill('x')
  const shown = (page: Page) => page.locator('svg').first().waitFor()
  const first: number[] = []
  const bare: number[] = []
  for (let visit = 0; visit < visits; visit++) {
    bare.push(await coldVisit(browser, `${service.address}/app/icon.svg`, storageState, shown))
    first.push(await coldVisit(browser, `${service.address}/app/`, storageState, usable))
  }
  rows.push({
    what: 'web app: first page, from nothing to typing a question',
    budget: undefined,
    unit: 'ms',
    measured: percentile(first, 0.5),
    baseline: percentile(bare, 0.5),
    against: 'one picture of the same service',
  })
  rows.push({
    what: 'web app: scripts of the first page, compressed',
    budget: 110,
    unit: 'KiB',
    measured: gzipBytes(firstPageScripts()) / 1024,
  })
}

/** From the last key of a question until its results are drawn. */
async function measureTyping(
  rows: Row[],
  browser: Browser,
  service: AppService,
  storageState: SignIn,
  { items, searches }: { readonly items: number; readonly searches: number },
): Promise<void> {
  const context = await browser.newContext({ storageState, viewport: SIZE })
  const page = await context.newPage()
  await page.goto(`${service.address}/app/`)
  const box = page.locator('#question')
  const durations: number[] = []
  // The first one also loads the code of the results.
  for (let search = 0; search <= searches; search++) {
    const wanted = `lamp ${search} at desk ${search % 13}`
    await box.fill('')
    await page.locator('main ol').waitFor({ state: 'detached' })
    await page.evaluate(timeUntilShown(wanted))
    await box.pressSequentially(wanted, { delay: KEY_MS })
    durations.push(await page.evaluate<number>('window.shownAfter'))
  }
  await context.close()
  rows.push({
    what: `web app: results after the last key, of ${items.toLocaleString('en')} items, p50`,
    budget: 150,
    unit: 'ms',
    measured: percentile(durations.slice(1), 0.5),
  })
}

/** Sets a promise of the time between the key that completes the text and the frame that shows results. */
function timeUntilShown(text: string): string {
  return `window.shownAfter = new Promise((resolve) => {
    const box = document.querySelector('#question')
    const typed = () => {
      if (box.value !== ${JSON.stringify(text)}) return
      box.removeEventListener('input', typed)
      const from = performance.now()
      const look = () => {
        const said = [...document.querySelectorAll('main [role=status]')].map(({ textContent }) => textContent)
        if (said.some((words) => words.includes(box.value))) resolve(performance.now() - from)
        else requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
    }
    box.addEventListener('input', typed)
  }); undefined`
}

/** In a window without a cache. @returns ms */
async function coldVisit(
  browser: Browser,
  url: string,
  storageState: SignIn,
  until: (page: Page) => Promise<void>,
): Promise<number> {
  const context = await browser.newContext({ storageState, viewport: SIZE })
  const page = await context.newPage()
  const start = performance.now()
  await page.goto(url, { waitUntil: 'commit' })
  await until(page)
  const duration = performance.now() - start
  await context.close()
  return duration
}

/** By wheel from its beginning, then at its end and back. */
async function measureLibrary(
  rows: Row[],
  browser: Browser,
  service: AppService,
  storageState: SignIn,
  { items, turns }: Pick<WebBenchSize, 'items' | 'turns'>,
): Promise<void> {
  const context = await browser.newContext({ storageState, viewport: SIZE })
  const page = await context.newPage()
  let requests = 0
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/app/api/library') requests++
  })
  await page.goto(`${service.address}/app/library`)
  await page
    .getByText(nameOf(items - 1))
    .first()
    .waitFor()
  const frames = await framesWhile(page, turns)
  const asked = requests
  await page.goto('about:blank')
  await page.setContent(
    `<div style="height: ${turns * TURN.pixels * 2}px">${'<p>a line of text</p>'.repeat(5_000)}</div>`,
  )
  const bare = await framesWhile(page, turns)
  await context.close()
  const list = `web app: scrolling through ${items.toLocaleString('en')} items`
  const isLong = (ms: number) => ms > LONG_FRAME_MS
  const against = 'a bare page of 5,000 lines'
  rows.push(
    { what: `${list}, frames p95`, budget: LONG_FRAME_MS, unit: 'ms', ...compared(0.95, frames, bare), against },
    { what: `${list}, longest frame`, budget: undefined, unit: 'ms', ...compared(1, frames, bare), against },
    {
      what: `${list}, frames over ${LONG_FRAME_MS} ms, of ${frames.length}`,
      budget: undefined,
      unit: 'frames',
      measured: frames.filter(isLong).length,
    },
    { what: `${list}, ${turns} wheel turns, requests`, budget: undefined, unit: 'requests', measured: asked },
  )
}

function compared(share: number, frames: readonly number[], bare: readonly number[]) {
  return { measured: percentile(frames, share), baseline: percentile(bare, share) }
}

const RECORD_FRAMES = `{
  const frames = (window.frameTimes = [])
  let last = performance.now()
  const next = (now) => {
    frames.push(now - last)
    last = now
    requestAnimationFrame(next)
  }
  requestAnimationFrame(next)
}`

/** @returns ms between the frames that the browser drew */
async function framesWhile(page: Page, turns: number): Promise<number[]> {
  await page.mouse.move(SIZE.width / 2, SIZE.height / 2)
  await page.evaluate(RECORD_FRAMES)
  for (let turn = 0; turn < turns; turn++) {
    await page.mouse.wheel(0, TURN.pixels)
    await sleep(TURN.everyMs)
  }
  return page.evaluate<number[]>('frameTimes')
}
