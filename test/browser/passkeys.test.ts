import type { BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import { browserTest } from '../lib/app/app-browser.ts'
import { until } from '../lib/until.ts'

/** Browsers make passkeys for names only. */
const byName = (address: string) => address.replace('127.0.0.1', 'localhost')

/** What has the focus, by its label. */
const focused = (page: Page) => page.locator(':focus').getAttribute('aria-label')

/** A device that holds passkeys and knows who is in front of it. */
async function addAuthenticator(context: BrowserContext, page: Page): Promise<void> {
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

browserTest(
  'a passkey is added by name, signs in without a password, and is worth nothing once removed',
  async ({ visit, service }) => {
    const address = byName(service.address)
    const { page, context } = await visit({ service: { ...service, address } })
    await addAuthenticator(context, page)
    await page.goto(`${address}/app/settings/security`)
    await page.getByLabel('Name of the new passkey').fill('Laptop')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText('never used').waitFor()

    const signOut = async () => {
      await page.getByRole('button', { name: 'Ada Lovelace' }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    }
    await signOut()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByText(/^For localhost.*used/).waitFor()
    expect(await page.getByText('never used').count()).toBe(0)

    await page.getByRole('button', { name: 'Remove passkey Laptop' }).click()
    const asked = page.getByRole('dialog', { name: 'Remove Laptop?' })
    await asked.getByRole('button', { name: 'Cancel' }).click()
    await asked.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Remove passkey Laptop' }).click()
    await asked.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Remove passkey Laptop' }).waitFor({ state: 'detached' })
    await until(async () => (await focused(page)) === 'Passkeys')
    await signOut()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByText('Unknown passkey.').waitFor()
  },
)

browserTest('where browsers make no passkeys, the way to where they do is shown', async ({ page, service }) => {
  await page.goto(`${service.address}/app/settings/security`)
  const elsewhere = `${byName(service.address)}/app/settings/security`
  expect(await page.getByRole('link', { name: elsewhere }).getAttribute('href')).toBe(elsewhere)
  expect(await page.getByLabel('Name of the new passkey').count()).toBe(0)
})
