import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type AlertSettings, alertChannels } from '../../../../src/connections/alerts/alert-channels.ts'
import { readAlertRecord } from '../../../../src/connections/alerts/alert-record.ts'
import {
  type AlertParts,
  alertsOverview,
  sendAlerts,
  testAlerts,
} from '../../../../src/connections/alerts/source-alerts.ts'
import type { RunEnd } from '../../../../src/store/ledger/ledger.ts'
import { openSqliteStore } from '../../../../src/store/sqlite/sqlite-store.ts'
import { movableClock } from '../../../contract/store-contract.ts'
import { sampleAccount } from '../../../contract/store-samples.ts'
import { startMailServer, startWebhook } from '../../../fakes/alert-receivers.ts'
import { madeUpConnector } from '../../../lib/made-up-connector.ts'
import { recordingLog } from '../../../lib/recording-log.ts'
import { temporaryFolder } from '../../../lib/temporary-folder.ts'

const ADDRESS = 'https://memory.example.org'
const MINUTE = 60_000
const DAY = 86_400_000
const ADA = { connector: 'made_up', name: 'ada' } as const
const REFUSED = { outcome: 'attention', problem: 'The token was rejected.', remedy: 'reauthorize' } as const

async function openAlerts() {
  const clock = movableClock()
  const { log, lines } = recordingLog()
  const store = await openSqliteStore({ file: join(temporaryFolder(), 'recalld.db'), log, clock })
  onTestFinished(() => store.close())
  await store.admin.createAccount(sampleAccount('a'))
  const ledger = store.ledger('account:a')
  const connector = madeUpConnector()
  const connections = [{ connector, config: { name: 'ada', paused: false } }]
  const ended = async (end: Partial<RunEnd>, name = ADA) => {
    await ledger.beginRun(name, { holder: 'test', leaseMs: MINUTE })
    await ledger.endRun(name, 'test', { outcome: 'ok', report: '{}', ...end })
  }
  const parts = (settings: Partial<AlertSettings>): AlertParts => ({
    channels: channelsOf(settings),
    ...{ ledger, tasks: store.dailyTasks, memoryId: 'a', clock, log, address: ADDRESS },
    registry: { made_up: async () => connector },
    configured: async () => ({ connections, wrong: [] }),
  })
  return { clock, lines, ledger, connections, ended, parts }
}

function channelsOf(settings: Partial<AlertSettings>) {
  return alertChannels({
    ...{ alertWebhookUrl: undefined, alertMailTo: [], alertMailFrom: undefined, smtpUrl: undefined },
    ...settings,
  })
}

async function receivers() {
  const stack = new AsyncDisposableStack()
  onTestFinished(() => stack.disposeAsync())
  const webhook = stack.use(await startWebhook())
  const mail = stack.use(await startMailServer())
  const settings = {
    alertWebhookUrl: webhook.url,
    alertMailTo: ['ada@example.org', 'bob@example.org'],
    smtpUrl: mail.url,
  }
  return { webhook, mail, settings }
}

describe('a source that begins to need somebody', () => {
  test('is sent once by webhook and by mail, also after a restart, and again after it was well', async () => {
    const { webhook, mail, settings } = await receivers()
    const { ended, parts } = await openAlerts()
    await ended({})
    await sendAlerts(parts(settings))
    expect(webhook.bodies).toEqual([])

    await ended(REFUSED)
    await sendAlerts(parts(settings))
    expect(webhook.bodies).toMatchObject([
      {
        type: 'sources_need_attention',
        text: expect.stringContaining('The token was rejected.'),
        sources: [
          {
            ...{ connection: 'made_up/ada', title: 'Made up', problem: 'The token was rejected.' },
            remedy: expect.stringContaining('recalld connect made_up --name ada'),
            url: `${ADDRESS}/app/sources/made_up/ada`,
          },
        ],
      },
    ])
    expect(mail.mails).toMatchObject([
      {
        ...{ from: 'ada@example.org', to: ['ada@example.org', 'bob@example.org'] },
        text: expect.stringMatching(
          /Subject: recalld: Made up \(made_up\/ada\) needs you[\s\S]*The token was rejected\./,
        ),
      },
    ])

    await sendAlerts(parts(settings))
    await ended(REFUSED)
    await ended({ outcome: 'waiting' })
    await sendAlerts(parts(settings))
    await ended(REFUSED)
    await sendAlerts(parts(settings))
    expect([webhook.bodies.length, mail.mails.length]).toEqual([1, 1])

    await ended({})
    await sendAlerts(parts(settings))
    await ended(REFUSED)
    await sendAlerts(parts(settings))
    expect([webhook.bodies.length, mail.mails.length]).toEqual([2, 2])
  })

  test('is sent seven days before its access expires', async () => {
    const { webhook, settings } = await receivers()
    const { clock, ledger, ended, parts } = await openAlerts()
    await ended({})
    await ledger.updateConnection(ADA, { expiresAt: new Date(clock().getTime() + 8 * DAY) })
    await sendAlerts(parts(settings))
    expect(webhook.bodies).toEqual([])
    clock.advance(DAY + 1)
    await sendAlerts(parts(settings))
    await sendAlerts(parts(settings))
    expect(webhook.bodies).toMatchObject([{ sources: [{ problem: expect.stringContaining('2026-01-09') }] }])
  })

  test('is not sent while it is paused', async () => {
    const { webhook, settings } = await receivers()
    const { connections, ended, parts } = await openAlerts()
    await ended(REFUSED)
    connections[0]!.config.paused = true
    await sendAlerts(parts(settings))
    expect(webhook.bodies).toEqual([])
    connections[0]!.config.paused = false
    await sendAlerts(parts(settings))
    expect(webhook.bodies).toHaveLength(1)
  })

  test('is sent by one of several processes that look at once', async () => {
    const { webhook, settings } = await receivers()
    const { ended, parts } = await openAlerts()
    await ended(REFUSED)
    await Promise.all([1, 2, 3].map(() => sendAlerts(parts(settings))))
    expect(webhook.bodies).toHaveLength(1)
  })
})

