import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ConnectAnswer, Connection, Preview } from '../../src/http/app/schemas/sources.ts'
import { BOB, GENERAL, SlackSimulation } from '../fakes/slack/slack-simulation.ts'
import { type SourcesVisit, type SourcesVisitOptions, sourcesVisit } from '../lib/sources-visit.ts'
import { until } from '../lib/until.ts'

const ACME = 'slack/acme'
const DAY_MS = 86_400_000

/** A workspace where something was said yesterday, and a service that its administrator looks at. */
async function workspace(options: SourcesVisitOptions = {}) {
  const simulation = await SlackSimulation.open()
  onTestFinished(() => simulation[Symbol.asyncDispose]())
  const at = new Date(Date.now() - DAY_MS)
  simulation.fake.post(GENERAL, { user: BOB, text: 'The spare anchor lies in the boathouse.', at })
  simulation.fake.addChannel('C0LUNCH', 'lunch')
  simulation.fake.post('C0LUNCH', { user: BOB, text: 'Thursday is the day of dumplings.', at })
  const app = await sourcesVisit(options)
  onTestFinished(() => app[Symbol.asyncDispose]())
  return { simulation, app }
}

async function connected(settings: Readonly<Record<string, unknown>> = {}) {
  const { simulation, app } = await workspace()
  const { url: api_url, token } = simulation.server
  const body = { connector: 'slack', name: 'acme', settings: { api_url, ...settings }, token }
  const answer = await app.send<ConnectAnswer>('POST', '/sources', body)
  await app.untilListed(ACME, ({ state }) => state === 'healthy')
  return { simulation, app, answer, token }
}

const change = (app: SourcesVisit, settings: object) => app.send<Connection>('PATCH', `/sources/${ACME}`, { settings })

describe('a source that is connected by a token', () => {
  test('stands in config.yaml, runs at once, and is recalled', async () => {
    const { app, simulation, answer } = await connected()
    expect(answer).toMatchObject({ account: expect.stringContaining('Ada'), connection: { id: ACME, title: 'Slack' } })
    expect(await app.listed(ACME)).toMatchObject({
      state: 'healthy',
      situation: 'up_to_date',
      items: 2,
      schedule: '*/15 * * * *',
      coverage: { complete: 2, total: 2 },
      access: { by: 'token', grant: null },
      action: null,
    })
    await until(async () => (await app.recall('Where is the spare anchor?')).includes('boathouse'))
    const tokenFile = join(app.home, 'tokens', 'slack-acme')
    expect(readFileSync(tokenFile, 'utf8')).toBe(`${simulation.server.token}\n`)
    expect(app.config()).toContain(
      `connectors:\n  slack:\n    - name: acme\n      api_url: ${simulation.server.url}\n      token_file: ${tokenFile}\n`,
    )
    expect(JSON.stringify(await app.detail(ACME))).not.toContain(simulation.server.token)
    expect(JSON.stringify(app.logLines)).not.toContain(simulation.server.token)
  })

  test('saves nothing when only the access is checked', async () => {
    const { simulation, app } = await workspace()
    const settings = { api_url: simulation.server.url }
    const body = { connector: 'slack', name: 'acme', settings, token: simulation.server.token }
    const answer = await app.call('/sources/check', { method: 'POST', body })
    expect(answer).toMatchObject({ status: 200, body: { account: expect.any(String), warnings: expect.any(Array) } })
    expect(app.config()).toBe('')
    expect(existsSync(join(app.home, 'tokens'))).toBe(false)
  })

  test('leaves nothing when the source refuses the token', async () => {
    const { simulation, app } = await workspace()
    const body = { connector: 'slack', name: 'acme', settings: { api_url: simulation.server.url }, token: 'xoxp-wrong' }
    const answer = await app.call('/sources', { method: 'POST', body })
    expect(answer).toMatchObject({ status: 400, body: { detail: expect.any(String) } })
    expect(answer.text).not.toContain('xoxp-wrong')
    const checked = await app.call('/sources/check', { method: 'POST', body })
    expect(checked).toMatchObject({ status: 400, body: answer.body })
    expect(app.config()).toBe('')
    expect(existsSync(join(app.home, 'tokens'))).toBe(false)
    expect(await app.listed(ACME)).toBeUndefined()
  })

  test('is refused with the name of the setting that is wrong', async () => {
    const { simulation, app } = await workspace()
    const settings = { api_url: simulation.server.url, relist_days: 400 }
    const body = { connector: 'slack', name: 'acme', settings, token: simulation.server.token }
    expect(await app.call('/sources', { method: 'POST', body })).toMatchObject({
      status: 400,
      body: {
        detail: 'relist_days must be a whole number from 1 to 90',
        errors: [{ field: 'relist_days', message: 'relist_days must be a whole number from 1 to 90' }],
      },
    })
    expect(app.config()).toBe('')
  })

  test('is refused when there is one of its name', async () => {
    const { simulation, app } = await connected()
    const body = { connector: 'slack', name: 'acme', settings: { api_url: simulation.server.url }, token: 'x' }
    expect((await app.call('/sources', { method: 'POST', body })).status).toBe(409)
  })

  test('says how to give it access again when the token ends, and goes on with a new one', async () => {
    const { simulation, app } = await connected()
    simulation.server.revoke()
    await app.send('POST', `/sources/${ACME}/sync`, {})
    expect(await app.untilListed(ACME, ({ state }) => state !== 'healthy' && state !== 'running')).toMatchObject({
      action: 'reauthorize',
      problem: expect.not.stringMatching(/token_file|recalld|config/),
      remedy: 'new_token',
    })
    simulation.server.revoke('')
    const answer = await app.send<Connection>('PATCH', `/sources/${ACME}`, { token: simulation.server.token })
    expect(answer.id).toBe(ACME)
    await app.untilListed(ACME, ({ state, problem }) => state === 'healthy' && problem === null)
  })
})

