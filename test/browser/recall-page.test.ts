import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { accessibilityFindings } from '../lib/app/accessibility-findings.ts'
import type { Visit } from '../lib/app/app-browser.ts'
import { browserTest, browserTestOf } from '../lib/app/app-browser.ts'
import { settled, turnTo } from '../lib/app/app-pages.ts'
import { startSampleService } from '../lib/app/sample-service.ts'
import { tabTo } from '../lib/app/tab-to.ts'

const sampleTest = browserTestOf(startSampleService)

async function search(page: Page, text: string): Promise<void> {
  const box = page.getByLabel('Search your memory')
  await box.fill(text)
  await box.press('Enter')
}

const results = (page: Page) => page.getByRole('list', { name: 'Results' }).getByRole('link')
const source = (page: Page) => page.getByRole('region', { name: 'Source of the selected result' })
const lit = (page: Page) => source(page).locator('article[aria-current=true]')
const focused = (page: Page) => page.locator(':focus')
const asked = (page: Visit['page']) => {
  const calls: string[] = []
  page.on('request', (request) => {
    const path = new URL(request.url()).pathname
    if (/\/(recall|ask)$/.test(path)) calls.push(path.slice(path.lastIndexOf('/') + 1))
  })
  return calls
}

browserTest('an empty memory says how to fill it', async ({ page }) => {
  await page.getByText('Your memory is empty').waitFor()
  await page.getByRole('link', { name: 'Upload files' }).click()
  await page.waitForURL('**/app/library')
})

browserTest('results show the tags of their items, and are limited to one', async ({ page, service }) => {
  const trees = ['oak', 'elm']
  await service.memorize(
    ...trees.map((name) => ({ fileName: `${name}.txt`, body: `The ${name} in the courtyard is old.`, itemId: name })),
  )
  await service.memory.tag({ itemId: 'oak', sourceType: 'text', add: ['Garden'] })
  await search(page, 'courtyard')
  await results(page).filter({ hasText: '#Garden' }).waitFor()
  await expect.poll(() => results(page).count()).toBe(2)
  await page.getByRole('button', { name: /^Filter by tag/ }).click()
  await page.getByRole('button', { name: 'Garden', exact: true }).click()
  await expect.poll(() => results(page).count()).toBe(1)
  expect(new URL(page.url()).searchParams.get('tag')).toBe('Garden')
  expect(await accessibilityFindings(page)).toEqual([])
})

