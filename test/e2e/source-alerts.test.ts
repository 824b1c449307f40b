import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startWebhook } from '../fakes/alert-receivers.ts'
import { runCommand, startUp } from '../lib/command-line.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { until } from '../lib/until.ts'

/** Its folder does not exist, which somebody has to put right. */
const BROKEN = 'connectors:\n  technical_docs:\n  - name: docs\n    paths: [/nonexistent/docs]\n'

async function homeWithWebhook() {
  const webhook = await startWebhook()
  onTestFinished(() => webhook[Symbol.asyncDispose]())
  const home = join(temporaryFolder(), 'home')
  mkdirSync(home, { recursive: true, mode: 0o700 })
  writeFileSync(join(home, 'config.yaml'), `alert_webhook_url: ${webhook.url}\n${BROKEN}`, { mode: 0o600 })
  const run = (...command: string[]) => runCommand(command, { RECALLD_HOME: home })
  return { webhook, home, run }
}

test('a running service sends an alert about a source, and the commands say how alerts are', async () => {
  const { webhook, home, run } = await homeWithWebhook()
  webhook.status = 500
  await run('sync', 'technical_docs')
  const up = await startUp({ RECALLD_HOME: home })
  onTestFinished(async () => void (await up.stop()))
  await until(async () => webhook.bodies.length > 0)
  expect(webhook.bodies[0]).toMatchObject({
    sources: [{ connection: 'technical_docs/docs', remedy: expect.any(String) }],
  })
  const failing = /Alerts by webhook have failed since .+: The webhook at 127\.0\.0\.1:\d+ answered 500\. Retrying at /
  await until(async () => failing.test((await run('status')).stdout))
  expect((await run('alerts')).stdout).toMatch(failing)
  expect(JSON.parse((await run('doctor', '--json')).stdout)).toContainEqual(
    expect.objectContaining({ check: 'alerts', result: 'problem', message: expect.stringMatching(failing) }),
  )
  expect(`${(await run('alerts', '--json')).stdout}${up.stdout()}`).not.toContain('very-secret-path')
})

test('a test is sent without a running service, and fails with the command', async () => {
  const { webhook, run } = await homeWithWebhook()
  const { code, stdout } = await run('alerts', '--test')
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^Sent a test by webhook to 127\.0\.0\.1:\d+\.\n$/)])
  expect(webhook.bodies).toMatchObject([{ type: 'test' }])
  webhook.status = 404
  const failed = await run('alerts', '--test', '--json')
  expect(failed.code).toBe(1)
  expect(JSON.parse(failed.stdout)).toMatchObject({
    tests: [{ channel: 'webhook', problem: expect.stringContaining('404') }],
  })
})

test('without a webhook and mail, the command says how to set them', async () => {
  const { stdout } = await runCommand(['alerts'], { RECALLD_HOME: join(temporaryFolder(), 'home') })
  expect(stdout).toBe('No alerts are sent. Set alert_webhook_url, or alert_mail_to and smtp_url, in config.yaml.\n')
})
