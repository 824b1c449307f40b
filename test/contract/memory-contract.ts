import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Memory } from '../../src/domain/memory.ts'
import type { SourceType } from '../../src/domain/source-type.ts'
import { describeMemoryFilters } from './memory-filters-contract.ts'

/** A memory to test, and what has to be done around it. */
export interface MemoryUnderTest {
  /** With access to every source. */
  readonly memory: Memory
  /** Of the same account, with access to some sources. */
  withSources(sources: readonly SourceType[]): Promise<Memory>
  stop(): Promise<void>
}

/** What every implementation of `Memory` keeps, whoever is behind it. */
export function memoryContract(name: string, start: () => Promise<MemoryUnderTest>): void {
  describe(`Memory: ${name}`, () => {
    let under: MemoryUnderTest
    let memory: Memory
    beforeAll(async () => {
      under = await start()
      memory = under.memory
    })
    afterAll(() => under.stop())

    const bytes = (text: string) => new TextEncoder().encode(text)
    const upload = (text: string, more: Partial<Parameters<Memory['memorize']>[0]> = {}) =>
      memory.memorize({ body: bytes(text), fileName: 'note.md', userName: 'Ada Lovelace', ...more })
    const ready = async (itemId: string, sourceType: SourceType = 'text') =>
      expect
        .poll(async () => (await memory.list({ sourceType })).files.find(({ item_id }) => item_id === itemId)?.status, {
          interval: 10,
        })
        .toBe('ready')

    test('what is memorized is recalled, with what the specification says of each memory', async () => {
      const result = await upload('I sold the blue bicycle to Grace in Lisbon.', { itemId: 'bicycle' })
      expect(result).toEqual({
        status: 'success',
        item_id: 'bicycle',
        user_id: expect.any(String),
        workflow_execution: expect.any(String),
      })
      await ready('bicycle')
      const { trace_id, memories } = await memory.recall({ text: 'Who bought the blue bicycle?' })
      expect(trace_id).toMatch(/^[0-9a-f-]{36}$/)
      const [best] = memories
      expect(best).toMatchObject({
        item_id: 'bicycle',
        source: 'text',
        custom_id: expect.stringMatching(/^bicycle_memory_\d+$/),
      })
      expect(best?.content.body).toContain('blue bicycle')
      expect(best?.score).toBeGreaterThan(0)
      expect(best?.score).toBeLessThanOrEqual(1)
    })

    test('without an item_id each upload gets one of its own', async () => {
      const [one, two] = [await upload('I sing.'), await upload('I sing.')]
      expect(one.item_id).not.toBe(two.item_id)
    })

    test('an item that exists is a conflict, in its own source only', async () => {
      await upload('I am here.', { itemId: 'taken' })
      await expect(upload('I am here.', { itemId: 'taken' })).rejects.toMatchObject({
        name: 'AppError',
        code: 'conflict',
        message: expect.stringContaining('taken'),
      })
      await upload('I am elsewhere.', { itemId: 'taken', sourceType: 'books' })
    })

    test('memorizing the same bytes with replace changes nothing, other bytes replace', async () => {
      await upload('I live in Porto.', { itemId: 'home', sourceType: 'contacts' })
      await ready('home', 'contacts')
      const [before] = (await memory.list({ sourceType: 'contacts' })).files
      await upload('I live in Porto.', { itemId: 'home', sourceType: 'contacts', onConflict: 'replace' })
      expect((await memory.list({ sourceType: 'contacts' })).files).toEqual([before])
      await upload('I live in Braga.', { itemId: 'home', sourceType: 'contacts', onConflict: 'replace' })
      await ready('home', 'contacts')
      const { body } = await memory.download({ itemId: 'home', sourceType: 'contacts' })
      expect(new TextDecoder().decode(body)).toBe('I live in Braga.')
    })

    test('a download has the original bytes, name and type', async () => {
      const body = bytes('# Ærøskøbing\r\n\r\nI sailed there. 🚢\n')
      const fileName = 'båd "tur" 計画.md'
      await memory.memorize({ body, fileName, contentType: 'text/markdown', userName: 'Ada', itemId: 'sail' })
      const file = await memory.download({ itemId: 'sail' })
      expect(new Uint8Array(file.body)).toEqual(body)
      expect(file.fileName).toBe(fileName)
      expect(file.contentType).toBe('text/markdown')
    })

    test.each(['a=b', 'x!y:z', 'Ünïcödé_計画-1', ':', '='.repeat(500)])(
      'the item_id %s works everywhere',
      async (itemId) => {
        await upload('I am named oddly.', { itemId, sourceType: 'fit' })
        expect((await memory.list({ sourceType: 'fit' })).files.map(({ item_id }) => item_id)).toContain(itemId)
        expect((await memory.download({ itemId, sourceType: 'fit' })).body.length).toBeGreaterThan(0)
        expect(await memory.forget({ itemId, sourceType: 'fit' })).toMatchObject({ status: 'success', item_id: itemId })
      },
    )

    test('what is shown to an agent comes with the id of its fence, another each time', async () => {
      await upload('I keep the ladder in the shed.', { itemId: 'ladder', sourceType: 'books' })
      await ready('ladder', 'books')
      const answers = [
        await memory.recall({ text: 'ladder' }),
        await memory.recall({ text: 'ladder' }),
        await memory.ask({ text: 'Where is the ladder?' }),
        await memory.open({ handle: 'books/ladder' }),
        await memory.recent({ source: 'books' }),
        await memory.download({ itemId: 'ladder', sourceType: 'books' }),
      ]
      const ids = answers.map(({ fence }) => fence)
      expect(ids).toEqual(ids.map(() => expect.stringMatching(/^[0-9a-f]{32}$/)))
      expect(new Set(ids).size).toBe(6)
    })

    test('a list is paged, and tells the total and its own bounds', async () => {
      for (const n of [1, 2, 3]) await upload(`I count ${n}.`, { itemId: `count-${n}`, sourceType: 'tasks' })
      const page = await memory.list({ sourceType: 'tasks', limit: 2, offset: 1 })
      expect(page).toMatchObject({ total: 3, limit: 2, offset: 1 })
      expect(page.files).toHaveLength(2)
      expect((await memory.list({ sourceType: 'tasks' })).limit).toBe(1_000)
    })

    test('what is forgotten is gone from recall, list and download at once', async () => {
      await upload('I buried the ruby under the willow.', { itemId: 'ruby' })
      await ready('ruby')
      const result = await memory.forget({ itemId: 'ruby', sourceType: 'text' })
      expect(result).toMatchObject({ status: 'success', item_id: 'ruby', source_type: 'text' })
      const { memories, qa, chunks } = await memory.recall({ text: 'ruby under the willow' })
      expect([...memories, ...qa, ...chunks].map(({ item_id }) => item_id)).not.toContain('ruby')
      await expect(memory.download({ itemId: 'ruby' })).rejects.toMatchObject({ code: 'not_found' })
      await expect(memory.forget({ itemId: 'ruby', sourceType: 'text' })).rejects.toMatchObject({ code: 'not_found' })
    })

    test('a question is answered from what was memorized', async () => {
      await upload('I hid the spare key under the geranium pot.', { itemId: 'spare-key' })
      await ready('spare-key')
      expect((await memory.ask({ text: 'Where did I hide the spare key?' })).response).toMatch(/geranium/)
    })

    test('what is recalled and quoted says where it comes from, as far as that is known', async () => {
      const thread = [
        '---',
        'title: Thread about the lighthouse',
        'url: https://ada:hunter2@chat.example.com/t/7?access_token=abc&page=2',
        'when: 2026-03-04T10:00:00Z',
        '---',
        'Grace [2026-03-04 10:00]: Who has the key of the lighthouse?',
        'Alan [2026-03-04 10:02]: The harbour master keeps the lighthouse key in his desk.',
      ]
      await upload(thread.join('\n'), { itemId: 'thread', sourceType: 'slack' })
      await ready('thread', 'slack')
      const url = 'https://chat.example.com/t/7?page=2'
      const about = { title: 'Thread about the lighthouse', participants: ['Alan'], url }
      const { memories, chunks } = await memory.recall({ text: 'harbour master lighthouse key', source: 'slack' })
      expect(memories[0]).toMatchObject({ item_id: 'thread', content: { url } })
      expect(chunks.find(({ text }) => text.includes('desk'))).toMatchObject({
        ...about,
        when: '4 March 2026, 10:02',
        item_id: 'thread',
        source: 'slack',
      })
      const { response, abstained, citations = [] } = await memory.ask({ text: 'Who keeps the lighthouse key?' })
      expect(abstained).toBe(false)
      expect(citations.map(({ n }) => n)).toEqual(citations.map((_, i) => i + 1))
      expect(citations[0]).toMatchObject({ ...about, item_id: 'thread', source: 'slack', when: '4 March 2026, 10:02' })
      for (const { n, quote } of citations) expect(response).toContain(`“${quote}” [${n}]`)
    })

    test('a passage of which no more is known than its item says nothing else', async () => {
      await upload('I keep the marmalade recipe in the blue tin.', { itemId: 'tin', sourceType: 'youtube' })
      await ready('tin', 'youtube')
      const { memories, chunks } = await memory.recall({ text: 'marmalade recipe', source: 'youtube' })
      expect(memories[0]?.content.url).toBeUndefined()
      expect(chunks).toEqual([
        {
          text: expect.any(String),
          handle: expect.stringMatching(/^r\d+\.0$/),
          item_id: 'tin',
          source: 'youtube',
          score: expect.any(Number),
        },
      ])
    })

    test('a passage is opened with what stands around it, in the order of the text', async () => {
      const lines = Array.from({ length: 12 }, (_, n) => `[2026-03-04 10:${n + 10}] Ada: Lantern number ${n} is lit.`)
      await upload(lines.join('\n'), { itemId: 'lanterns', sourceType: 'stream' })
      await ready('lanterns', 'stream')
      const { chunks } = await memory.recall({ text: 'Lantern number 5', source: 'stream' })
      const handle = chunks.find(({ text }) => text.includes('number 5'))?.handle ?? ''
      const item = handle.split('.')[0]
      const seen = async (query: Parameters<Memory['open']>[0], by = memory) => {
        const { before, passages, after } = await by.open(query)
        return { before, after, handles: passages.map((passage) => passage.handle) }
      }
      const { passages, ...about } = await memory.open({ handle, around: 1 })
      expect(about).toMatchObject({ item_id: 'lanterns', source: 'stream', before: 4, after: 5 })
      expect(passages).toEqual(
        [4, 5, 6].map((n) => ({
          handle: `${item}.${n}`,
          text: expect.stringContaining(`Lantern number ${n} is lit.`),
          when: `4 March 2026, 10:${n + 10}`,
          participants: ['Ada'],
        })),
      )
      expect(await seen({ handle: `${item}.10-99` })).toMatchObject({ before: 7, after: 0 })
      expect(await seen({ handle: 'stream/lanterns', around: 0 })).toEqual({
        before: 0,
        after: 11,
        handles: [`${item}.0`],
      })
      expect((await seen({ handle })).handles).toHaveLength(7)
      expect((await seen({ handle }, await under.withSources(['stream']))).handles).toHaveLength(7)

      const missing = { code: 'not_found', message: expect.stringMatching(/^There is no passage .* recall again\.$/) }
      const elsewhere = await under.withSources(['books'])
      for (const unseen of [handle, 'stream/lanterns']) {
        await expect(elsewhere.open({ handle: unseen })).rejects.toMatchObject(missing)
      }
      for (const absent of [`${item}.12`, 'r999999999999999.0', 'stream/none']) {
        await expect(memory.open({ handle: absent })).rejects.toMatchObject(missing)
      }
    })

    describeMemoryFilters(() => ({ under, upload, ready }))

    test('a question that nothing answers is told by more than its words', async () => {
      const nothing = await memory.ask({ text: 'zyxwvut qwrtpsd?' })
      expect(nothing).toMatchObject({ abstained: true, citations: [] })
      expect(nothing.response).toMatch(/found nothing/)
    })

    test.each<[string, (memory: Memory, signal: AbortSignal) => Promise<unknown>]>([
      ['recall', (one, signal) => one.recall({ text: 'blue bicycle' }, { signal })],
      ['ask', (one, signal) => one.ask({ text: 'Where is the key?' }, { signal })],
    ])('%s that nobody waits for any more rejects with the reason', async (_, work) => {
      const reason = new Error('gone')
      await expect(work(memory, AbortSignal.abort(reason))).rejects.toBe(reason)
      const caller = new AbortController()
      const answer = work(memory, caller.signal)
      caller.abort(reason)
      await expect(answer).rejects.toBe(reason)
      await expect(work(memory, new AbortController().signal)).resolves.toBeDefined()
    })

    test('what stands in two sources is one memory, and what was replaced says by what', async () => {
      const mail = (date: string, text: string) =>
        `From: Ada <ada@example.com>\nTo: Bo <bo@example.com>\nSubject: Observatory\nDate: ${date}\nMessage-ID: <${date.length}@x>\n\n${text}\n`
      const [older, newer] = [
        mail('Mon, 2 Mar 2026 09:00:00 +0000', 'The observatory visit is on 12 March.'),
        mail('Thu, 5 Mar 2026 09:00:00 +0000', 'The observatory visit moved to 19 March.'),
      ]
      const more = { fileName: 'mail.eml', contentType: 'message/rfc822' }
      await upload(older, { itemId: 'visit', sourceType: 'email', ...more })
      await upload(newer, { itemId: 'moved', sourceType: 'email', ...more })
      await upload(newer, { itemId: 'moved-outlook', sourceType: 'ms-outlook', ...more })
      await Promise.all([ready('visit', 'email'), ready('moved', 'email'), ready('moved-outlook', 'ms-outlook')])
      const { memories, chunks } = await memory.recall({ text: 'When is the observatory visit?' })
      expect(memories.slice(0, 2)).toMatchObject([
        {
          item_id: 'moved',
          content: {
            also_in: [{ custom_id: 'moved-outlook_memory_0', source: 'ms-outlook', title: 'Observatory' }],
            supersedes: [{ custom_id: 'visit_memory_0', item_id: 'visit', when: '2 March 2026, 09:00' }],
          },
        },
        { item_id: 'visit', content: { superseded_by: 'moved_memory_0' } },
      ])
      expect(chunks.find(({ item_id }) => item_id === 'moved')?.also_in).toMatchObject([{ item_id: 'moved-outlook' }])
      expect(chunks.find(({ item_id }) => item_id === 'visit')?.superseded_by).toBe('moved_memory_0')
      const scoped = await under.withSources(['email'])
      const [seen] = (await scoped.recall({ text: 'When is the observatory visit?' })).memories
      expect(seen?.content).not.toHaveProperty('also_in')
    })

    test('a recall of one source, and of a time, leaves out everything else', async () => {
      await upload('I read about the blue bicycle.', { itemId: 'novel', sourceType: 'books' })
      await ready('novel', 'books')
      const found = await memory.recall({ text: 'blue bicycle', source: 'books' })
      expect(new Set(found.memories.map(({ source }) => source))).toEqual(new Set(['books']))
      const early = await memory.recall({ text: 'blue bicycle', until: new Date('1950-01-01') })
      expect(early.memories).toEqual([])
      expect((await memory.recall({ text: 'blue bicycle', limit: 1 })).memories.length).toBeLessThanOrEqual(1)
    })

    test('a key of some sources is refused the others, and recalls from its own', async () => {
      const scoped = await under.withSources(['books'])
      await expect(scoped.list({ sourceType: 'text' })).rejects.toMatchObject({ code: 'forbidden' })
      await expect(scoped.recall({ text: 'x', source: 'text' })).rejects.toMatchObject({ code: 'forbidden' })
      await expect(scoped.forget({ itemId: 'bicycle', sourceType: 'text' })).rejects.toMatchObject({
        code: 'forbidden',
      })
      await expect(
        scoped.memorize({ body: bytes('x'), fileName: 'x', userName: 'U', sourceType: 'text' }),
      ).rejects.toMatchObject({ code: 'forbidden' })
      await expect(scoped.download({ itemId: 'bicycle' })).rejects.toMatchObject({ code: 'not_found' })
      const { memories } = await scoped.recall({ text: 'blue bicycle' })
      expect(new Set(memories.map(({ source }) => source))).toEqual(new Set(['books']))
    })

    test.each<[string, (memory: Memory) => Promise<unknown>]>([
      ['a blank query', (one) => one.recall({ text: ' ' })],
      ['a query of 1,001 characters', (one) => one.recall({ text: 'x'.repeat(1_001) })],
      ['a blank question', (one) => one.ask({ text: '\n' })],
      ['a limit out of range', (one) => one.recall({ text: 'x', limit: 101 })],
      ['a number of recent items out of range', (one) => one.recent({ limit: 101 })],
      ['a recent time that is none', (one) => one.recent({ since: 'soonish' })],
      ['a time of a question that is none', (one) => one.ask({ text: 'x', until: 'soonish' })],
      ['a handle that is none', (one) => one.open({ handle: '7' })],
      ['a handle of a range that ends before it begins', (one) => one.open({ handle: 'r1.7-3' })],
      ['a radius out of range', (one) => one.open({ handle: 'r1.7', around: 21 })],
      ['a page out of range', (one) => one.list({ sourceType: 'text', limit: 10_001 })],
      ['an empty file', (one) => one.memorize({ body: new Uint8Array(), fileName: 'x', userName: 'U' })],
      ['a blank user_name', (one) => one.memorize({ body: bytes('x'), fileName: 'x', userName: ' ' })],
      [
        'an item_id with a slash',
        (one) => one.memorize({ body: bytes('x'), fileName: 'x', userName: 'U', itemId: 'a/b' }),
      ],
      [
        'bytes that are not UTF-8',
        (one) => one.memorize({ body: new Uint8Array([0xff, 0xfe]), fileName: 'x', userName: 'U' }),
      ],
    ])('%s is invalid, with a sentence that says why', async (_, work) => {
      await expect(work(memory)).rejects.toMatchObject({
        name: 'AppError',
        code: 'invalid',
        message: expect.stringMatching(/\w+ \w+/),
      })
    })
  })
}
