import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { homeFiles } from '../../src/config/home-folder.ts'
import type {
  EmbeddingModelTrial,
  ModelsOverview,
  ModelTrial,
  ModelTrials,
  RerankerTrial,
  ServerOverview,
} from '../../src/http/app/schemas/settings.ts'
import { hasEngine } from '../../src/models/local/local-models.ts'
import { startOpenAiServer } from '../fakes/openai-server.ts'
import { freePort } from '../lib/free-port.ts'
import { visitSettings } from '../lib/settings-visit.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { until } from '../lib/until.ts'

describe('models', () => {
  test('that are built in are told as such, and work', async () => {
    await using opened = await visitSettings()
    expect(await opened.app.get<ModelsOverview>('/models')).toEqual({
      problem: null,
      language: { settings: null, model: null, uses: [], work: null },
      embedding: { settings: null, model: null, texts: null, is_changing: false, building: null, problems: [] },
      local: [expect.objectContaining({ name: 'minilm', is_installed: false, progress: null, problem: null })],
      reranker: { settings: null, model: null, answers_only: false },
    })
    expect(await opened.app.send<ModelTrials>('POST', '/models/test')).toMatchObject({
      trials: [{ kind: 'built-in', problem: null, ms: expect.any(Number) }],
    })
  })

  test('a language model is tested, then written to config.yaml and used; its key is in a private file', async () => {
    const said = { headline: 'Launch moved', people: ['Ada'], decisions: ['The launch is a week later.'] }
    await using server = await startOpenAiServer(() => said)
    await using opened = await visitSettings({ yaml: '# mine\nlog_level: warn\n' })
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
    const [name = ''] = keyFiles(home)
    expect(name).toMatch(/^language-model-/)
    const keyFile = join(home, 'tokens', name)
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

  test('a language model gets a price and a budget a month, which is tested with it', async () => {
    const said = { headline: 'Launch moved', people: ['Ada'], decisions: ['The launch is a week later.'] }
    await using server = await startOpenAiServer(() => said)
    const access = `provider: openai-compatible, model: qwen3, url: "${server.url}"`
    const yaml = `models:\n  language: {${access}, budget: {tokens_per_day: 50000}}\n`
    await using opened = await visitSettings({ yaml })
    const { app, home } = opened
    const settings = async () => (await app.get<ModelsOverview>('/models')).language.settings
    expect(await settings()).toMatchObject({ price: null, dollars_per_month: null, has_limits: true })

    const model = { provider: 'openai-compatible', model: 'qwen3', url: server.url }
    const price = { input: 0.15, output: 0.6 }
    const choose = (cost: object) => app.send<ModelTrial>('PUT', '/models/language', { ...model, ...cost })
    expect(await choose({ price, dollars_per_month: 31 })).toMatchObject({ problem: null })
    const config = () => readFileSync(homeFiles(home).config, 'utf8')
    expect(config()).toMatch(/dollars_per_month: 31\b/)
    expect(config()).toMatch(/tokens_per_day: 50000/)
    expect(await settings()).toMatchObject({ price, dollars_per_month: 31, has_limits: true })

    const saved = config()
    expect((await choose({ price, dollars_per_month: 0.001 })).problem).toMatch(/dollars_per_month must be/)
    const noPrice = await app.call('/models/language', { method: 'PUT', body: { ...model, price: null } })
    expect([noPrice.status, noPrice.body.detail]).toEqual([400, expect.stringMatching(/needs price/)])
    expect(config()).toBe(saved)

    expect(await choose({ price: null, dollars_per_month: null })).toMatchObject({ problem: null })
    expect(await settings()).toMatchObject({ price: null, dollars_per_month: null, has_limits: true })
    expect(config()).not.toMatch(/price|dollars/)
  })

  test('a stored key is sent to no other address', async () => {
    const said = { headline: 'Launch moved', people: ['Ada'], decisions: ['The launch is a week later.'] }
    await using server = await startOpenAiServer(() => said)
    await using other = await startOpenAiServer(() => said)
    const access = `provider: openai-compatible, url: "${server.url}", api_key: sk-very-secret`
    const yaml = `models:\n  language: {model: qwen3, ${access}}\n  embedding: {model: bge, dimensions: 8, ${access}}\n`
    await using opened = await visitSettings({ yaml })
    const { app } = opened
    const choice = { provider: 'openai-compatible', url: other.url }
    const embedding = { ...choice, model: 'bge', price_input: null }
    expect(await app.send<EmbeddingModelTrial>('POST', '/models/embedding/test', embedding)).toMatchObject({
      trial: { problem: null },
    })
    expect(await app.send<ModelTrial>('PUT', '/models/language', { ...choice, model: 'qwen3' })).toMatchObject({
      problem: null,
    })
    expect(other.chats.length * other.embeddings.length).toBeGreaterThan(0)
    expect(other.headers.filter(({ authorization }) => authorization !== undefined)).toEqual([])
  })

  test('the key of a provider is removed when a model of another one is chosen', async () => {
    const said = { headline: 'Launch moved', people: ['Ada'], decisions: ['The launch is a week later.'] }
    await using server = await startOpenAiServer(() => said)
    await using opened = await visitSettings()
    const { app, home } = opened
    const first = { provider: 'openai', model: 'gpt', url: server.url, api_key: 'sk-very-secret' }
    expect(await app.send<ModelTrial>('PUT', '/models/language', first)).toMatchObject({ problem: null })
    expect(keyFiles(home)).toHaveLength(1)
    const second = { provider: 'openai-compatible', model: 'qwen3', url: server.url }
    expect(await app.send<ModelTrial>('PUT', '/models/language', second)).toMatchObject({ problem: null })
    expect(keyFiles(home)).toEqual([])
  })

  test('a language model that cannot be meant is refused before anything is asked', async () => {
    await using opened = await visitSettings()
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

  test('a reranker of a provider is tested, used in the running service, exchanged and taken away again', async () => {
    await using server = await startOpenAiServer()
    const home = temporaryFolder()
    await using opened = await visitSettings({ yaml: '# mine\n', home })
    const { app } = opened
    const config = () => readFileSync(homeFiles(home).config, 'utf8')
    const ranking = async () => (await app.get<ModelsOverview>('/models')).reranker
    const choose = (choice: object) => app.send<RerankerTrial>('PUT', '/models/reranker', choice)
    const choice = { provider: 'cohere-compatible', model: 'rank-1', url: server.url, api_key: 'sk-very-secret' }

    server.rerank(() => ({ status: 401 }))
    expect((await choose(choice)).trial?.problem).toMatch(/rejected the key/)
    server.rerank(({ documents }) => documents.map(() => 0.5))
    expect((await choose(choice)).trial?.problem).toMatch(/does not prefer/)
    expect([config(), keyFiles(home)]).toEqual(['# mine\n', []])

    // Logits, as llama.cpp sends them.
    server.rerank(({ documents }) => documents.map((text) => (text.includes('launch') ? 4 : -4)))
    expect(await choose(choice)).toMatchObject({ trial: { kind: 'reranker', problem: null } })
    expect(server.headers.at(-1)?.authorization).toBe('Bearer sk-very-secret')
    expect(config()).not.toContain('sk-very-secret')
    expect(await ranking()).toEqual({
      settings: { provider: 'cohere-compatible', model: 'rank-1', url: server.url, has_key: true },
      model: 'cohere-compatible:rank-1',
      answers_only: false,
    })
    expect(await choose({ provider: 'cohere-compatible', model: 'rank-2', url: server.url })).toMatchObject({
      trial: { problem: null },
    })
    expect(server.headers.at(-1)?.authorization).toBe('Bearer sk-very-secret')
    expect((await ranking()).model).toBe('cohere-compatible:rank-2')

    expect(await choose({ provider: 'none' })).toEqual({ trial: null })
    expect(config()).toMatch(/reranker:\n +provider: none/)
    expect(await ranking()).toMatchObject({ model: null })
    expect(keyFiles(home)).toEqual([])
    expect(await choose({ provider: 'automatic' })).toEqual({ trial: null })
    expect(config()).toBe('# mine\n')
    expect((await choose({ provider: 'local', model: 'minilm' })).trial?.problem).toMatch(/minilm/)
    expect(config()).toBe('# mine\n')
  })

  test('an embedding model is tested with nothing of the memory, and says what embedding it takes', async () => {
    await using server = await startOpenAiServer()
    await using opened = await visitSettings({ yaml: '# mine\n' })
    const { app, home } = opened
    const config = () => readFileSync(homeFiles(home).config, 'utf8')
    await app.running.upload('The deployment of the shop is on Friday.', { itemId: 'shop' })
    const model = { provider: 'openai-compatible', model: 'bge', url: server.url, api_key: 'sk-very-secret' }
    const tested = await app.send<EmbeddingModelTrial>('POST', '/models/embedding/test', { ...model, price_input: 2 })
    expect(tested).toMatchObject({
      trial: { kind: 'embedding', model: 'openai-compatible:bge', problem: null },
      change: { texts: 1, tokens: expect.any(Number), dollars: expect.any(Number) },
    })
    expect(JSON.stringify(server.embeddings)).not.toContain('deployment')
    expect(config()).toBe('# mine\n')

    server.embed(() => ({ status: 401 }))
    const choose = (choice: object) => app.send<EmbeddingModelTrial>('PUT', '/models/embedding', choice)
    expect(await choose({ ...model, price_input: null })).toMatchObject({
      trial: { problem: expect.stringMatching(/rejected the key/) },
      change: null,
    })
    expect(config()).toBe('# mine\n')
    expect(keyFiles(home)).toEqual([])

    const member = await app.personFor({ role: 'owner' })
    const body = { ...model, price_input: null }
    for (const [method, path] of [
      ['POST', '/models/embedding/test'],
      ['PUT', '/models/embedding'],
    ] as const)
      expect((await member.call(path, { method, body })).status).toBe(403)
    expect((await app.call('/models/embedding', { method: 'DELETE' })).status).toBe(404)
    const anthropic = await app.call('/models/embedding', { method: 'PUT', body: { ...body, provider: 'anthropic' } })
    expect(anthropic.text).toMatch(/must be a supported provider/)
  })

  test('of one’s own are tried one by one, and say what is wrong with them', async () => {
    const said = { headline: 'Launch moved', people: ['Ada'], decisions: ['The launch is a week later.'] }
    await using server = await startOpenAiServer(() => said)
    server.embed(() => ({ status: 401 }))
    const access = `provider: openai-compatible, url: ${server.url}, api_key: sk-very-secret`
    const yaml = `models:\n  language: {model: qwen3, ${access}}\n  embedding: {model: bge, dimensions: 8, ${access}}\n`
    await using opened = await visitSettings({ yaml })
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

  test('are called by the names that variables give them', async () => {
    await using server = await startOpenAiServer()
    const yaml = `models:\n  embedding: {provider: openai-compatible, url: "${server.url}", model: "\${MODEL}", dimensions: 8}\n`
    await using opened = await visitSettings({ yaml, env: { MODEL: 'bge' } })
    expect((await opened.app.get<ModelsOverview>('/models')).embedding.problems).toMatchObject([
      { message: expect.stringContaining('openai-compatible:bge') },
    ])
  })

  test('are tested as config.yaml names them now, before a restart', async () => {
    await using server = await startOpenAiServer(() => ({ headline: 'Launch moved', people: [], decisions: [] }))
    await using opened = await visitSettings()
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
    await using opened = await visitSettings({ registry: `http://127.0.0.1:${await freePort()}` })
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

  test('that the server has room for are offered to administrators until one declines', async () => {
    await using opened = await visitSettings({ spareResources: () => ({ cores: 4, memoryBytes: 2_000_000_000 }) })
    const { app } = opened
    const member = await app.personFor({ role: 'owner' })
    const offered = async () => (await app.get<ModelsOverview>('/models')).local[0]?.is_offered
    expect(await offered()).toBe(hasEngine())
    expect((await member.get<ModelsOverview>('/models')).local).toEqual([])
    expect((await member.call('/models/local/minilm/offer', { method: 'DELETE' })).status).toBe(403)
    expect((await app.call('/models/local/minlm/offer', { method: 'DELETE' })).status).toBe(404)
    expect((await app.call('/models/local/minilm/offer', { method: 'DELETE' })).status).toBe(204)
    expect(await offered()).toBe(false)
  })

  test('are tried for administrators only', async () => {
    await using opened = await visitSettings()
    const owner = await opened.app.personFor({ role: 'owner' })
    expect((await owner.call('/models/test', { method: 'POST' })).status).toBe(403)
    expect((await owner.call('/backup', { method: 'POST' })).status).toBe(403)
    expect((await owner.get<ServerOverview>('/server')).home).toBeNull()
  })
})

/** The files with keys of models, by name. */
function keyFiles(home: string): string[] {
  const folder = join(home, 'tokens')
  return existsSync(folder) ? readdirSync(folder).toSorted() : []
}
