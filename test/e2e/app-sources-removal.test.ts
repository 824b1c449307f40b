import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Connector } from '../../src/connector/connector.ts'
import { AppError } from '../../src/domain/errors.ts'
import type { ConnectAnswer, Connection, RemoveAnswer } from '../../src/http/app/schemas/sources.ts'
import type { Store } from '../../src/store/store.ts'
import { type MadeUpSource, madeUpConnector } from '../lib/made-up-connector.ts'
import { type SourcesVisitOptions, sourcesVisit } from '../lib/sources-visit.ts'
import { until } from '../lib/until.ts'

const ADA = 'made_up/ada'

/** A made-up source of some texts, which is connected and was read once. */
async function connected(count = 3, options: SourcesVisitOptions = {}) {
  const items = new Map<string, string>()
  for (let n = 0; n < count; n++) items.set(`note-${n}`, `The lamp of room ${n} is purple.`)
  const source: MadeUpSource = { items }
  const registry = { made_up: async (): Promise<Connector> => madeUpConnector(source) }
  const app = await sourcesVisit({ registry, ...options })
  onTestFinished(() => app[Symbol.asyncDispose]())
  await app.send<ConnectAnswer>('POST', '/sources', { connector: 'made_up', name: 'ada', token: 'secret-token' })
  await app.untilListed(ADA, ({ state, running, items }) => state === 'healthy' && !running && items === count)
  return { app, source, registry }
}

describe('a source that is removed', () => {
  test('with what it brought is gone from config.yaml, the list, and the memory', async () => {
    const { app } = await connected()
    await until(async () => (await app.recall('lamp')).includes('purple'))
    expect(await app.send<RemoveAnswer>('DELETE', `/sources/${ADA}?forget=true`)).toEqual({
      forgotten: 3,
      revoked: false,
    })
    expect(await app.recall('lamp')).not.toContain('purple')
    expect(app.config()).not.toContain('made_up')
    expect(existsSync(join(app.home, 'tokens', 'made_up-ada'))).toBe(false)
    expect((await app.sources()).connections).toEqual([])
  })

  test('without it leaves what it brought, which can still be forgotten later', async () => {
    const { app } = await connected()
    expect(await app.send('DELETE', `/sources/${ADA}`)).toEqual({ forgotten: 0, revoked: false })
    expect(app.config()).not.toContain('made_up')
    await until(async () => (await app.recall('lamp')).includes('purple'))
    expect(await app.listed(ADA)).toMatchObject({ state: 'not configured', items: 3, removing: false })
    expect(await app.send('DELETE', `/sources/${ADA}?forget=true`)).toMatchObject({ forgotten: 3 })
    expect(await app.listed(ADA)).toBeUndefined()
    expect(await app.recall('lamp')).not.toContain('purple')
  })

  test('can be taken off the list once more, and what it brought stays', async () => {
    const { app } = await connected()
    await app.send('DELETE', `/sources/${ADA}`)
    await app.send('DELETE', `/sources/${ADA}`)
    expect(await app.listed(ADA)).toBeUndefined()
    await until(async () => (await app.recall('lamp')).includes('purple'))
  })

  test('ends its run first', async () => {
    const gate = Promise.withResolvers<void>()
    const { app, source } = await connected()
    source.gate = gate.promise
    await app.send('POST', `/sources/${ADA}/sync`, {})
    await app.untilListed(ADA, ({ running }) => running)
    const removed = app.send<RemoveAnswer>('DELETE', `/sources/${ADA}?forget=true`)
    await until(async () => !app.config().includes('made_up'))
    gate.resolve()
    expect(await removed).toMatchObject({ forgotten: 3 })
  })

  test('and whose removal was cut off says so, and is removed by doing it again', async () => {
    // Ends after the first page of rows, as when the process is killed in between.
    let isCut = false
    const wrapStore = (store: Store): Store => ({
      ...store,
      ledger: (memoryId) => {
        const ledger = store.ledger(memoryId)
        let pages = 0
        const pageItems: typeof ledger.pageItems = async (...parameters) => {
          if (isCut && parameters[1].kind === 'partition' && ++pages > 1) throw new AppError('unavailable', 'killed')
          return ledger.pageItems(...parameters)
        }
        return { ...ledger, pageItems }
      },
    })
    const { app } = await connected(100, { wrapStore })
    isCut = true
    expect((await app.call(`/sources/${ADA}?forget=true`, { method: 'DELETE' })).status).toBe(503)
    isCut = false
    const left = await app.listed(ADA)
    expect(left).toMatchObject({ state: 'not configured', situation: 'removing', removing: true, items: 36 })
    expect(app.config()).not.toContain('made_up')
    expect(await app.send('DELETE', `/sources/${ADA}?forget=true`)).toMatchObject({ forgotten: 36 })
    expect(await app.listed(ADA)).toBeUndefined()
    expect(await app.recall('lamp')).not.toContain('purple')
  })
})

