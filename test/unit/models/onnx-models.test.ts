import { createReadStream, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { EMBEDDING_SETTINGS, RERANKER_SETTINGS } from '../../../src/models/model-settings.ts'
import { onnxStart, openOnnxEmbedder, openOnnxReranker } from '../../../src/models/onnx/onnx-models.ts'
import { OnnxRunner } from '../../../src/models/onnx/onnx-runner.ts'
import {
  TINY_DIMENSIONS,
  tinyVector,
  transformersPackage,
  writeEmbeddingModel,
  writeReranker,
} from '../../lib/onnx-models.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

const WORDS = ['lunch', 'moved', 'to', 'friday', 'rain', 'query', 'passage', ':']

const address = transformersPackage()
const isMissing = address === undefined && !process.env.CI
if (isMissing) {
  console.warn('ONNX models are not tested: RECALLD_TEST_TRANSFORMERS names no folder with @huggingface/transformers')
}

function embeddingModel(words = WORDS): string {
  const folder = join(temporaryFolder(), 'tiny')
  writeEmbeddingModel(folder, words)
  return folder
}

async function embedder(settings: object, cacheFolder = '/nowhere') {
  const parsed = EMBEDDING_SETTINGS.parse({ provider: 'onnx', ...settings })
  const opened = await openOnnxEmbedder(parsed, { cacheFolder, package: address })
  onTestFinished(() => opened.close())
  return opened
}

async function reranker(settings: object) {
  const parsed = RERANKER_SETTINGS.parse({ provider: 'onnx', ...settings })
  const opened = await openOnnxReranker(parsed, { cacheFolder: '/nowhere', package: address })
  onTestFinished(() => opened.close())
  return opened
}

/** The mean of the words' vectors, of length 1. */
function meanOf(...words: string[]): number[] {
  const sum = Array.from({ length: TINY_DIMENSIONS }, (_, i) =>
    words.reduce((total, word) => total + tinyVector(word)[i]!, 0),
  )
  const length = Math.hypot(...sum)
  return sum.map((value) => value / length)
}

function expectVector(found: Float32Array | undefined, wanted: number[]): void {
  for (const [index, value] of wanted.entries()) expect(found?.[index]).toBeCloseTo(value, 5)
}

describe.skipIf(isMissing)('an embedder of a folder with an ONNX model', () => {
  test('gives each text the normalised mean of its tokens, and zeros where there is nothing', async () => {
    const model = await embedder({ model: embeddingModel() })
    const texts = ['Lunch moved', ' ', ...new Array<string>(20).fill('rain'), 'friday']
    const vectors = await model.embed(texts)
    expect(vectors).toHaveLength(23)
    expectVector(vectors[0], meanOf('lunch', 'moved'))
    expect(vectors[1]?.every((value) => value === 0)).toBe(true)
    expectVector(vectors[2], meanOf('rain'))
    expectVector(vectors[22], meanOf('friday'))
    expect(model.space.dimensions).toBe(TINY_DIMENSIONS)
  })

  test('puts the prefix before a question and another before a passage, and cuts what is too long', async () => {
    const settings = {
      model: embeddingModel(),
      query_prefix: 'query: ',
      passage_prefix: 'passage: ',
      max_characters: 100,
    }
    const model = await embedder(settings)
    const [question] = await model.embed(['lunch'], { purpose: 'query' })
    const [passage, long] = await model.embed(['lunch', `lunch${' '.repeat(95)}rain`])
    expectVector(question, meanOf('query', ':', 'lunch'))
    expectVector(passage, meanOf('passage', ':', 'lunch'))
    expectVector(long, meanOf('passage', ':', 'lunch'))
  })

  test('is of another space when its files, its prefixes or its pooling change, and else of the same', async () => {
    const folder = embeddingModel()
    const spaceOf = async (settings: object) => (await embedder(settings)).space.id
    const first = await spaceOf({ model: folder })
    expect(first).toMatch(/^onnx:tiny:12:/)
    expect(await spaceOf({ model: folder, max_batch: 4 })).toBe(first)
    const others = [{ query_prefix: 'query: ' }, { pooling: 'cls' }].map((other) =>
      spaceOf({ model: folder, ...other }),
    )
    const changed = spaceOf({ model: embeddingModel(WORDS.toReversed()) })
    expect(new Set([first, ...(await Promise.all([...others, changed]))]).size).toBe(4)
  })

  test('says which file a folder lacks', async () => {
    const folder = embeddingModel()
    await expect(embedder({ model: folder, dtype: 'q8' })).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining(`${folder} has no ${join('onnx', 'model_quantized.onnx')}`),
    })
    await expect(embedder({ model: temporaryFolder() })).rejects.toMatchObject({ code: 'invalid' })
  })

  test('says that a file is no model', async () => {
    const folder = embeddingModel()
    writeFileSync(join(folder, 'onnx/model.onnx'), 'not a model')
    await expect(embedder({ model: folder })).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining(`The model in ${folder} can't be loaded`),
    })
  })

  test('gives up a call whose signal is aborted, and goes on with the others', async () => {
    const model = await embedder({ model: embeddingModel() })
    const gone = new AbortController()
    const given = model.embed(['lunch', 'rain'], { signal: gone.signal })
    gone.abort(new Error('nobody waits'))
    await expect(given).rejects.toThrow('nobody waits')
    expectVector((await model.embed(['rain']))[0], meanOf('rain'))
    await expect(model.embed(['rain'], { signal: gone.signal })).rejects.toThrow('nobody waits')
  })

  test('rejects what is asked of it after it was closed', async () => {
    const model = await embedder({ model: embeddingModel() })
    await model.close()
    await expect(model.embed(['rain'])).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('closed'),
    })
  })
})

