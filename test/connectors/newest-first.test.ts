import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asana } from '../../connectors/asana/asana.ts'
import { gdocs } from '../../connectors/google/gdocs.ts'
import { email } from '../../connectors/google/gmail.ts'
import { msOutlook } from '../../connectors/microsoft/ms-outlook.ts'
import { slack } from '../../connectors/slack/slack.ts'
import type { Connector } from '../../src/connector/connector.ts'
import { bindMemory } from '../../src/service/bind-memory.ts'
import { syncConnection } from '../../src/sync/sync-connection.ts'
import { movableClock } from '../contract/store-contract.ts'
import { asanaServer } from '../fakes/asana/asana-server.ts'
import { FakeAsana } from '../fakes/asana/fake-asana.ts'
import { GoogleDrive } from '../fakes/google/google-drive.ts'
import { GoogleMail } from '../fakes/google/google-mail.ts'
import { GraphMail } from '../fakes/microsoft/graph-mail.ts'
import { GraphServer } from '../fakes/microsoft/graph-server.ts'
import { FakeSlack } from '../fakes/slack/fake-slack.ts'
import { slackServer } from '../fakes/slack/slack-server.ts'
import { type RunningService, startService } from '../lib/start-service.ts'
import { syncEnvironment } from '../lib/sync-environment.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')
const DAY_MS = 86_400_000
/** One item every day, back to more than a year ago. */
const DAYS = 420

interface Filled {
  readonly connector: Connector
  readonly config: Record<string, unknown>
  close(): PromiseLike<void>
}

const SOURCES: Record<string, () => Promise<Filled>> = {
  Gmail: async () => {
    const mail = await GoogleMail.start()
    for (let day = DAYS; day > 0; day--) {
      mail.deliver({
        subject: `Day ${day}`,
        text: `Written on day ${day}.`,
        at: new Date(NOW - day * DAY_MS).toISOString(),
      })
    }
    return { connector: email, config: mail.config, close: () => mail[Symbol.asyncDispose]() }
  },
  'Google Drive': async () => {
    const drive = await GoogleDrive.start()
    drive.server.now = new Date(NOW)
    // The oldest last, as no order of Drive is promised.
    for (let day = 1; day <= DAYS; day++) {
      const at = new Date(NOW - day * DAY_MS).toISOString()
      drive.document(`Day ${day}`, `Written on day ${day}.`, 'root', { createdTime: at, modifiedTime: at })
    }
    return { connector: gdocs, config: drive.config, close: () => drive[Symbol.asyncDispose]() }
  },
  Asana: async () => {
    const fake = new FakeAsana()
    fake.now = new Date(NOW - DAYS * DAY_MS)
    const project = fake.addProject('Launch')
    for (let day = DAYS; day > 0; day--) {
      fake.now = new Date(NOW - day * DAY_MS)
      const text = `Written on day ${day}.`
      fake.addTask(`Day ${day}`, { projects: [project], fields: { notes: text, html_notes: `<body>${text}</body>` } })
    }
    fake.now = new Date(NOW)
    const server = await asanaServer(fake)
    const [token] = server.tokens
    const config = { name: 'acme', token, api_url: server.url }
    return { connector: asana, config, close: () => server[Symbol.asyncDispose]() }
  },
  Outlook: async () => {
    const server = await GraphServer.start()
    const mail = new GraphMail(server)
    for (let day = 1; day <= DAYS; day++) {
      mail.receive({ subject: `Day ${day}`, text: `Written on day ${day}.`, at: new Date(NOW - day * DAY_MS) })
    }
    return { connector: msOutlook, config: server.settings, close: () => server[Symbol.asyncDispose]() }
  },
  Slack: async () => {
    const fake = new FakeSlack()
    const user = fake.addUser('U0ADA', 'Ada Lovelace')
    const channel = fake.addChannel('C0GENERAL', 'general')
    for (let day = DAYS; day > 0; day--) {
      fake.post(channel, { user, text: `Written on day ${day}.`, at: new Date(NOW - day * DAY_MS) })
    }
    const server = await slackServer(fake)
    const config = { name: 'acme', token: server.token, api_url: server.url }
    return { connector: slack, config, close: () => server[Symbol.asyncDispose]() }
  },
}

describe('a first sync', () => {
  const clock = movableClock(NOW)
  let service: RunningService
  beforeAll(async () => {
    service = await startService({ work: false, clock })
  })
  afterAll(() => service.stop())

  test.each(Object.keys(SOURCES))('of %s has the last 30 days first, and the rest in the end', async (name) => {
    await using stack = new AsyncDisposableStack()
    const { connector, config, close } = (await SOURCES[name]?.()) ?? expect.unreachable()
    stack.defer(async () => void (await close()))
    const { key, accountId } = await service.service.accounts.create({ name: 'Ada', userName: 'Ada Lovelace' })
    const memory = bindMemory(service.service, () => service.service.authenticate(key))
    const ledger = service.store.ledger(`account:${accountId}`)
    const environment = syncEnvironment({ ledger, memory, clock })
    const connection = { connector, config: connector.manifest.config.parse(config) }
    const asking = new AbortController()
    const { signal } = new AbortController()
    const days = async () => {
      const [sourceType = 'text'] = connector.manifest.sourceTypes
      const { files } = await memory.list({ sourceType, limit: 10_000 })
      const bodies = files.map(({ item_id: itemId }) => memory.download({ itemId, sourceType }))
      const texts = (await Promise.all(bodies)).map(({ body }) => new TextDecoder().decode(body))
      return texts.flatMap((text) => [...text.matchAll(/Written on day (\d+)\./g)].map(([, day]) => Number(day)))
    }
    const first = await syncConnection(connection, environment, {
      signal,
      yieldSignal: asking.signal,
      onProgress: ({ recentDays }) => recentDays !== undefined && asking.abort(),
    })
    expect(first).toMatchObject({ outcome: 'waiting', failed: 0 })
    const early = await days()
    for (let day = 1; day < 30; day++) expect(early).toContain(day)
    expect(early.length).toBeLessThan(DAYS / 2)
    let last = await syncConnection(connection, environment, { signal })
    for (let run = 0; run < 3 && last.outcome !== 'ok'; run++)
      last = await syncConnection(connection, environment, { signal })
    expect(last).toMatchObject({ outcome: 'ok', failed: 0 })
    expect(new Set(await days()).size).toBe(DAYS)
  })
})
