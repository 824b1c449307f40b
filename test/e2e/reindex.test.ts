import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenAiServer, startOpenAiServer, wordVector } from '../fakes/openai-server.ts'
import { type RunningCommand, runCommand, startCommand, startUp } from '../lib/command-line.ts'
import { until } from '../lib/until.ts'

/** One home for the whole file: a person changes the embedding model and back, in order. */
let home: string
let model: OpenAiServer
let service: RunningCommand

const NOTES = {
  caching: 'We cache prices in Valkey because the catalogue is read a thousand times a second.',
  garden: 'The tomatoes behind the house need water every evening in July.',
  travel: 'The night train to Lisbon leaves at nine and arrives in the morning.',
  cello: 'Mara plays the cello in an orchestra and practises on Sundays.',
}
const NAME = 'openai-compatible:words'

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'recalld-test-'))
  model = await startOpenAiServer()
  service = await startUp({ RECALLD_HOME: home })
  mkdirSync(join(home, 'notes'))
  for (const [name, text] of Object.entries(NOTES)) await upload(name, text)
})

afterAll(async () => {
  await service.stop()
  await model.goDown()
  rmSync(home, { recursive: true, force: true })
})

const run = (...args: string[]) => runCommand(args, { RECALLD_HOME: home })

async function json(...args: string[]) {
  const { code, stdout, stderr } = await run(...args, '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

async function upload(itemId: string, text: string): Promise<void> {
  const file = join(home, 'notes', `${itemId}.txt`)
  writeFileSync(file, text)
  await json('memorize', file, '--item-id', itemId)
  await until(async () => {
    const { files } = await json('list')
    return files.some((file: { item_id: string; status: string }) => file.item_id === itemId && file.status === 'ready')
  })
}

async function restart(config: string): Promise<void> {
  await service.stop()
  writeFileSync(join(home, 'config.yaml'), config)
  service = await startUp({ RECALLD_HOME: home })
}

const withModel = (name: string) => `models:
  embedding: {provider: openai-compatible, model: ${name}, url: "${model.url}", dimensions: 8, price: {input: 0.02}}
`
const sent = () => model.embeddings.flatMap(({ input }) => input)

test('golden questions are kept with their items, and asked', async () => {
  expect(await json('golden', 'add', 'where do we cache prices', '--item', 'text/caching')).toEqual({ number: 1 })
  const question = 'when does the train to Lisbon leave'
  const add = (stdin: string) =>
    runCommand(['golden', 'add', question, '--from-recall'], { RECALLD_HOME: home }, { stdin })
  expect(await add('2000\n')).toMatchObject({ code: 1, stderr: expect.stringContaining('Enter numbers from') })
  expect(await add('')).toMatchObject({ code: 1, stderr: expect.stringContaining('no question was added') })
  const chosen = await add('1\n')
  expect(chosen.stderr).toContain(' 1  text/travel\n')
  expect(chosen.stdout).toBe('Added golden question 2.\n')
  const missing = await run('golden', 'add', 'who', '--item', 'text/nobody')
  expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining("Item text/nobody doesn't exist") })
  const asked = await json('golden', 'run', '--check')
  expect(asked).toMatchObject({ asked: 2, found_in_10: 2, mean_reciprocal_rank: 1, without_item: 0 })
  expect(asked.questions).toMatchObject([
    { number: 1, rank: 1 },
    { number: 2, rank: 1 },
  ])
})

test('a model that is only configured changes nothing but a hint', async () => {
  await restart(withModel('words'))
  const { stdout } = await run('status')
  expect(stdout).toContain('Recall uses the built-in model.')
  expect(stdout).toContain(`The embedding model in config.yaml is ${NAME}`)
  expect(stdout).toContain('Run "recalld reindex" to switch.')
  expect(stdout).toContain('Golden questions: 2 of 2 found in the top 10.')
  expect(await json('recall', 'where do we cache prices')).not.toHaveProperty('notice')
  expect(sent()).toEqual([])
})

test('a dry run says what it would cost and sends nothing of the memory', async () => {
  const estimate = await json('reindex', '--dry-run')
  const characters = Object.values(NOTES).join('').length
  expect(estimate).toMatchObject({ model: { name: NAME }, texts: 4, characters, tokens: Math.ceil(characters / 4) })
  expect(estimate.dollars).toBeCloseTo((estimate.tokens / 1e6) * 0.02)
  expect(sent().some((text) => Object.values(NOTES).includes(text))).toBe(false)
  expect((await run('reindex', '--dry-run')).stdout).toMatch(/4 texts, about \d+ tokens, \$0\.0000, about 1 s/)
})

