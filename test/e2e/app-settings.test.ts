import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { followLanguageModel } from '../../src/administration/follow-language-model.ts'
import { languageModelChoices } from '../../src/administration/language-model-choice.ts'
import { settingsService } from '../../src/administration/settings-service.ts'
import { homeFiles } from '../../src/config/home-folder.ts'
import { loadConfig } from '../../src/config.ts'
import { connectionsOfHome } from '../../src/connections/configured-connections.ts'
import { AppError } from '../../src/domain/errors.ts'
import type {
  BackupReady,
  ModelsOverview,
  ModelTrial,
  ModelTrials,
  ServerOverview,
} from '../../src/http/app/schemas/settings.ts'
import { modelsSettings, openModels } from '../../src/models/configured/open-models.ts'
import { PluggedIn } from '../../src/models/configured/plugged-in.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../src/store/store.ts'
import { startOpenAiServer } from '../fakes/openai-server.ts'
import { type AppVisit, appVisit } from '../lib/app-visit.ts'
import { freePort } from '../lib/free-port.ts'
import { httpCall } from '../lib/http-call.ts'
import { idleModelJobs } from '../lib/idle-model-jobs.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { until } from '../lib/until.ts'

/** An app whose server has a home with this config.yaml. */
async function visit({
  yaml = '',
  store: wrap = (store: Store) => store,
  home = temporaryFolder(),
  work = true,
  registry = '',
} = {}) {
  const files = homeFiles(home)
  writeFileSync(files.config, yaml)
  writeFileSync(files.database, 'as large as this')
  const config = loadConfig({ home, file: files.config, env: {} })
  const localModels = idleModelJobs(home, registry)
  const opened = modelsSettings(config.models).language
  const language = new PluggedIn((await openModels(opened ? { language: opened } : {}, { cacheFolder: home })).language)
  const look = followLanguageModel({
    ...{ files, env: {}, opened, pluggedIn: language, log: recordingLog().log },
    measure: (model) => model,
  })
  const stack = new AsyncDisposableStack()
  const app: AppVisit = await appVisit({
    work,
    door: ({ store }) => ({
      settingsService: settingsService(
        {
          config,
          store: wrap(store),
          version: '1.2.3',
          env: {},
          connections: connectionsOfHome(config, {}),
          localModels,
          languageModels: languageModelChoices({ files, env: {}, look }),
          language: () => language.current,
        },
        stack,
      ),
    }),
  })
  stack.use(app)
  const copies = () => readdirSync(home).filter((name) => name.startsWith('backup-'))
  return { app, home, copies, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

const download = (app: AppVisit, path: string, who: { readonly cookie: string } = app) =>
  httpCall(`${app.baseUrl}/app/api${path}`, { headers: { cookie: who.cookie } })

describe('the account', () => {
  test('gets another name and time zone from its owners, and from nobody else', async () => {
    await using opened = await visit()
    const { app } = opened
    await app.send('PATCH', '/account', { name: 'Ada and friends', time_zone: 'Asia/Tokyo' })
    expect(await app.session()).toMatchObject({ account: { name: 'Ada and friends', time_zone: 'Asia/Tokyo' } })
    const wrong = await app.call('/account', { method: 'PATCH', body: { name: 'x', time_zone: 'Mars/Olympus' } })
    expect([wrong.status, wrong.body.detail]).toEqual([400, expect.stringContaining('time_zone')])
    expect(await app.session()).toMatchObject({ account: { name: 'Ada and friends' } })
    const member = await app.personFor({ role: 'member' })
    expect((await member.call('/account', { method: 'PATCH', body: { name: 'Mine' } })).status).toBe(403)
  })
})

describe('models', () => {
  test('that are built in are told as such, and work', async () => {
    await using opened = await visit()
    expect(await opened.app.get<ModelsOverview>('/models')).toEqual({
      problem: null,
      language: { settings: null, model: null, uses: [], work: null },
      embedding: { model: null, texts: null, building: null, problems: [] },
      local: [expect.objectContaining({ name: 'minilm', is_installed: false, progress: null, problem: null })],
      reranker: null,
    })
    expect(await opened.app.send<ModelTrials>('POST', '/models/test')).toMatchObject({
      trials: [{ kind: 'built-in', problem: null, ms: expect.any(Number) }],
    })
  })

  test('a language model is tested, then written to config.yaml and used; its key is in a private file', async () => {
    const said = { headline: 'Launch moved', people: ['Ada'], decisions: ['The launch is a week later.'] }
    await using server = await startOpenAiServer(() => said)
    await using opened = await visit({ yaml: '# mine\nlog_level: warn\n' })
    const { app, home } = opened
    const config = () => readFileSync(homeFiles(home).config, 'utf8')
    const choice = { provider: 'openai-compatible', model: 'qwen3', url: server.url, api_key: 'sk-very-secret' }
    const unreachable = { ...choice, url: `http://127.0.0.1:${await freePort()}/v1` }
    expect(await app.send<ModelTrial>('PUT', '/models/language', unreachable)).toMatchObject({
      problem: expect.stringMatching(/qwen3/),
    })
    expect(config()).toBe('# mine\nlog_level: warn\n')

    expect(await app.send<ModelTrial>('PUT', '/models/language', choice)).toMatchObject({ problem: null })
    expect(server.headers.at(-1)?.authorization).toBe('Bearer sk-very-secret')
    expect(config()).toMatch(/^# mine\n/)
    expect(config()).not.toContain('sk-very-secret')
    const keyFile = join(home, 'tokens', 'language-model')
    expect(readFileSync(keyFile, 'utf8')).toBe('sk-very-secret')
    if (process.platform !== 'win32') expect(statSync(keyFile).mode & 0o077).toBe(0)
    const shown = await app.get<ModelsOverview>('/models')
    expect(shown.language).toMatchObject({
      model: 'openai-compatible:qwen3',
      settings: { provider: 'openai-compatible', model: 'qwen3', url: server.url, has_key: true },
    })
    expect(JSON.stringify(shown)).not.toContain('sk-very-secret')

    const other = { provider: 'openai-compatible', model: 'qwen4', url: server.url }
    expect(await app.send<ModelTrial>('PUT', '/models/language', other)).toMatchObject({ problem: null })
    expect(server.headers.at(-1)?.authorization).toBe('Bearer sk-very-secret')

    await app.send('DELETE', '/models/language')
    expect((await app.get<ModelsOverview>('/models')).language).toMatchObject({ model: null, settings: null })
    expect(config()).toBe('# mine\nlog_level: warn\n')
    expect(existsSync(keyFile)).toBe(false)
  })

  test('a language model gets a price and a budget a month, which is tested with it and spent day by day', async () => {
    const said = { headline: 'Launch moved', people: ['Ada'], decisions: ['The launch is a week later.'] }
    await using server = await startOpenAiServer(() => said)
    const access = `provider: openai-compatible, model: qwen3, url: "${server.url}"`
    const yaml = `models:\n  language: {${access}, budget: {tokens_per_day: 50000}}\n`
    await using opened = await visit({ yaml })
    const { app, home } = opened
    const settings = async () => (await app.get<ModelsOverview>('/models')).language.settings
    expect(await settings()).toMatchObject({ price: null, dollars_per_month: null, has_limits: true })

    const model = { provider: 'openai-compatible', model: 'qwen3', url: server.url }
    const price = { input: 0.15, output: 0.6 }
    const choose = (cost: object) => app.send<ModelTrial>('PUT', '/models/language', { ...model, ...cost })
    expect(await choose({ price, dollars_per_month: 31 })).toMatchObject({ problem: null })
    const config = () => readFileSync(homeFiles(home).config, 'utf8')
    expect(config()).toMatch(/dollars_per_day: 1\b/)
    expect(config()).toMatch(/tokens_per_day: 50000/)
    expect(await settings()).toMatchObject({ price, dollars_per_month: 31, has_limits: true })

    const saved = config()
    expect((await choose({ price, dollars_per_month: 0.01 })).problem).toMatch(/dollars_per_day must be/)
    const noPrice = await app.call('/models/language', { method: 'PUT', body: { ...model, price: null } })
    expect([noPrice.status, noPrice.body.detail]).toEqual([400, expect.stringMatching(/needs price/)])
    expect(config()).toBe(saved)

    expect(await choose({ price: null, dollars_per_month: null })).toMatchObject({ problem: null })
    expect(await settings()).toMatchObject({ price: null, dollars_per_month: null, has_limits: true })
    expect(config()).not.toMatch(/price|dollars/)
  })

  test('the key of a provider is removed when a model of another one is chosen', async () => {
    const said = { headline: 'Launch moved', people: ['Ada'], decisions: ['The launch is a week later.'] }
    await using server = await startOpenAiServer(() => said)
    await using opened = await visit()
    const { app, home } = opened
    const first = { provider: 'openai', model: 'gpt', url: server.url, api_key: 'sk-very-secret' }
    expect(await app.send<ModelTrial>('PUT', '/models/language', first)).toMatchObject({ problem: null })
    expect(existsSync(join(home, 'tokens', 'language-model'))).toBe(true)
    const second = { provider: 'openai-compatible', model: 'qwen3', url: server.url }
    expect(await app.send<ModelTrial>('PUT', '/models/language', second)).toMatchObject({ problem: null })
    expect(existsSync(join(home, 'tokens', 'language-model'))).toBe(false)
  })

  test('a language model that cannot be meant is refused before anything is asked', async () => {
    await using opened = await visit()
    for (const [body, detail] of [
      [{ provider: 'openai', model: 'gpt' }, /api_key is missing/],
      [{ provider: 'openai-compatible', model: 'qwen3' }, /url is missing/],
      [{ provider: 'openai-compatible', model: 'x', url: `http://\${HOME}/v1` }, /must not contain/],
      [{ provider: 'clippy', model: 'x' }, /must be a supported provider/],
    ] as const) {
      const answer = await opened.app.call('/models/language', { method: 'PUT', body })
      expect([400, 422]).toContain(answer.status)
      expect(answer.text).toMatch(detail)
    }
  })

  test('of one’s own are tried one by one, and say what is wrong with them', async () => {
    const said = { headline: 'Launch moved', people: ['Ada'], decisions: ['The launch is a week later.'] }
    await using server = await startOpenAiServer(() => said)
    server.embed(() => ({ status: 401 }))
    const access = `provider: openai-compatible, url: ${server.url}, api_key: sk-very-secret`
    const yaml = `models:\n  language: {model: qwen3, ${access}}\n  embedding: {model: bge, dimensions: 8, ${access}}\n`
    await using opened = await visit({ yaml })
    const models = await opened.app.get<ModelsOverview>('/models')
    expect(models).toMatchObject({
      language: { model: 'openai-compatible:qwen3', uses: ['extract', 'ask'] },
      embedding: { model: null, problems: [{ message: expect.stringMatching(/until you reindex\.$/) }] },
    })
    const member = await opened.app.personFor({ role: 'member' })
    expect(await member.get<ModelsOverview>('/models')).toMatchObject({
      language: { model: 'openai-compatible:qwen3', work: null },
      embedding: { model: null, texts: null, building: null, problems: [] },
      local: [],
    })
    const answer = await opened.app.call('/models/test', { method: 'POST' })
    expect(answer.body).toMatchObject({
      trials: [
        { kind: 'built-in', problem: null },
        {
          kind: 'language',
          model: 'openai-compatible:qwen3',
          problem: null,
          ms: expect.any(Number),
          per_second: { unit: 'tokens' },
          keeps_to_schema: true,
        },
        { kind: 'embedding', model: 'openai-compatible:bge', problem: expect.stringMatching(/key/), ms: null },
      ],
    })
    expect(answer.text + JSON.stringify(models)).not.toContain('sk-very-secret')
  })

  test('are tested as config.yaml names them now, before a restart', async () => {
    await using server = await startOpenAiServer(() => ({ headline: 'Launch moved', people: [], decisions: [] }))
    await using opened = await visit()
    const { app, home } = opened
    const access = `provider: openai-compatible, url: ${server.url}`
    writeFileSync(homeFiles(home).config, `models:\n  language: {model: qwen3, ${access}}\n`)
    const { trials } = await app.send<ModelTrials>('POST', '/models/test')
    expect(trials.map(({ model }) => model)).toContain('openai-compatible:qwen3')
    writeFileSync(homeFiles(home).config, 'models: {langage: {}}\n')
    const refused = await app.call('/models/test', { method: 'POST' })
    expect([refused.status, refused.body.detail]).toEqual([400, expect.stringContaining('Did you mean language?')])
  })

  test('that run on the server are added and removed by administrators, and say why that failed', async () => {
    await using opened = await visit({ registry: `http://127.0.0.1:${await freePort()}` })
    const { app } = opened
    const member = await app.personFor({ role: 'owner' })
    expect((await member.call('/models/local', { method: 'POST', body: { name: 'minilm' } })).status).toBe(403)
    const unknown = await app.call('/models/local', { method: 'POST', body: { name: 'minlm' } })
    expect([unknown.status, unknown.body.detail]).toEqual([404, expect.stringContaining('Did you mean minilm?')])
    expect((await app.call('/models/local', { method: 'POST', body: { name: 'minilm' } })).status).toBe(202)
    const shown = async () => (await app.get<ModelsOverview>('/models')).local[0]
    await until(async () => (await shown())?.progress === null)
    expect(await shown()).toMatchObject({ is_installed: false, problem: expect.stringContaining("doesn't respond") })
    expect((await app.call('/models/local/minilm', { method: 'DELETE' })).status).toBe(204)
    expect(await shown()).toMatchObject({ problem: null })
  })

  test('are tried for administrators only', async () => {
    await using opened = await visit()
    const owner = await opened.app.personFor({ role: 'owner' })
    expect((await owner.call('/models/test', { method: 'POST' })).status).toBe(403)
    expect((await owner.call('/backup', { method: 'POST' })).status).toBe(403)
    expect((await owner.get<ServerOverview>('/server')).home).toBeNull()
  })
})

test('limits are told as they are, with the setting that changes each', async () => {
  await using opened = await visit({ yaml: 'rate_limit_per_minute: 77\n' })
  const { app, home } = opened
  const { version, limits, home: told } = await app.get<ServerOverview>('/server')
  expect(version).toBe('1.2.3')
  expect(limits).toContainEqual(expect.objectContaining({ setting: 'rate_limit_per_minute', value: 77 }))
  expect(limits).toContainEqual(expect.objectContaining({ title: 'Keys per account', setting: null, value: 5 }))
  expect(told).toEqual({ folder: home, config_file: join(home, 'config.yaml'), database_bytes: 16 })
})

test('for how long things are kept is told by source and by connection, as config.yaml says now', async () => {
  const connection = (days: string) => `connectors:\n  feeds: [{name: news, retention_days: ${days}}]\n`
  await using opened = await visit({ yaml: `retention: {slack: 730}\n${connection('30')}` })
  const { app, home } = opened
  const kept = async () => {
    const { limits } = await app.get<ServerOverview>('/server')
    return limits
      .filter(({ setting }) => setting?.startsWith('retention'))
      .map(({ title, value }) => `${title} ${value}`)
  }
  const ofSlack = 'Retention of slack 730'
  expect(await kept()).toEqual([ofSlack, 'Retention of feeds/news 30'])
  writeFileSync(homeFiles(home).config, connection('60'))
  expect(await kept()).toEqual([ofSlack, 'Retention of feeds/news 60'])
  writeFileSync(homeFiles(home).config, connection('soon'))
  expect(await kept()).toEqual([ofSlack])
})

describe('a backup', () => {
  test('is a whole database, opens once, and leaves nothing behind', async () => {
    await using opened = await visit()
    const { app, copies } = opened
    await app.running.upload('The deployment of the shop is on Friday.', { itemId: 'shop' })
    const ready = await app.send<BackupReady>('POST', '/backup')
    expect(ready.file_name).toMatch(/^recalld-\d{4}-\d\d-\d\d\.db$/)
    const answer = await download(app, ready.path)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-disposition')).toContain(`filename="${ready.file_name}"`)
    expect(answer.bytes.length).toBe(ready.bytes)
    await until(async () => copies().length === 0)
    expect((await download(app, ready.path)).status).toBe(404)

    const file = join(temporaryFolder(), 'copy.db')
    writeFileSync(file, answer.bytes)
    const { log } = recordingLog()
    const store = await openSqliteStore({ file, log })
    const scoped = store.scoped({ accountId: app.accountId, sources: 'all' })
    expect(await scoped.findItem({ itemId: 'shop' })).toMatchObject({ status: 'ready' })
    await store.close()
  })

  test('cannot be made by a forged request, nor downloaded by somebody else', async () => {
    await using opened = await visit()
    const { app } = opened
    const forged = await httpCall(`${app.baseUrl}/app/api/backup`, { method: 'POST', headers: { cookie: app.cookie } })
    expect(forged.status).toBe(403)
    const { path } = await app.send<BackupReady>('POST', '/backup')
    const other = await app.personFor({ role: 'owner' })
    expect((await download(app, path, other)).status).toBe(403)
    expect((await download(app, '/backup/guessed')).status).toBe(404)
    expect((await httpCall(`${app.baseUrl}/app/api${path}`)).status).toBe(401)
    expect((await download(app, path)).status).toBe(200)
  })

  test('is removed when the download is cut off, and the next one can be made', async () => {
    await using opened = await visit({ work: false })
    const { app, copies } = opened
    const body = new TextEncoder().encode('A long story. '.repeat(700_000))
    const principal = await app.service.authenticate(app.running.key)
    await app.service.memorize(principal, { body, fileName: 'story.txt', userName: 'Ada' })
    const { path } = await app.send<BackupReady>('POST', '/backup')
    const socket = connect(app.running.port, '127.0.0.1')
    socket.write(`GET /app/api${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: ${app.cookie}\r\n\r\n`)
    await once(socket, 'data')
    expect((await app.call('/backup', { method: 'POST' })).status).toBe(409)
    socket.destroy()
    await until(async () => copies().length === 0)
    expect((await app.call('/backup', { method: 'POST' })).status).toBe(200)
  })

  test('that cannot be made leaves nothing behind, and the next one can be made', async () => {
    let fails = true
    await using opened = await visit({
      store: (store) => ({
        ...store,
        backup: async (file) => {
          if (!fails) return store.backup(file)
          writeFileSync(`${file}.partial`, 'half')
          throw new AppError('unavailable', 'The backup did not finish.')
        },
      }),
    })
    const { app, copies } = opened
    expect((await app.call('/backup', { method: 'POST' })).status).toBe(503)
    expect(copies()).toEqual([])
    fails = false
    expect((await app.call('/backup', { method: 'POST' })).status).toBe(200)
  })

  test('that a killed service left is removed by the next start', async () => {
    const home = join(temporaryFolder(), 'home')
    mkdirSync(home)
    const { backupCopy } = homeFiles(home)
    writeFileSync(backupCopy, 'whole')
    writeFileSync(`${backupCopy}.partial`, 'half')
    await using opened = await visit({ home })
    expect(opened.copies()).toEqual([])
    expect(existsSync(homeFiles(home).database)).toBe(true)
  })
})
