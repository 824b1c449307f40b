import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { accessibilityFindings } from '../lib/app/accessibility-findings.ts'
import { browserTest } from '../lib/app/app-browser.ts'
import type { AppService } from '../lib/app/app-service.ts'
import { tabTo } from '../lib/app/tab-to.ts'
import { httpCall } from '../lib/http-call.ts'
import { mcpHeaders, mcpRequest } from '../lib/mcp-message.ts'
import { RawAgent } from '../lib/oauth-agent.ts'

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

/** An agent whose answers go to a page of the app, so that the browser reaches no other host. */
async function begin(page: Page, { address }: AppService, name: string) {
  const callback = `${address}/app/no/such/page`
  const agent = new RawAgent(address)
  await agent.registered({ client_name: name, redirect_uris: [callback] })
  await page.goto(String(agent.address({ redirect_uri: callback })))
  await page.getByRole('heading', { name: `Connect ${name}?` }).waitFor()
  return {
    async tokens() {
      await page.waitForURL(/no\/such\/page/)
      const code = String(new URL(page.url()).searchParams.get('code'))
      return (await agent.redeem(code, { redirect_uri: callback })).body
    },
  }
}

const mcpStatus = async ({ address }: AppService, token: string) => {
  const message = mcpRequest('tools/list')
  const headers = Object.fromEntries(mcpHeaders(message, { authorization: `Bearer ${token}` }))
  return (await httpCall(`${address}/mcp`, { method: 'POST', headers, body: JSON.stringify(message) })).status
}

describe('an agent asks for access in the browser', () => {
  browserTest('it is allowed with the keyboard, listed under Keys, and revoked there', async ({ page, service }) => {
    const agent = await begin(page, service, 'Claude')
    const text = await page.locator('main').innerText()
    expect(text).toContain("name isn't verified")
    expect(text).toContain(new URL(service.address).host)
    expect(await accessibilityFindings(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await accessibilityFindings(page, 'colours')).toEqual([])
    await page.emulateMedia({ colorScheme: 'light' })
    await tabTo(page, page.getByRole('radio', { name: /All sources/ }))
    await page.keyboard.press('ArrowDown')
    await page.getByRole('checkbox', { name: 'GitHub' }).waitFor()
    expect(await page.getByRole('button', { name: 'Connect' }).isDisabled()).toBe(true)
    await tabTo(page, page.getByRole('checkbox', { name: 'GitHub' }))
    await page.keyboard.press('Space')
    await tabTo(page, page.getByRole('button', { name: 'Connect' }))
    await page.keyboard.press('Enter')
    const { access_token: token } = await agent.tokens()
    expect(await mcpStatus(service, token)).toBe(200)

    await page.goto(`${service.address}/app/settings/keys`)
    const row = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Claude' }) })
    await row.waitFor()
    const shown = await row.innerText()
    for (const fact of ['Can read', 'GitHub', 'Never used', 'until']) expect(shown).toContain(fact)
    expect(await accessibilityFindings(page)).toEqual([])
    await row.getByRole('button', { name: 'Revoke Claude' }).click()
    const revoked = page.waitForResponse((answer) => answer.request().method() === 'DELETE')
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    expect((await revoked).ok()).toBe(true)
    await row.waitFor({ state: 'detached' })
    expect(await mcpStatus(service, token)).toBe(401)
  })

  browserTest('it is denied on a phone, where everything fits', async ({ visit, service }) => {
    const { page } = await visit(PHONE)
    await begin(page, service, 'A very long name of an agent that somebody made up to see what happens')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    expect(await accessibilityFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.waitForURL(/no\/such\/page/)
    expect(new URL(page.url()).searchParams.get('error')).toBe('access_denied')
  })

  browserTest('a stranger signs in first, and a request of another browser is refused', async ({ visit, service }) => {
    const { page } = await visit({ signedIn: false })
    const agent = new RawAgent(service.address)
    await agent.registered()
    await page.goto(String(agent.address()))
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    const { page: other } = await visit()
    await other.goto(page.url())
    await other.getByRole('alert').waitFor()
    expect(await other.getByRole('alert').innerText()).toContain('was started in another browser')
  })
})
