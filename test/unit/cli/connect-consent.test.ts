import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { GrantView } from '../../../src/connections/oauth/oauth-grants.ts'
import { AppError } from '../../../src/domain/errors.ts'
import { connect, SECRET, sendBack, WITH_ID } from '../../lib/connecting.ts'
import { ADA, grantView, scriptedGrants } from '../../lib/scripted-grants.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

describe('the client', () => {
  test('is asked for after its steps, on a terminal, and its secret is not shown', async () => {
    const { code, stdout, stderr, grants } = await connect({ isTerminal: true, typed: ['my-id', SECRET] }, 'mail')
    expect(code).toBe(0)
    expect(stdout).toContain('Made Up needs your own OAuth client, which you create once:\n  1. ')
    expect(stderr).toContain('Client ID: ')
    expect(stderr).toContain('Client secret (hidden): ')
    expect(grants.asked[0]?.client).toEqual({ clientId: 'my-id', clientSecret: SECRET })
  })

  test.each(['installed', 'web', undefined])('is read from a file with the key %s', async (key) => {
    const file = join(temporaryFolder(), 'client_secret.json')
    const client = { client_id: 'in-file', client_secret: SECRET, auth_uri: 'https://made-up.test' }
    writeFileSync(file, JSON.stringify(key === undefined ? client : { [key]: client }))
    const { code, grants } = await connect({ typed: [] }, 'mail', '--client-file', file)
    expect(code).toBe(0)
    expect(grants.asked[0]?.client).toEqual({ clientId: 'in-file', clientSecret: SECRET })
  })

  test.each([
    ['{"client_secret": "made-up-client-secret"', "client.json isn't valid JSON."],
    ['{"client_secret": "made-up-client-secret"}', 'client.json has no client_id'],
  ])('is not read from %j, which is not repeated', async (content, sentence) => {
    const file = join(temporaryFolder(), 'client.json')
    writeFileSync(file, content)
    const result = await connect({}, 'mail', '--client-file', file)
    expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining(sentence) })
  })

  test('that is new has its secret piped in; without one nothing is begun', async () => {
    for (const typed of [[''], ['two words']]) {
      const { code, stderr, grants, file } = await connect({ typed }, 'mail', ...WITH_ID)
      expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing was saved') })
      expect(stderr).not.toContain('two words')
      expect([grants.asked, existsSync(file)]).toEqual([[], false])
    }
  })

  test('has to be named where nobody can be asked', async () => {
    const { code, stderr } = await connect({ typed: [] }, 'mail')
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Specify --client-id with its secret on standard input, or --client-file'),
    })
  })

  test('may have a secret where the provider leaves that open, which a terminal asks for and a pipe is not waited for', async () => {
    for (const setup of [{ isTerminal: true, typed: ['my-id', ''] }, { typed: [] }]) {
      const grants = scriptedGrants({ provider: { clientSecret: 'optional' } })
      const args = 'isTerminal' in setup ? [] : WITH_ID
      expect((await connect({ grants, ...setup }, 'mail', ...args)).code).toBe(0)
      expect(grants.asked[0]?.client).not.toHaveProperty('clientSecret')
    }
  })

  test('without a secret is fine where the provider needs none', async () => {
    const grants = scriptedGrants({ provider: { clientSecret: 'none' } })
    expect((await connect({ grants, typed: [] }, 'mail', ...WITH_ID)).code).toBe(0)
    expect(grants.asked[0]?.client).toEqual({ clientId: 'made-up-id' })
  })
})