describe('config.yaml', () => {
  test('that somebody else changes is taken up without a restart', async () => {
    const { app } = await connected()
    app.writeConfig(app.config().replace('name: ada', 'name: ada\n      paused: true'))
    await until(async () => app.events.at(-1)?.type === 'sources' && (await app.listed(ADA))?.paused === true)
    await until(async () => (await app.call(`/sources/${ADA}/sync`, { method: 'POST', body: {} })).status === 409)
    app.writeConfig(app.config().replace('      paused: true\n', ''))
    await until(async () => (await app.call(`/sources/${ADA}/sync`, { method: 'POST', body: {} })).status === 202)
  })

  test('that somebody else changed while the source was asked is left as it is', async () => {
    const { app, source } = await connected()
    const gate = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    Object.defineProperty(source, 'gate', {
      get: () => {
        asked.resolve()
        return gate.promise
      },
    })
    const changing = app.call(`/sources/${ADA}`, { method: 'PATCH', body: { settings: { depth: 5 } } })
    await asked.promise
    const theirs = `# mine\n${app.config()}`
    app.writeConfig(theirs)
    gate.resolve()
    expect(await changing).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('was changed in the meantime') },
    })
    expect(app.config()).toBe(theirs)
  })

  test('that cannot be read says why, and nothing can be changed', async () => {
    const { app } = await connected()
    const broken = `${app.config()}\nconnectors: [\n`
    app.writeConfig(broken)
    expect(await app.sources()).toMatchObject({
      editable: false,
      why_not_editable: expect.stringContaining('config.yaml'),
    })
    expect((await app.call(`/sources/${ADA}`, { method: 'PATCH', body: { settings: { depth: 2 } } })).status).toBe(400)
    expect(app.config()).toBe(broken)
  })

  test('keeps its comments and what else stands there', async () => {
    const { app } = await connected()
    app.writeConfig(app.config().replace('  made_up:', '  # Of the whole family.\n  made_up:'))
    await app.send<Connection>('PATCH', `/sources/${ADA}`, { settings: { depth: 4, since: '2024-01-01' } })
    expect(app.config()).toContain('# Of the whole family.')
    expect(app.config()).toContain('depth: 4')
    expect(readFileSync(join(app.home, 'config.yaml.backup'), 'utf8')).not.toContain('depth: 4')
  })
})

describe('whoever is no administrator', () => {
  test('sees the sources of the account, and changes nothing', async () => {
    const { app } = await connected()
    const member = await app.personFor({ role: 'member' })
    expect(await member.get('/sources')).toMatchObject({
      editable: false,
      why_not_editable: 'Only administrators can connect and change sources.',
      connections: [expect.objectContaining({ id: ADA })],
    })
    const body = { connector: 'made_up', name: 'bob', token: 'x' }
    const refused = await Promise.all([
      member.call('/sources', { method: 'POST', body }),
      member.call(`/sources/${ADA}`, { method: 'PATCH', body: { settings: { paused: true } } }),
      member.call(`/sources/${ADA}/sync`, { method: 'POST', body: {} }),
      member.call(`/sources/${ADA}/retry`, { method: 'POST', body: {} }),
      member.call(`/sources/${ADA}/preview`, { method: 'POST', body: {} }),
      member.call('/connectors/made_up/preview', { method: 'POST', body: {} }),
      member.call(`/sources/${ADA}?forget=true`, { method: 'DELETE' }),
      member.call('/grants/begin', { method: 'POST', body: { provider: 'google', connectors: ['email'] } }),
    ])
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403))
    expect(await app.listed(ADA)).toMatchObject({ paused: false, items: 3 })
  })

  test('is told no more than that, when they look at another account', async () => {
    const { app } = await connected()
    const other = await app.service.accounts.create({ name: 'Other', userName: 'Eve' })
    const eve = await app.personFor({ role: 'owner', accountId: other.accountId })
    expect(await eve.get('/sources')).toMatchObject({ memory_of_other: true, connections: [], editable: false })
    expect(await eve.get('/sources/attention')).toEqual({ connections: 0 })
    expect((await eve.call(`/sources/${ADA}`)).status).toBe(403)
  })
})

