import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openLocalEmbedder } from '../../src/models/local/local-embedder.ts'
import { ENGINE, LOCAL_MODELS } from '../../src/models/local/local-models.ts'
import { openLocalReranker } from '../../src/models/local/local-reranker.ts'
import { archiveName } from '../../src/models/local/npm-package.ts'
import { EMBEDDING_SETTINGS, RERANKER_SETTINGS } from '../../src/models/model-settings.ts'
import { type RunningCommand, runCommand, startUp } from '../lib/command-line.ts'
import { until } from '../lib/until.ts'

const ARCHIVES = [...ENGINE, LOCAL_MODELS.minilm.weights].map(archiveName)
const folder = process.env.RECALLD_TEST_MODELS
const isMissing = folder === undefined && !process.env.CI
if (isMissing)
  console.warn(`Local models are not tested: RECALLD_TEST_MODELS names no folder with ${ARCHIVES.join(', ')}`)

const NOTES = {
  doctor: 'The physician told me to take the tablets after breakfast.',
  garden: 'The tomatoes behind the house need water every evening in July.',
  travel: 'The night train to Lisbon leaves at nine and arrives in the morning.',
}

/** One home for the whole file: a person adds a model, asks, and removes it, in order. */
describe.skipIf(isMissing)('a local model', () => {
  let home: string
  let service: RunningCommand | undefined

  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), 'recalld-test-'))
  })
  afterAll(async () => {
    await service?.stop()
    rmSync(home, { recursive: true, force: true })
  })

  const run = (...args: string[]) => runCommand(args, { RECALLD_HOME: home })
  const status = async () => (await run('status')).stdout

  async function json(...args: string[]) {
    const { code, stdout, stderr } = await run(...args, '--json')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return JSON.parse(stdout)
  }

  test('needs files that are all there, and unchanged', async () => {
    const partial = join(home, 'partial')
    mkdirSync(partial)
    const without = await run('models', 'add', 'minilm', '--from', partial)
    expect(without.code).toBe(1)
    expect(without.stderr).toContain(`has no ${ARCHIVES[0]}`)
    expect(without.stderr).toContain('Download https://registry.npmjs.org/onnxruntime-node/-/')
    for (const name of ARCHIVES.slice(0, 2)) copyFileSync(join(folder!, name), join(partial, name))
    writeFileSync(join(partial, ARCHIVES[2]!), readFileSync(join(folder!, ARCHIVES[1]!)))
    const other = await run('models', 'add', 'minilm', '--from', partial)
    expect(other.stderr).toContain(`${ARCHIVES[2]} is not the file that was published`)
    expect(existsSync(join(home, 'models', 'minilm'))).toBe(false)
    expect(readFileSync(join(home, 'config.yaml'), 'utf8')).not.toMatch(/^models:/m)
  })

  test('is used from the first start on when it is installed before', async () => {
    const added = await run('models', 'add', 'minilm', '--from', folder!)
    expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining('It will be used from the first start.') })
    expect(await json('models', 'list')).toMatchObject([{ name: 'minilm', is_installed: true, is_configured: true }])
    service = await startUp({ RECALLD_HOME: home })
    expect(await status()).toContain('Recall uses local:minilm.')
  })

  test('finds what is said in other words', async () => {
    mkdirSync(join(home, 'notes'))
    for (const [name, text] of Object.entries(NOTES)) {
      writeFileSync(join(home, 'notes', `${name}.txt`), text)
      await json('memorize', join(home, 'notes', `${name}.txt`), '--item-id', name)
    }
    await until(async () => {
      const { files } = await json('list')
      return files.every(({ status: state }: { status: string }) => state === 'ready')
    })
    await until(async () => !(await status()).includes('waiting for a vector'))
    const { memories } = await json('recall', 'what did the doctor say about my medication')
    expect(memories[0]).toMatchObject({ item_id: 'doctor' })
  })

  test('reads a long text beyond what it takes at once', async () => {
    const settings = EMBEDDING_SETTINGS.parse({ provider: 'local', model: 'minilm' })
    const embedder = await openLocalEmbedder({ ...settings, model: 'minilm' }, join(home, 'models'))
    const start = 'The minutes of the meeting go on about the budget. '.repeat(40)
    const vectors = await embedder.embed([NOTES.doctor, start, `${start}${NOTES.doctor}`])
    await embedder.close()
    const [doctor, without, withNote] = vectors
    const cosine = (vector: Float32Array) => vector.reduce((sum, value, i) => sum + value * doctor![i]!, 0)
    expect(cosine(withNote!)).toBeGreaterThan(cosine(without!) + 0.05)
  })

  test('may be closed while it reads, as often as one likes', async () => {
    const settings = EMBEDDING_SETTINGS.parse({ provider: 'local', model: 'minilm' })
    for (let round = 0; round < 3; round++) {
      const embedder = await openLocalEmbedder({ ...settings, model: 'minilm' }, join(home, 'models'))
      const reading = embedder.embed([NOTES.doctor.repeat(100), NOTES.garden])
      await Promise.all([expect(reading).rejects.toMatchObject({ code: 'unavailable' }), embedder.close()])
    }
  })

  test('brings a reranker that puts the passage first which answers, also by the turn before it', async () => {
    const settings = RERANKER_SETTINGS.parse({ provider: 'local', model: 'minilm' })
    const reranker = await openLocalReranker({ ...settings, model: 'minilm' }, join(home, 'models'))
    const passages = [
      { text: 'Jon: My sister is in Porto, we talk a lot.' },
      { text: 'Jon: Yes, in Lisbon, for three years.' },
      { text: 'Jon: Yes, in Lisbon, for three years.', before: 'Ada: Did you live abroad with your sister?' },
      { text: 'Ada: The weather was awful yesterday.' },
    ]
    const [porto, alone, replied, weather] = await reranker.rerank('Where did Jon live with his sister?', passages)
    await reranker.close()
    expect(replied).toBeGreaterThan(Math.max(porto!, alone!))
    expect(alone).toBeGreaterThan(weather!)
  })

  const reranked = async () => {
    const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(service!.stdout())!
    const metrics = await (await fetch(`${address}/metrics`)).text()
    return Number(/recalld_model_calls_total{purpose="rerank",outcome="ok"} (\d+)/.exec(metrics)?.[1] ?? 0)
  }
  const asked = async () => {
    const before = await reranked()
    await json('ask', 'when does the night train to Lisbon leave?')
    return (await reranked()) - before
  }

  test('orders the passages that answers are made from', async () => {
    expect(await asked()).toBe(1)
  })

  test('goes again: recall returns to the built-in model, and nothing of it is left', async () => {
    const removed = await run('models', 'remove', 'minilm')
    expect(removed).toMatchObject({ code: 0, stdout: expect.stringContaining('Recall uses the built-in model.') })
    expect(await json('models', 'list')).toMatchObject([{ name: 'minilm', is_installed: false, is_configured: false }])
    expect(existsSync(join(home, 'models', 'minilm'))).toBe(false)
    expect((await run('models', 'remove', 'minilm')).stdout).toBe('minilm is not installed.\n')
    const { memories } = await json('recall', 'tomatoes in July')
    expect(memories[0]).toMatchObject({ item_id: 'garden' })
    await until(async () => (await asked()) === 0)
  })

  test('comes back to a memory with texts: its vectors are built, compared and used', async () => {
    await json('golden', 'add', 'when does the train leave', '--item', 'text/travel')
    const added = await run('models', 'add', 'minilm', '--from', folder!)
    expect(added).toMatchObject({ code: 0, stdout: expect.stringContaining('Recall now uses local:minilm.') })
    // The running service has loaded it by itself, or loads it within a second.
    await until(async () => (await run('recall', 'what did the doctor say about my medication')).stderr === '')
    const { memories } = await json('recall', 'what did the doctor say about my medication')
    expect(memories[0]).toMatchObject({ item_id: 'doctor' })
    expect(await status()).not.toContain('reindex')
    await until(async () => (await asked()) === 1)
    const again = await run('models', 'add', 'minilm', '--from', folder!)
    expect(again).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^minilm is already installed\.\n/),
      stderr: '',
    })
    rmSync(join(home, 'models', 'minilm', 'reranker.onnx'))
    expect((await run('models', 'add', 'minilm', '--from', folder!)).code).toBe(0)
    expect(existsSync(join(home, 'models', 'minilm', 'reranker.onnx'))).toBe(true)
    // The service may be exchanging it for the new one.
    await until(async () => (await asked()) === 1)
  })
})

test('a model that is not there is named with the one that is meant', async () => {
  const home = mkdtempSync(join(tmpdir(), 'recalld-test-'))
  const added = await runCommand(['models', 'add', 'minlm'], { RECALLD_HOME: home })
  expect(added).toMatchObject({ code: 1, stderr: expect.stringContaining('Did you mean minilm?') })
  rmSync(home, { recursive: true, force: true })
})