test('the vectors are made beside the old ones, compared, and switched to', async () => {
  const built = await json('reindex', '--no-switch')
  expect(built).toMatchObject({ switched: false, active: { is_built_in: true }, building: { name: NAME } })
  expect(built.comparison).toMatchObject([{ before: { asked: 2 }, after: { asked: 2 }, clearly_worse: false }])
  const texts = sent().filter((text) => Object.values(NOTES).includes(text))
  expect(texts.sort()).toEqual(Object.values(NOTES).sort())
  const switched = await json('reindex', '--switch')
  expect(switched).toMatchObject({ switched: true, active: { name: NAME }, previous: { is_built_in: true } })
  expect(await json('recall', 'night train')).not.toHaveProperty('notice')
  expect(sent().at(-1)).toBe('night train')
  expect((await run('reindex')).stdout).toContain(`Recall uses ${NAME}.`)
})

test('what is uploaded from now on gets a vector of the new model', async () => {
  await upload('bread', 'The bakery on the corner sells rye bread.')
  await until(async () => {
    const { embedding } = await json('status')
    return embedding.texts.all === 5 && embedding.texts.embedded === 5
  })
  expect(sent()).toContain('The bakery on the corner sells rye bread.')
})

test('while the model is away questions are answered with the built-in one, and the answer says so', async () => {
  await model.goDown()
  const recalled = await run('recall', 'where do we cache prices')
  expect(recalled.stdout).toContain('Valkey')
  expect(recalled.stderr).toContain("isn't responding")
  expect((await run('ask', 'Where do we cache prices?')).stderr).toContain("isn't responding")
  expect(await json('recall', 'night train')).toMatchObject({ notice: expect.stringContaining('built-in') })
  const asked = await run('golden', 'run')
  expect(asked.stderr).toContain("This run isn't saved.")
  await model.comeBack()
  expect((await json('golden', 'list')).questions).toHaveLength(2)
})

test('an item that was forgotten leaves its question without one', async () => {
  await run('forget', 'caching', '--source-type', 'text')
  expect(await json('golden', 'run', '--check')).toMatchObject({ asked: 1, without_item: 1 })
  expect((await run('golden', 'list')).stdout).toContain('text/caching (deleted)')
  expect(await json('golden', 'remove', '1')).toEqual({ removed: 1 })
  expect((await run('golden', 'remove', '1')).code).toBe(1)
})

test('the way back leads to the old vectors, and forth again without sending a text twice', async () => {
  const back = await run('reindex', '--rollback')
  expect(back.stdout).toContain('Recall now uses the built-in model.')
  expect(back.stderr).toContain(`config.yaml still names ${NAME}`)
  expect(await json('recall', 'night train')).not.toHaveProperty('notice')
  const before = sent().length
  expect(await json('reindex')).toMatchObject({ switched: true, active: { name: NAME } })
  expect(sent().slice(before)).not.toContain(NOTES.travel)
})

test('another model takes its place, and the one before is kept until it is dropped', async () => {
  await restart(withModel('others'))
  const recalled = await run('recall', 'night train')
  expect(recalled.stdout).toContain('Lisbon')
  expect(recalled.stderr).toContain('reindex the memory')
  const text = await run('reindex')
  expect(text.code).toBe(0)
  expect(text.stdout).toMatch(/before: 1 of 1 found in the top 10.*\n {2}after: {2}1 of 1/)
  expect(text.stdout).toContain(`Run "recalld reindex --rollback" to switch back to ${NAME}.`)
  expect(await json('reindex', '--drop')).toMatchObject({ dropped: [{ name: NAME }] })
  expect(await json('reindex')).toMatchObject({ switched: false, previous: { is_built_in: true } })
})

test('without a model in config.yaml it is the built-in one again, at once', async () => {
  await restart('')
  expect((await run('recall', 'night train')).stderr).toContain('not configured')
  const asked = sent().length
  expect(await json('reindex')).toMatchObject({ switched: true, active: { is_built_in: true } })
  expect(await json('recall', 'night train')).not.toHaveProperty('notice')
  expect(sent()).toHaveLength(asked)
  expect(await json('reindex', '--drop')).toMatchObject({ dropped: [{ name: 'openai-compatible:others' }] })
  const nothing = await run('reindex', '--rollback')
  expect(nothing).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no previous embedding space to switch back to'),
  })
})

test('a stop ends it at once, and says how to go on', async () => {
  const isNote = (text: string) => Object.values(NOTES).includes(text)
  model.embed(({ input }) => (input.some(isNote) ? { broken: 'slow' } : input.map((text) => wordVector(text, 8))))
  writeFileSync(join(home, 'config.yaml'), withModel('slow'))
  const asked = sent().length
  const command = startCommand(['reindex'], { RECALLD_HOME: home })
  await until(async () => sent().slice(asked).some(isNote))
  expect(await command.stop()).toMatchObject({ code: 1, stderr: 'recalld: Stopped. Run it again to resume.\n' })
})