describe('an alert that cannot be sent', () => {
  test('is tried again, longer and longer after each failure, and says so until it arrives', async () => {
    const { webhook, mail, settings } = await receivers()
    const { clock, lines, ledger, ended, parts } = await openAlerts()
    const overview = async () => alertsOverview(channelsOf(settings), await readAlertRecord(ledger))
    webhook.status = 500
    await ended(REFUSED)
    await sendAlerts(parts(settings))
    await sendAlerts(parts(settings))
    expect([webhook.bodies.length, mail.mails.length]).toEqual([1, 1])
    const host = new URL(webhook.url).host
    const problem = `The webhook at ${host} answered 500.`
    expect((await overview()).channels).toEqual([
      {
        ...{ channel: 'webhook', target: host, last_sent_at: null },
        failure: { problem, since: '2026-01-01T00:00:00.000Z', next_at: '2026-01-01T00:01:00.000Z' },
      },
      {
        ...{ channel: 'mail', target: 'ada@example.org, bob@example.org', failure: null },
        last_sent_at: '2026-01-01T00:00:00.000Z',
      },
    ])
    clock.advance(MINUTE)
    await sendAlerts(parts(settings))
    clock.advance(MINUTE)
    await sendAlerts(parts(settings))
    expect(webhook.bodies).toHaveLength(2)
    webhook.status = 200
    clock.advance(MINUTE)
    await sendAlerts(parts(settings))
    await sendAlerts(parts(settings))
    expect([webhook.bodies.length, mail.mails.length]).toEqual([3, 1])
    expect((await overview()).channels[0]).toMatchObject({ failure: null, last_sent_at: '2026-01-01T00:03:00.000Z' })
    expect(lines.filter(({ level }) => level === 'warn').length).toBe(2)
  })

  test('is dropped when its source is well again', async () => {
    const { webhook, settings } = await receivers()
    const { clock, ended, parts } = await openAlerts()
    webhook.status = 503
    await ended(REFUSED)
    await sendAlerts(parts(settings))
    await ended({})
    clock.advance(DAY)
    await sendAlerts(parts(settings))
    expect(webhook.bodies).toHaveLength(1)
  })

  test('names no secret, and follows no redirect', async () => {
    const { webhook, mail, settings } = await receivers()
    const { lines, ledger, ended, parts } = await openAlerts()
    const elsewhere = await startWebhook()
    onTestFinished(() => elsewhere[Symbol.asyncDispose]())
    Object.assign(webhook, { status: 307, location: elsewhere.url })
    const wrong = { ...settings, smtpUrl: `smtp://ada:wrong-horse@127.0.0.1:${mail.port}` }
    await ended(REFUSED)
    await sendAlerts(parts(wrong))
    expect(elsewhere.bodies).toEqual([])
    const overview = alertsOverview(channelsOf(wrong), await readAlertRecord(ledger))
    expect(overview.channels.map(({ failure }) => failure?.problem)).toEqual([
      `The webhook at ${new URL(webhook.url).host} answered 307.`,
      'The mail server 127.0.0.1 rejected the user name or password.',
    ])
    const written = JSON.stringify([lines, await readAlertRecord(ledger), overview])
    for (const secret of ['very-secret-path', 'wrong-horse']) expect(written).not.toContain(secret)
  })
})

test('a test is sent by each channel, and says which failed', async () => {
  const { webhook, mail, settings } = await receivers()
  const now = new Date('2026-01-01T00:00:00Z')
  expect((await testAlerts(channelsOf(settings), ADDRESS, now)).tests.map(({ problem }) => problem)).toEqual([
    null,
    null,
  ])
  expect(webhook.bodies).toMatchObject([{ type: 'test', sources: [] }])
  expect(mail.mails).toHaveLength(1)
  const { port } = new URL(webhook.url)
  await webhook[Symbol.asyncDispose]()
  const { tests } = await testAlerts(channelsOf(settings), ADDRESS, now)
  expect(tests).toEqual([
    {
      ...{ channel: 'webhook', target: `127.0.0.1:${port}` },
      problem: expect.stringContaining(`Couldn't reach the webhook at 127.0.0.1:${port}`),
    },
    { channel: 'mail', target: 'ada@example.org, bob@example.org', problem: null },
  ])
})

test('a password is not sent to another machine without encryption', async () => {
  const { mail, settings } = await receivers()
  // This machine, though its name doesn't say so.
  const url = settings.smtpUrl.replace('127.0.0.1', 'LOCALHOST')
  const { tests } = await testAlerts(
    channelsOf({ alertMailTo: ['ada@example.org'], smtpUrl: url }),
    ADDRESS,
    new Date(),
  )
  expect(tests[0]?.problem).toContain('offers no encryption, which a password needs')
  expect(mail.mails).toEqual([])
})