describe('a connection', () => {
  test('that is paused does not run, and runs again when it is resumed', async () => {
    const { app } = await connected()
    expect(await change(app, { paused: true })).toMatchObject({ state: 'paused', paused: true, next_run_at: null })
    expect((await app.call(`/sources/${ACME}/sync`, { method: 'POST', body: {} })).status).toBe(409)
    expect(app.config()).toContain('paused: true')
    expect(await change(app, { paused: null })).toMatchObject({ paused: false, state: 'healthy' })
    expect(app.config()).not.toContain('paused')
    expect((await app.call(`/sources/${ACME}/sync`, { method: 'POST', body: {} })).status).toBe(202)
  })

  test('shows what other rules would take, and takes it at the next run', async () => {
    const { app } = await connected()
    const preview = await app.send<Preview>('POST', `/sources/${ACME}/preview`, { settings: { exclude: ['lunch'] } })
    expect(preview).toMatchObject({ cut_off: false, problem: null })
    expect(preview.partitions).toContainEqual(expect.objectContaining({ partition: '#general', new: 0, unchanged: 1 }))
    expect(preview.partitions).toContainEqual(expect.objectContaining({ partition: '#lunch', gone: 1 }))
    expect(app.config()).not.toContain('lunch')
    await change(app, { exclude: ['lunch'] })
    await app.send('POST', `/sources/${ACME}/sync`, {})
    await app.untilListed(ACME, ({ items, running }) => items === 1 && !running)
    const { fields, partitions, last_report } = await app.detail(ACME)
    expect(fields.find(({ name }) => name === 'exclude')).toMatchObject({
      kind: 'list',
      value: ['lunch'],
      is_set: true,
    })
    expect(fields.find(({ name }) => name === 'token')).toMatchObject({ secret: true, value: null, is_set: true })
    expect(partitions.map(({ title, items }) => ({ title, items }))).toEqual([{ title: '#general', items: 1 }])
    expect(last_report).toMatchObject({ outcome: 'ok' })
  })

  test('that does not exist yet is previewed without a trace', async () => {
    const { simulation, app } = await workspace()
    const body = { settings: { api_url: simulation.server.url }, token: simulation.server.token }
    const preview = await app.send<Preview>('POST', '/connectors/slack/preview', body)
    expect(preview.partitions.map((partition) => partition.new)).toEqual([1, 1])
    expect(readdirSync(app.home)).not.toContain('config.yaml')
    expect((await app.sources()).connections).toEqual([])
  })

  test('tells how far a run is to whoever looks, over the stream of events', async () => {
    const { app } = await connected()
    const stream = await fetch(`${app.baseUrl}/app/api/events`, { headers: { cookie: app.cookie } })
    const told: string[] = []
    const reading = (async () => {
      for await (const chunk of stream.body ?? []) told.push(new TextDecoder().decode(chunk))
    })().catch(() => undefined)
    await app.send('POST', `/sources/${ACME}/sync`, { full: true })
    await until(async () => told.join('').includes('"type":"sync","connection":"slack/acme"'))
    await until(async () => told.join('').split('{"type":"sources"}').length > 2)
    await stream.body?.cancel().catch(() => undefined)
    await app.untilListed(ACME, ({ running }) => !running)
    await app[Symbol.asyncDispose]()
    await reading
  })
})
