import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { packagePath } from '../../src/lib/files.ts'
import { freePort } from '../lib/free-port.ts'
import { RawAgent } from '../lib/oauth-agent.ts'
import { AgentBrowser, oauthVisit } from '../lib/oauth-visit.ts'
import { until } from '../lib/until.ts'

const TOOL = packagePath('node_modules/mcp-conformance/dist/index.js')

test('the authorization server passes the official conformance tests of MCP', async () => {
  await using visit = await oauthVisit()
  const port = await freePort()
  const agent = new RawAgent(visit.baseUrl)
  await agent.registered({ redirect_uris: [`http://127.0.0.1:${port}/callback`] })
  const target = ['--url', visit.baseUrl, '--client-id', agent.clientId, '--resource', `${visit.baseUrl}/mcp`]
  const child = spawn(process.execPath, [TOOL, 'authorization', ...target, '--port', String(port)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill())
  let output = ''
  let consent: Promise<unknown> | undefined
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8')
    const address = /^\S+\/oauth\/authorize\?\S+$/m.exec(output)?.[0]
    if (address !== undefined) consent ??= allow(address)
  })
  /** As a person does in a browser. */
  const allow = async (address: string) => {
    const browser = new AgentBrowser(visit.baseUrl, visit)
    const decision = { account_id: visit.accountId, sources: 'all', access: 'read', days: 1 } as const
    const callback = await browser.allow(await browser.begin(address), decision)
    // The tool prints its address before it listens.
    await until(() =>
      fetch(callback).then(
        () => true,
        () => false,
      ),
    )
  }
  const [code] = await once(child, 'close')
  await consent
  expect(output).toContain('authorization-server-metadata-endpoint: 1 passed, 0 failed')
  expect(output).toContain('authorization-code-grant: 1 passed, 0 failed')
  expect(code).toBe(0)
})
