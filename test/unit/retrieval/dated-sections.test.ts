import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPipeline } from '../../../src/pipeline/pipeline.ts'
import { builtInEmbedder } from '../../lib/built-in-embedder.ts'
import { openToldMemory, type ToldMemory } from '../../lib/told-memory.ts'
import { sourceFile } from '../pipeline/parse/parse-source-file.ts'

const DIARY = `# Diary

## 2026-08-22

Gave up smoking. Day one, again.

## 2026-09-08

Interview at the music school. They made me explain walking bass to an eight-year-old.

## Sunday, 13 September 2026

Sold the Rickenbacker to a boy from Cardiff for £1,450.

### Evening

Collected Joris at the station yesterday, and we talked about the wedding until midnight.

## 2026-11-17 – rehearsal

Played Ropewalk with the new drummer, twice too fast.

## Launch on 17 March 2026

The album is called Low Water.
`

describe('a diary', () => {
  let memory: ToldMemory
  beforeAll(async () => {
    memory = await openToldMemory(
      [{ form: 'chat', at: '2026-11-02T10:00:00Z', speaker: 'Hanne', text: 'The piano tuner comes on Friday.' }],
      [{ itemId: 'diary', text: DIARY }],
    )
  })
  afterAll(() => memory.close())

  test.each([
    ['When did I sell the Rickenbacker?', '13 September 2026'],
    ['When did I collect Joris at the station?', '12 September 2026'],
    ['When did I give up smoking?', '22 August 2026'],
  ])('answers %s', async (question, day) => {
    const { response } = await memory.ask(question)
    expect(response.split('\n')[0]).toContain(day)
  })

  test.each([
    ['What did I do last Tuesday?', 'Ropewalk'],
    ['What did I do on 8 September?', 'walking bass'],
  ])('answers %s with the entry of that day', async (question, words) => {
    const { response } = await memory.ask(question)
    expect(response).toContain(words)
    expect(response).not.toContain('Rickenbacker')
  })

  test('has nothing of a day without an entry', async () => {
    expect((await memory.ask('What did I do on 10 September?')).response).not.toContain('walking bass')
  })
})

describe('the chunks and memories of a diary', () => {
  const run = async (head = '') => {
    const embedder = await builtInEmbedder()
    return createPipeline({ embedder }).run(sourceFile(`${head}${DIARY}`, { timeZone: 'UTC', fileName: 'diary.md' }))
  }

  test('are of the day of their section', async () => {
    const { chunks, memories, when } = await run()
    const dayOf = (words: string) =>
      chunks
        .find(({ text }) => text.includes(words))
        ?.at?.toISOString()
        .slice(0, 10)
    expect(dayOf('smoking')).toBe('2026-08-22')
    expect(dayOf('Joris')).toBe('2026-09-13')
    expect(dayOf('Low Water')).toBeUndefined()
    const entry = memories.find(({ content }) => content.body?.includes('Rickenbacker'))
    expect(entry?.when).toEqual({ start: new Date('2026-09-13'), precision: 'day' })
    expect(entry?.content.body).not.toContain('walking bass')
    expect(memories[0]?.content.headline).toBe('Gave up smoking')
    expect(when).toEqual({ start: new Date('2026-08-22'), end: new Date('2026-11-17'), precision: 'day' })
  })

  test('resolve relative words from that day', async () => {
    const { memories } = await run()
    const entry = memories.find(({ content }) => content.body?.includes('Joris'))
    expect(entry?.content.when).toBe('13 September 2026 (about 12 September 2026)')
  })

  test('are of the day of the document outside of these sections', async () => {
    const { memories } = await run('---\nwhen: 2026-10\n---\n')
    const other = memories.find(({ content }) => content.body?.includes('Low Water'))
    expect(other?.when).toEqual({ start: new Date('2026-10-01'), precision: 'month' })
  })
})
