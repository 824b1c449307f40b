import { describe, expect } from 'vitest'
import { browserTestOf } from '../lib/app/app-browser.ts'
import { openPage } from '../lib/app/app-pages.ts'
import { startSampleService } from '../lib/app/sample-service.ts'
import { until } from '../lib/until.ts'

const sampleTest = browserTestOf(startSampleService)

describe('without the network', () => {
  sampleTest('what is shown stays, and a search runs by itself when it is back', async ({ own }) => {
    const { page, context, watch } = own
    watch.allow(/ERR_INTERNET_DISCONNECTED|Failed to fetch/)
    await page.getByText('Try asking').waitFor()
    const isLoaded = `performance.getEntriesByType('resource').some(({ name }) => /search-results/.test(name))`
    await until(() => page.evaluate<boolean>(isLoaded))
    await context.setOffline(true)
    await page.getByLabel('Search your memory').fill('Which database did we choose?')
    await page.keyboard.press('Enter')
    await page.getByText('This search runs when recalld is back.').waitFor()
    await page.getByText("Can't reach recalld. You see what was loaded last").waitFor()
    expect(await page.getByLabel('Search your memory').isVisible()).toBe(true)
    await context.setOffline(false)
    await page.getByRole('list', { name: 'Results' }).getByRole('listitem').first().waitFor()
    await page.getByText("Can't reach recalld. You see what was loaded last").waitFor({ state: 'detached' })
  })

  sampleTest('the results before stay until a search can run', async ({ own, service }) => {
    const { page, context, watch } = own
    watch.allow(/ERR_INTERNET_DISCONNECTED|Failed to fetch/)
    await openPage(page, service, '/?q=outage')
    const results = page.getByRole('list', { name: 'Results' })
    const before = await results.innerText()
    await context.setOffline(true)
    await page.getByLabel('Search your memory').fill('postgres')
    await page.keyboard.press('Enter')
    await page.getByText('Until then, you see the previous results.').waitFor()
    expect(await results.innerText()).toBe(before)
    await context.setOffline(false)
    await page.getByText('Until then, you see the previous results.').waitFor({ state: 'detached' })
    expect(await results.innerText()).not.toBe(before)
  })

  sampleTest('what a page shows is loaded by itself when it is back', async ({ own, service }) => {
    const { page, context, watch } = own
    watch.allow(/ERR_INTERNET_DISCONNECTED|Failed to fetch/)
    await openPage(page, service, '/people')
    await page.getByRole('link', { name: /^Jonas Weber/ }).click()
    await page.getByRole('heading', { name: 'Jonas Weber', level: 1 }).waitFor()
    await page.goBack()
    await context.setOffline(true)
    await page.getByRole('link', { name: /^Elif Aydin/ }).click()
    await page.getByText('This loads when recalld is back.').waitFor()
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
    await context.setOffline(false)
    await page.getByRole('heading', { name: 'Last contact' }).waitFor()
    await page.getByText('This loads when recalld is back.').waitFor({ state: 'detached' })
  })

  sampleTest('a page that was not loaded yet is shown when it is back', async ({ own }) => {
    const { page, context, watch } = own
    watch.allow(/ERR_INTERNET_DISCONNECTED|Failed to fetch|dynamically imported/)
    await page.getByText('Try asking').waitFor()
    await context.setOffline(true)
    await page.getByRole('link', { name: 'Library' }).click()
    await page.getByText("This page couldn't be loaded").waitFor()
    await page.getByRole('link', { name: 'Recall', exact: true }).click()
    await page.getByLabel('Search your memory').waitFor()
    await page.getByRole('link', { name: 'Library' }).click()
    await page.getByText("This page couldn't be loaded").waitFor()
    await context.setOffline(false)
    await page.getByRole('heading', { name: 'Library', level: 1 }).waitFor()
  })
})