describe('what another process does', () => {
  test('is seen by whoever looks, and is not run into', async () => {
    const { app } = await connected()
    const ledger = app.store.ledger(`account:${app.accountId}`)
    // The watcher has seen how things stand.
    await until(async () => app.events.length > 0)
    app.events.length = 0
    const run = { holder: 'sync 4711-other', leaseMs: 60_000 }
    await ledger.beginRun({ connector: 'made_up', name: 'ada' }, run)
    await until(async () => app.events.some(({ type }) => type === 'sources'))
    expect(await app.listed(ADA)).toMatchObject({ state: 'running', running: true, progress: null })
    expect((await app.call(`/sources/${ADA}/sync`, { method: 'POST', body: {} })).status).toBe(409)
    app.events.length = 0
    await ledger.endRun({ connector: 'made_up', name: 'ada' }, run.holder, { outcome: 'ok', report: '{}' })
    await until(async () => app.events.some(({ type }) => type === 'sources'))
    expect(await app.listed(ADA)).toMatchObject({ state: 'healthy', running: false })
  })
})

describe('a process without the role of the scheduler', () => {
  const name = { connector: 'made_up', name: 'ada' }

  test('shows and changes sources, and has them run by the one that has it', async () => {
    const { app } = await connected0()
    const ledger = app.store.ledger(`account:${app.accountId}`)
    expect(await app.sources()).toMatchObject({ editable: true, notice: null })
    expect((await app.call(`/sources/${ADA}/sync`, { method: 'POST', body: { full: true } })).status).toBe(202)
    expect(await ledger.listConnections()).toMatchObject([{ ...name, asked: 'full' }])
    expect((await app.call(`/sources/${ADA}/stop`, { method: 'POST' })).status).toBe(204)
    expect(await ledger.listConnections()).toMatchObject([{ ...name, asked: undefined }])
    expect(await app.send('PATCH', `/sources/${ADA}`, { settings: { depth: 4 } })).toMatchObject({ state: 'never ran' })
  })
})

test('stops what another process runs, which finds its lease gone', async () => {
  const { app } = await connected0()
  const ledger = app.store.ledger(`account:${app.accountId}`)
  const name = { connector: 'made_up', name: 'ada' }
  await ledger.beginRun(name, { holder: 'scheduler elsewhere', leaseMs: 60_000 })
  expect((await app.call(`/sources/${ADA}/stop`, { method: 'POST' })).status).toBe(204)
  expect(await ledger.extendRun(name, { holder: 'scheduler elsewhere', leaseMs: 60_000 })).toBe(false)
  expect(await app.listed(ADA)).toMatchObject({ running: false })
})

test('says so when the process that runs the sources has different config.yaml', async () => {
  const { app } = await connected0()
  await app.store.ledger(`account:${app.accountId}`).writeFact('connections', 'of another file')
  expect(await app.sources()).toMatchObject({ notice: expect.stringContaining('different config.yaml') })
})

async function connected0() {
  const registry = { made_up: async (): Promise<Connector> => madeUpConnector({ items: new Map() }) }
  const yaml = 'connectors:\n  made_up:\n    - name: ada\n      token: t\n'
  const app = await sourcesVisit({ registry, runsHere: false, yaml })
  onTestFinished(() => app[Symbol.asyncDispose]())
  return { app }
}