describe.skipIf(isMissing)('an embedder of the hub', () => {
  test('is downloaded once, kept in the folder for it, and found there without a network', async () => {
    const files = embeddingModel()
    await using hub = await startHub({ 'acme/tiny': files })
    const cache = join(temporaryFolder(), 'models')
    const first = await embedder({ model: 'acme/tiny', url: hub.url }, cache)
    expect(existsSync(join(cache, 'acme/tiny/onnx/model.onnx'))).toBe(true)
    await hub.stop()
    const second = await embedder({ model: 'acme/tiny', url: hub.url }, cache)
    expect(second.space).toEqual(first.space)
    expectVector((await second.embed(['lunch']))[0], meanOf('lunch'))
  })

  test('that cannot be reached, or does not know the model, says so', async () => {
    await using hub = await startHub({})
    const unavailable = {
      code: 'unavailable',
      message: expect.stringContaining("acme/none can't be loaded from the hub"),
    }
    const open = () => embedder({ model: 'acme/none', url: hub.url }, join(temporaryFolder(), 'models'))
    await expect(open()).rejects.toMatchObject(unavailable)
    await hub.stop()
    await expect(open()).rejects.toMatchObject(unavailable)
  })
})

describe.skipIf(isMissing)('a reranker of a folder with an ONNX model', () => {
  test('reads a question together with each passage, in any number', async () => {
    const folder = join(temporaryFolder(), 'cross')
    writeReranker(folder, WORDS)
    const model = await reranker({ model: folder })
    const passages = ['Lunch moved to Friday', 'rain', 'lunch', ...new Array<string>(10).fill('rain'), 'friday lunch']
    const scores = await model.rerank(
      'friday lunch',
      passages.map((text) => ({ text })),
    )
    const sigmoid = (logit: number) => 1 / (1 + Math.exp(-logit))
    expect(scores).toHaveLength(14)
    expect([0, 1, 2, 13].map((index) => scores[index])).toEqual(
      [4, -2, 1, 4].map((logit) => expect.closeTo(sigmoid(logit), 5)),
    )
    expect(model.id).toMatch(/^onnx:cross:[0-9a-f]{12}$/)
    expect(await model.rerank('lunch', [])).toHaveLength(0)
  })
})

