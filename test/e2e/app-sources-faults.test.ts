import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Connector } from '../../src/connector/connector.ts'
import { AppError } from '../../src/domain/errors.ts'
import type { ConnectAnswer, ConnectionDetail } from '../../src/http/app/schemas/sources.ts'
import type { Store } from '../../src/store/store.ts'
import { GithubServer } from '../fakes/github/github-server.ts'
import { type MadeUpSource, madeUpConnector } from '../lib/made-up-connector.ts'
import { type SourcesVisitOptions, sourcesVisit } from '../lib/sources-visit.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { until } from '../lib/until.ts'

const ADA = 'made_up/ada'
const NEW_ADA = { connector: 'made_up', name: 'ada', token: 'secret-token' }

async function visited(options: SourcesVisitOptions = {}) {
  const app = await sourcesVisit(options)
  onTestFinished(() => app[Symbol.asyncDispose]())
  return app
}

async function connected(options: SourcesVisitOptions = {}, count = 3) {
  const items = new Map<string, string>()
  for (let n = 0; n < count; n++) items.set(`note-${n}`, `The lamp of room ${n} is purple.`)
  const source: MadeUpSource = { items }
  const registry = { made_up: async (): Promise<Connector> => madeUpConnector(source) }
  const app = await visited({ registry, ...options })
  await app.send<ConnectAnswer>('POST', '/sources', NEW_ADA)
  await app.untilListed(ADA, ({ state, running, items }) => state === 'healthy' && !running && items === count)
  return { app, source }
}

describe('while config.yaml has a mistake', () => {
  test('sources are listed and shown as they run, with the line of the mistake', async () => {
    const { app } = await connected()
    app.writeConfig(`${app.config()}rate_limt_per_minute: 5\n`)
    const { connections, editable, why_not_editable: why } = await app.sources()
    expect(editable).toBe(false)
    expect(why).toMatch(/config\.yaml line \d+: .*rate_limt_per_minute/)
    expect(connections).toMatchObject([{ id: ADA, state: 'healthy', items: 3, schedule: '*/5 * * * *' }])
    app.writeConfig(`${app.config()}connectors: [\n`)
    expect(await app.detail(ADA)).toMatchObject({ state: 'healthy', fields: expect.any(Array) })
  })
})

describe('a removal', () => {
  test('that ended between config.yaml and the token removes the token when it is done again', async () => {
    const { app } = await connected()
    const token = join(app.home, 'tokens', 'made_up-ada')
    app.writeConfig('connectors: {}\n')
    expect(existsSync(token)).toBe(true)
    await app.send('DELETE', `/sources/${ADA}?forget=true`)
    expect(existsSync(token)).toBe(false)
  })

  test('leaves a token that another connection is read with', async () => {
    const { app } = await connected()
    const token = join(app.home, 'tokens', 'made_up-ada')
    app.writeConfig(`connectors:\n  made_up:\n    - name: bob\n      token_file: ${token}\n`)
    await app.send('DELETE', `/sources/${ADA}?forget=true`)
    expect(existsSync(token)).toBe(true)
  })

  test('that was cut off is over when it is connected again', async () => {
    let isCut = false
    const wrapStore = (store: Store): Store => ({
      ...store,
      ledger: (memoryId) => {
        const ledger = store.ledger(memoryId)
        const pageItems: typeof ledger.pageItems = async (...parameters) => {
          if (isCut && parameters[1].kind === 'partition') throw new AppError('unavailable', 'killed')
          return ledger.pageItems(...parameters)
        }
        return { ...ledger, pageItems }
      },
    })
    const { app } = await connected({ wrapStore })
    isCut = true
    expect((await app.call(`/sources/${ADA}?forget=true`, { method: 'DELETE' })).status).toBe(503)
    isCut = false
    await app.send<ConnectAnswer>('POST', '/sources', NEW_ADA)
    await app.untilListed(ADA, ({ state, running }) => state === 'healthy' && !running)
    await app.send('DELETE', `/sources/${ADA}`)
    expect(await app.listed(ADA)).toMatchObject({ state: 'not configured', removing: false, items: 3 })
  })
})

describe('a connection', () => {
  test('of before the start runs besides those that are connected until then, once', async () => {
    const source: MadeUpSource = { items: new Map([['note', 'The lamp is purple.']]) }
    const app = await visited({
      registry: { made_up: async (): Promise<Connector> => madeUpConnector(source) },
      yaml: 'connectors:\n  made_up:\n    - name: bob\n      token: t\n',
      beforeStart: async ({ send }) => {
        await send('POST', '/sources', NEW_ADA)
      },
    })
    for (const id of ['made_up/bob', ADA]) {
      await app.send('POST', `/sources/${id}/sync`, {})
      await app.untilListed(id, ({ state }) => state === 'healthy')
    }
    expect(app.logLines.filter(({ message }) => message === 'running connectors')).toHaveLength(1)
  })

  test('whose folder is gone says so at the folder, in words', async () => {
    const app = await visited()
    const folders = ['here', 'gone'].map((name) => join(temporaryFolder(), name))
    for (const folder of folders) {
      mkdirSync(folder)
      writeFileSync(join(folder, 'note.md'), '# A note\n')
    }
    const body = { connector: 'technical_docs', name: 'me', settings: { paths: folders } }
    await app.send('POST', '/sources', body)
    await app.untilListed('technical_docs/me', ({ state, running }) => state === 'healthy' && !running)
    rmSync(String(folders[1]), { recursive: true })
    await app.send('POST', '/sources/technical_docs/me/sync', {})
    const one = await app.untilListed('technical_docs/me', ({ state, running }) => state !== 'healthy' && !running)
    expect(one.state).toBe('needs attention')
    expect(await app.get('/sources/attention')).toEqual({ connections: 1 })
    const { partitions } = await app.detail(one.id)
    const words = JSON.stringify([one.problem, one.remedy, partitions])
    expect(words).not.toMatch(/reconfigure|config\.yaml|"skip"/)
    expect(partitions.find(({ error }) => error !== null)?.remedy).toBeNull()
  })

  test('does not keep the service from ending while its source is asked', async () => {
    const server = await GithubServer.start()
    onTestFinished(() => server[Symbol.asyncDispose]())
    const app = await sourcesVisit()
    server.faults.push({ path: /./, times: 99, hangs: true })
    const settings = { api_url: server.url }
    const body = { connector: 'github', name: 'me', settings, token: server.token }
    const answer = app.call('/sources', { method: 'POST', body }).catch(() => undefined)
    await until(async () => server.log.length > 0 || server.faults[0]?.times !== 99)
    await app[Symbol.asyncDispose]()
    await answer
    expect(app.config()).toBe('')
  })
})

describe('a member who may change nothing', () => {
  test('is not shown settings: the address of a feed can be a secret', async () => {
    const { app } = await connected()
    const member = await app.personFor({ role: 'member' })
    expect((await app.detail(ADA)).fields.length).toBeGreaterThan(0)
    expect((await member.get<ConnectionDetail>(`/sources/${ADA}`)).fields).toEqual([])
  })
})