describe('the consent', () => {
  test('is waited for beside answers to other attempts and to other paths', async () => {
    const pages: { status: number; text: string }[] = []
    const last = Promise.withResolvers<string>()
    const browser = async (address: URL) => {
      const back = address.searchParams.get('redirect_uri') ?? ''
      for (const wrong of [`${back}?state=7&code=x`, `${back}favicon.ico`, `${back}elsewhere?state=1&code=x`]) {
        const response = await fetch(wrong)
        pages.push({ status: response.status, text: await response.text() })
      }
      sendBack(address).then(last.resolve, last.reject)
    }
    const { code, grants } = await connect({ browser }, 'mail', ...WITH_ID)
    expect(code).toBe(0)
    expect(grants.redirected).toHaveLength(1)
    expect(pages.map(({ status }) => status)).toEqual([400, 404, 404])
    expect(pages[0]?.text).toContain('This link doesn&#39;t match your sign-in')
    expect(await last.promise).toContain('You can close this window')
  })

  test('that fails says why in the browser and in the terminal, escaped, and stores nothing', async () => {
    const page = Promise.withResolvers<string>()
    const refusal = 'You refused <b>access</b>.'
    const grants = scriptedGrants({
      grant: () => {
        throw new AppError('invalid', refusal)
      },
    })
    const browser = (address: URL) => sendBack(address).then(page.resolve, page.reject)
    const { code, stderr, file } = await connect({ grants, browser }, 'mail', ...WITH_ID)
    expect({ code, stderr }).toEqual({ code: 1, stderr: `recalld: ${refusal}\n` })
    expect(await page.promise).toContain(
      'You refused &lt;b&gt;access&lt;/b&gt;. Nothing was saved. You can close this window',
    )
    expect(existsSync(file)).toBe(false)
  })

  test('can be pasted while it is waited for, and what is no answer is asked for again', async () => {
    const grants = scriptedGrants({})
    const typed = ['my-id', SECRET, 'https://elsewhere.test/?state=1']
    // A port that is known before: what is pasted is typed from the beginning.
    const port = '18493'
    const lines = [...typed, `http://127.0.0.1:${port}/?state=7&code=old`, `http://127.0.0.1:${port}/?state=1&code=it`]
    const setup = { grants, isTerminal: true, typed: lines, browser: () => undefined }
    const { code, stdout } = await connect(setup, 'mail', '--port', port)
    expect(code).toBe(0)
    expect(stdout).toContain(`That isn't the address. It starts with http://127.0.0.1:${port}/`)
    expect(stdout).toContain('That address belongs to an earlier attempt')
    expect(grants.redirected).toEqual([`http://127.0.0.1:${port}/?state=1&code=it`])
  })

  test('is only pasted with --paste, and for a provider that sends nobody here', async () => {
    const url = 'https://localhost/recalld'
    const provider = { redirect: { kind: 'paste', url } as const }
    for (const [setup, args, back] of [
      [{ provider }, [], `${url}?state=1&code=it`],
      [{}, ['--paste', '--port', '8123'], 'http://127.0.0.1:8123/?state=1&code=it'],
    ] as const) {
      const grants = scriptedGrants(setup)
      const typed = [SECRET, back]
      const result = await connect({ grants, typed, browser: () => undefined }, 'mail', ...args, ...WITH_ID)
      expect(result).toMatchObject({ code: 0, stdout: expect.stringContaining('Copy its full address') })
      expect(grants.redirected).toEqual([back])
    }
  })

  test('ends with the input where nothing else can answer', async () => {
    const provider = {
      redirect: { kind: 'paste', url: 'https://localhost/recalld' } as const,
      clientSecret: 'none' as const,
    }
    const stopRequested = () => Promise.resolve('SIGTERM')
    const setup = { grants: scriptedGrants({ provider }), typed: [], browser: () => undefined, stopRequested }
    const { code, stderr } = await connect(setup, 'mail', ...WITH_ID)
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'recalld: Stopped. Nothing was saved.\n' })
  })

  test.each([
    ['a signal', { typed: [SECRET], stopRequested: () => Promise.resolve('SIGTERM') }, WITH_ID],
    ['Ctrl-C', { typed: ['my-id', SECRET, '\u0003'], isTerminal: true }, []],
  ])('ends by %s', async (_, setup, args) => {
    const { code, stderr, file } = await connect({ ...setup, browser: () => undefined }, 'mail', ...args)
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('Stopped. Nothing was saved.') })
    expect(existsSync(file)).toBe(false)
  })

  test('is by a code with --device', async () => {
    const grants = scriptedGrants({ provider: { device: true, clientSecret: 'optional' } })
    const { code, stdout } = await connect({ grants, browser: () => undefined }, 'mail', '--device', ...WITH_ID)
    expect(code).toBe(0)
    expect(stdout).toContain('Open https://made-up.test/device and enter this code: WDJB-MJHT\n')
    expect(grants.asked).toMatchObject([{ scopes: ['mail.read'], client: { clientId: 'made-up-id' } }])
  })

  test('has a QR code of the address for a phone, on a terminal only', async () => {
    const byCode = async (isTerminal: boolean) => {
      const grants = scriptedGrants({ provider: { device: true, clientSecret: 'optional' } })
      return connect({ grants, browser: () => undefined, isTerminal, typed: [SECRET] }, 'mail', '--device', ...WITH_ID)
    }
    expect((await byCode(true)).stdout).toMatch(
      /[█▀▄]{20}[\s\S]*Open https:\/\/made-up\.test\/device and enter this code/,
    )
    expect((await byCode(false)).stdout).not.toMatch(/[█▀▄]/)
  })

  test('opens no browser with --no-browser', async () => {
    const opened: unknown[] = []
    const browser = (address: URL) => opened.push(address)
    const setup = { browser, typed: [SECRET, 'http://127.0.0.1:8124/?state=1'] }
    const args = ['mail', '--paste', '--port', '8124', '--no-browser', ...WITH_ID]
    const { code, stdout } = await connect(setup, ...args)
    expect({ code, opened }).toEqual({ code: 0, opened: [] })
    expect(stdout).toContain('Open this link in a browser:\n')
  })

  test('is not asked for again of an account that is named and granted it', async () => {
    const grants = scriptedGrants({ held: [grantView({ scopes: ['mail.read'] })] })
    const { code, stdout, config } = await connect({ grants }, 'mail', '--account', 'Ada@acme.test')
    expect({ code, asked: grants.asked }).toEqual({ code: 0, asked: [] })
    expect(stdout).toContain('ada@acme.test has already granted access to Mail.\n')
    expect(config()).toContain('mail:')
  })

  test.each<[string, Partial<GrantView>]>([
    ['is over', { refusal: 'Revoked.' }],
    ['ends', { expiresAt: new Date('2026-11-25T00:00:00Z') }],
    ['covers less', { scopes: ['agenda.read'] }],
  ])('is asked for again where the grant %s', async (_, grant) => {
    const grants = scriptedGrants({ held: [grantView(grant)] })
    await connect({ grants }, 'mail', '--account', ADA.title)
    expect(grants.asked).toMatchObject([{ account: ADA.title }])
  })
})