browserTest('Markdown is read without its signs, in the row and in the source', async ({ page, service }) => {
  const body = [
    '# Greenhouse\n\nThe **zinnias** in the greenhouse by the northern wall were watered by Tilda; they',
    'need `two litres` of water.\n\n- [x] Buy soil\n- [ ] Order the [lamp](https://lamps.example/one)\n',
    '| Plant | Litres |\n| --- | --- |\n| Zinnia | 2 |\n',
  ].join('\n')
  await service.memorize({ fileName: 'greenhouse.md', body, itemId: 'greenhouse' })
  await search(page, 'zinnias litres')
  const row = results(page).first()
  await row.locator('mark', { hasText: 'zinnias' }).waitFor()
  const hit = lit(page)
  await hit.locator('strong mark', { hasText: 'zinnias' }).waitFor()
  await hit.locator('code', { hasText: 'two litres' }).waitFor()
  await hit.getByText('by Tilda; they need').waitFor()
  await hit.getByRole('listitem').filter({ hasText: '☑Buy soil' }).waitFor()
  await source(page).getByRole('cell', { name: 'Zinnia', exact: true }).waitFor()
  const link = source(page).getByRole('link', { name: 'lamp' })
  expect(await link.getAttribute('rel')).toBe('noopener noreferrer nofollow')
  await source(page).getByText('(lamps.example)').waitFor()
  for (const place of [row, source(page)]) expect(await place.innerText()).not.toMatch(/\*\*|`|^#|\| ?-|\]\(/m)
  expect(await accessibilityFindings(page, 'every')).toEqual([])
})

browserTest('what was found is searched again on another day, not before', async ({ page, service }) => {
  await service.memorize({ fileName: 'roof.txt', body: 'The roof was mended yesterday.', itemId: 'roof' })
  const calls = asked(page)
  const goThere = async () => {
    await turnTo(page, '/library')
    await turnTo(page, '/?q=roof')
    await results(page).first().waitFor()
  }
  await goThere()
  const before = calls.length
  await goThere()
  expect(calls.length).toBe(before)
  await page.clock.setFixedTime(Date.now() + 86_400_000)
  await goThere()
  await expect.poll(() => calls.length).toBe(before + 1)
})

browserTest('the search box is what one types into, at the start and back from another page', async ({ page }) => {
  const link = (name: string) => page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name })
  const box = page.locator('#question')
  const focused = page.locator(':focus')
  await page.reload({ waitUntil: 'commit' })
  await box.and(focused).waitFor()
  await tabTo(page, link('Library'))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Library', level: 1 }).waitFor()
  await tabTo(page, link('Recall'))
  await page.keyboard.press('Enter')
  await box.and(focused).waitFor()
})

describe('searching', () => {
  sampleTest('shows results while one types, and counts only what one asks for', async ({ page }) => {
    const asked: { text: string; preview?: boolean }[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/app/api/recall')) asked.push(request.postDataJSON())
    })
    await page.locator('#question:focus').waitFor()
    await page.keyboard.type('ou')
    await page.keyboard.type('tage')
    await results(page).first().waitFor()
    await lit(page).locator('mark').first().waitFor()
    expect(new URL(page.url()).search).toBe('')
    expect(asked.every(({ preview }) => preview === true)).toBe(true)
    expect(asked.at(-1)?.text).toBe('outage')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/app/?q=outage')
    await expect.poll(() => asked.filter(({ preview }) => preview !== true)).toEqual([{ text: 'outage' }])
    await results(page).first().waitFor()
  })

  sampleTest('is done by the keyboard: type, down, read on, Enter opens, Escape goes back', async ({ page }) => {
    await page.locator('#question:focus').waitFor()
    await page.keyboard.type('which database did we choose')
    await page.keyboard.press('ArrowDown')
    await results(page).first().and(focused(page)).waitFor()
    await page.waitForURL('**/app/?q=which+database+did+we+choose*')
    const title = source(page).getByRole('heading', { level: 2 })
    const first = await title.innerText()
    await results(page).first().and(focused(page)).waitFor()
    await page.keyboard.press('ArrowDown')
    await results(page).nth(1).and(focused(page)).waitFor()
    await expect.poll(() => title.innerText()).not.toBe(first)
    await page.keyboard.press('k')
    await results(page).first().and(focused(page)).waitFor()
    await page.keyboard.press('Escape')
    await page.locator('#question:focus').waitFor()
    await expect.poll(() => page.getByLabel('Search your memory').inputValue()).toBe('which database did we choose')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/app/library/google_meets/*?passage=*')
    await page.getByRole('region', { name: 'Text' }).locator('article[aria-current=true]').waitFor()
    await page.goBack()
    await results(page).first().waitFor()
    await results(page).first().focus()
    await page.keyboard.press('/')
    await page.locator('#question:focus').waitFor()
  })

  sampleTest('keeps search, filters and the selected result in the address', async ({ page }) => {
    await search(page, 'checkout')
    await page.getByRole('button', { name: 'Filter by source: All sources' }).click()
    await page.getByRole('button', { name: /^Slack/ }).click()
    await page.waitForURL('**/app/?q=checkout&source=slack')
    await page.keyboard.press('Escape')
    await settled(page)
    await expect
      .poll(async () => (await results(page).allInnerTexts()).map((text) => text.includes('Slack')))
      .toSatisfy((ofSlack: boolean[]) => ofSlack.length > 0 && !ofSlack.includes(false))
    await page.reload()
    await page.getByRole('button', { name: 'Filter by source: Slack' }).waitFor()
    await page.goBack()
    await page.waitForURL('**/app/?q=checkout')
    await page.getByRole('button', { name: 'Filter by source: All sources' }).waitFor()
    await results(page).nth(1).click()
    await page.waitForURL('**/app/?q=checkout&hit=*')
    const title = await source(page).getByRole('heading', { level: 2 }).innerText()
    await page.reload()
    await expect.poll(() => source(page).getByRole('heading', { level: 2 }).innerText()).toBe(title)
  })

  sampleTest('narrows to a period with results, and to a person', async ({ page }) => {
    await search(page, 'checkout')
    await results(page).first().waitFor()
    const before = await results(page).count()
    await page.getByRole('button', { name: 'Date: All time' }).click()
    await page
      .getByRole('button', { name: /Show only these\.$/ })
      .first()
      .click()
    await page.waitForURL(/since=\d{4}-\d{2}-\d{2}&until=/)
    await settled(page)
    await expect.poll(() => results(page).count()).toSatisfy((count: number) => count > 0 && count < before)
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByRole('button', { name: 'Filter by person: Anyone' }).click()
    await page.getByRole('button', { name: /^Priya Raman/ }).click()
    await page.waitForURL(/person=Priya/)
    await settled(page)
    await source(page).getByText('What agents see').click()
    await source(page).getByRole('button', { name: 'Priya Raman' }).waitFor()
  })

  sampleTest('shows what the question itself names, which can be dropped or kept as a filter', async ({ page }) => {
    await search(page, 'emails from Elif about the launch')
    const named = page.getByRole('list', { name: 'From your question' })
    await named.getByRole('button', { name: 'Search without Email, Outlook' }).waitFor()
    await page.getByRole('button', { name: 'Search without Elif' }).click()
    await page.waitForURL(/ignore=person/)
    await named.getByRole('button', { name: 'Email, Outlook, from your question. Keep as a filter.' }).click()
    await page.waitForURL(/source=email%2Cms-outlook.*ignore=/)
    await page.getByRole('button', { name: 'Filter by source: Email +1' }).waitFor()
    await results(page).first().waitFor()
    await named.getByRole('button', { name: 'Restore the filters from your question' }).click()
    await page.waitForURL(({ search }) => !search.includes('ignore='))
  })

  sampleTest('says what helps when the plan or the pace ends a search', async ({ page, watch }) => {
    watch.allow(/429|402/)
    for (const [status, words] of [
      [429, 'Too many questions'],
      [402, 'View usage'],
    ] as const) {
      await page.route('**/app/api/recall', (route) =>
        route.fulfill({ status, json: { detail: 'RATE_LIMIT_EXCEEDED' } }),
      )
      await search(page, `status ${status}`)
      await page.getByText(words).waitFor()
      await page.unroute('**/app/api/recall')
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByText(words).waitFor({ state: 'detached' })
    }
  })

  sampleTest('remembers searches in this browser only, until they are cleared', async ({ page, service, visit }) => {
    await search(page, 'the runbook')
    await results(page).first().waitFor()
    await page.getByRole('button', { name: 'Clear search' }).click()
    await page.getByRole('button', { name: 'the runbook' }).click()
    await page.waitForURL('**/app/?q=the+runbook')
    const other = await visit()
    await other.page.getByText('Try asking').waitFor()
    expect(await other.page.getByText('Recent searches').count()).toBe(0)
    await page.goto(`${service.address}/app/`)
    await page.getByText('Recent searches').waitFor()
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await page.getByText('Recent searches').waitFor({ state: 'detached' })
  })
})

describe('what was found', () => {
  sampleTest('is read in its source, with the hit marked, what agents see of it, and why', async ({ page }) => {
    await search(page, 'which databases did we choose')
    await lit(page)
      .locator('mark', { hasText: /database/i })
      .first()
      .waitFor()
    await source(page).getByText('Welcome everybody.').waitFor()
    await source(page).getByText('What agents see').click()
    await source(page).getByText('Why this result?').click()
    const points = await source(page).getByRole('table').getByRole('row').locator('td').allInnerTexts()
    const sum = points.reduce((total, text) => total + Number(text.replace('−', '-')), 0)
    expect(points.length).toBeGreaterThan(1)
    await source(page).getByText(`Score breakdown (${sum} of 100 points)`).waitFor()
    expect(await accessibilityFindings(page, 'every')).toEqual([])
  })

  sampleTest('is copied, and cited with person, title, day and place', async ({ visit }) => {
    const { page } = await visit({ permissions: ['clipboard-read', 'clipboard-write'] })
    await search(page, 'which database did we choose')
    await lit(page).waitFor()
    await source(page).getByRole('button', { name: 'Copy', exact: true }).click()
    const copied = () => page.evaluate<string>('navigator.clipboard.readText()')
    await expect.poll(copied).toMatch(/^On the database, I compared MySQL.*their on-call for free\.$/)
    await source(page).getByRole('button', { name: 'Copy citation' }).click()
    await expect.poll(copied).toBe('Jonas Weber, “Checkout weekly”, 3 March 2026, checkout-weekly-3-march.md')
  })

  sampleTest('stands together by item, and unfolds', async ({ page }) => {
    await search(page, 'checkout')
    await results(page).first().waitFor()
    const before = await results(page).count()
    const more = page.getByRole('button', { name: /^\d+ more in this / }).first()
    const count = Number.parseInt(await more.innerText(), 10)
    await more.click()
    await expect.poll(() => results(page).count()).toBe(before + count)
    await page.getByRole('button', { name: 'Show fewer' }).click()
    await expect.poll(() => results(page).count()).toBe(before)
  })

  browserTest('is more than the first 30 on request, which does not count as a question', async ({ page, service }) => {
    const words = ['anchor', 'buoy', 'crane', 'dock', 'engine', 'ferry', 'gull', 'hull', 'island', 'jetty']
    const notes = words.flatMap((one) =>
      words.slice(0, 4).map((other) => `The harbour keeps its ${one} near the ${other}.`),
    )
    await service.memorize(...notes.map((body, n) => ({ fileName: `note-${n}.txt`, body, itemId: `note-${n}` })))
    const asked: { limit?: number; preview?: boolean }[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/app/api/recall')) asked.push(request.postDataJSON())
    })
    await search(page, 'harbour')
    await page.getByText('The best 30 results, from 30 items').waitFor()
    await page.getByRole('button', { name: 'Show more' }).click()
    await page.getByText('40 results from 40 items').waitFor()
    await expect.poll(() => results(page).count()).toBe(40)
    expect(asked.at(-1)).toMatchObject({ limit: 60, preview: true })
  })

  sampleTest('is read on a phone one after the other', async ({ visit }) => {
    const { page } = await visit({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
    await search(page, 'outage')
    await results(page).first().waitFor()
    expect((await results(page).first().boundingBox())?.y).toBeLessThan(844 / 3)
    expect(await source(page).count()).toBe(0)
    await results(page).nth(1).tap()
    await lit(page).waitFor()
    await expect.poll(() => results(page).first().isVisible()).toBe(false)
    expect(await accessibilityFindings(page, 'every')).toEqual([])
    await page.getByRole('button', { name: 'Next result' }).tap()
    await page.getByRole('button', { name: 'Back to the results' }).tap()
    await results(page).first().waitFor()
    expect(await accessibilityFindings(page, 'every')).toEqual([])
    await results(page).first().tap()
    await lit(page).waitFor()
    await page.goBack()
    await results(page).first().waitFor()
  })
})

describe('an answer', () => {
  sampleTest('is given once to a question, and its citations lead to the passages', async ({ page }) => {
    const calls = asked(page)
    await search(page, 'How long did the outage last?')
    const cited = page.getByRole('button', { name: /^Source 1\b/ })
    await cited.hover()
    const card = page.locator('blockquote')
    await card.waitFor()
    const words = (await card.innerText()).slice(0, 30)
    await cited.click()
    await lit(page).getByText(words).waitFor()
    expect(await accessibilityFindings(page, 'every')).toEqual([])
    expect(calls.toSorted()).toEqual(['ask', 'recall'])
    await search(page, 'the outage')
    await page.getByRole('button', { name: 'Get an answer' }).waitFor()
    await page.goBack()
    await cited.waitFor()
    expect(calls.filter((call) => call === 'ask')).toEqual(['ask'])
  })

  sampleTest('is given to anything when told to, also the next time', async ({ page }) => {
    const calls = asked(page)
    await search(page, 'the database')
    await page.getByRole('button', { name: 'Get an answer' }).click()
    await page.getByRole('button', { name: /^Source 1\b/ }).waitFor()
    await page.getByLabel('Answer every search').check()
    expect(calls).toContain('ask')
    await page.reload()
    await search(page, 'the launch')
    await expect.poll(() => calls.filter((call) => call === 'ask').length).toBeGreaterThan(1)
    await page.getByRole('heading', { name: 'Answer', exact: true }).waitFor()
  })

  sampleTest('shows the closest passages at once where no answer is clear', async ({ page }) => {
    await search(page, 'When is the launch of the database in Paris?')
    const panel = page.getByRole('region', { name: 'Answer' })
    await panel.getByText('The closest passages:', { exact: true }).waitFor()
    await panel.locator('sup').nth(1).waitFor()
  })

  sampleTest('says honestly that it knows nothing, and what could be tried', async ({ page, service }) => {
    await search(page, 'What is the weather on the moon?')
    await page.getByText('No clear answer', { exact: true }).waitFor()
    await page.goto(`${service.address}/app/?q=qwrtz+zzzz&source=slack`)
    await page.getByText('No results match these filters').waitFor()
    await page.getByRole('button', { name: 'Search without filters' }).click()
    await page.getByText('No results', { exact: true }).waitFor()
  })
})