/** A package whose model does what its text says. */
const UNRULY = `
export const env = {}
export const LogLevel = { NONE: 50 }
export const pipeline = async () => async ([text]) => {
  if (text === 'abort') process.abort()
  if (text === 'crash') setImmediate(() => { throw new Error('SECRET') })
  if (text === 'crash' || text === 'hang') return new Promise((resolve) => setTimeout(resolve, 1e6))
  if (text === 'fail') throw new Error('SECRET')
  return { dims: [1, 2], data: [3, 4] }
}`

describe('the process of a model', () => {
  function runner(timeoutMs = 60_000) {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'onnx'))
    for (const file of ['config.json', 'onnx/model.onnx']) writeFileSync(join(folder, file), '{}')
    const unruly = join(folder, 'unruly.mjs')
    writeFileSync(unruly, UNRULY)
    const started = new OnnxRunner(
      onnxStart('embed', { model: folder }, { cacheFolder: folder, package: unruly }),
      timeoutMs,
    )
    onTestFinished(() => started.close())
    const run = (text: string, urgent = false) =>
      started.run({ type: 'embed', texts: [text] }, { urgent, signal: undefined })
    return { run, open: () => started.open(), close: () => started.close() }
  }

  test.each([
    ['throws', 'crash'],
    ['aborts', 'abort'],
  ])('that %s fails what it was at, and is started again for what waits', async (_, text) => {
    const { open, run } = runner()
    await open()
    const [crashed, next] = await Promise.allSettled([run(text), run('fine')])
    expect(crashed).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } })
    expect(next).toMatchObject({ status: 'fulfilled', value: Float32Array.of(3, 4) })
    expect(await run('again')).toEqual(Float32Array.of(3, 4))
  })

  test('that does not answer in time is ended, and started again', async () => {
    const { open, run } = runner(1_000)
    await open()
    await expect(run('hang')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('within 1 s'),
    })
    expect(await run('fine')).toEqual(Float32Array.of(3, 4))
  })

  test('that fails says nothing of the text, and goes on', async () => {
    const { open, run } = runner()
    await open()
    const error = await run('fail').catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'unavailable', message: expect.not.stringContaining('SECRET') })
    expect(await run('fine')).toEqual(Float32Array.of(3, 4))
  })

  test('that is closed rejects what it is at and what waits', async () => {
    const { open, run, close } = runner()
    await open()
    const asked = [run('hang'), run('fine')]
    await close()
    const closed = { status: 'rejected', reason: { code: 'unavailable', message: expect.stringContaining('closed') } }
    expect(await Promise.allSettled(asked)).toMatchObject([closed, closed])
  })

  test('answers questions before passages that were there first', async () => {
    const { open, run } = runner()
    await open()
    const order: string[] = []
    const note = (name: string) => () => void order.push(name)
    await Promise.all([
      run('first').then(note('first')),
      run('passage').then(note('passage')),
      run('question', true).then(note('question')),
    ])
    expect(order).toEqual(['first', 'question', 'passage'])
  })
})

/** As much of the Hugging Face hub as serves files. @param models folders by name */
async function startHub(models: Readonly<Record<string, string>>) {
  const server = createServer((request, response) => {
    const [, name, file] = /^\/(\w+\/\w+)\/resolve\/main\/(.+)$/.exec(request.url ?? '') ?? []
    const path = join(models[name ?? ''] ?? '/nowhere', file ?? '')
    if (!existsSync(path)) response.writeHead(404).end()
    else if (request.method === 'HEAD') response.end()
    else createReadStream(path).pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = async () => {
    server.closeAllConnections()
    if (server.listening) await new Promise((resolve) => server.close(resolve))
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop, [Symbol.asyncDispose]: stop }
}
