import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { AppError, ERROR_CODES } from '../../../src/domain/errors.ts'
import { fenced } from '../../../src/domain/recalled-fence.ts'
import { bindMemory } from '../../../src/service/bind-memory.ts'
import { type McpInProcess, mcpInProcess } from '../../lib/mcp-in-process.ts'
import { chunkResult, memoryAnswering, recallResult } from '../../lib/memory-answering.ts'
import { readRecalled } from '../../lib/recalled-text.ts'
import { type RunningService, startService } from '../../lib/start-service.ts'

test('a call that an overloaded service refuses is tried again, until the service answers or keeps refusing', async () => {
  const overloaded = () =>
    Promise.reject(new AppError('unavailable', 'The server is overloaded', { retryAfterSeconds: 0 }))
  let refusals = 2
  const recall = async () => (refusals-- > 0 ? overloaded() : recallResult({}))
  const { text, failure } = await mcpInProcess(memoryAnswering({ recall, ask: overloaded }))
  expect(await text('recall', { query: 'x' })).toMatch(/^No match/)
  expect(await failure('ask', { question: 'x' })).toContain('The server is overloaded')
})

describe('what went wrong is said in a sentence', () => {
  const REMEDIES: Readonly<Partial<Record<string, string>>> = {
    unauthenticated:
      'It is so. The memory service is at http://127.0.0.1:7411; `recalld keys create` on its machine makes a key, which belongs in RECALLD_API_KEY.',
    rate_limited: 'It is so. Try again in 7 seconds.',
    payment_required: 'It is so. `recalld billing show` on its machine says more.',
    internal: 'The memory service at http://127.0.0.1:7411 failed: It is so. `recalld doctor` looks for the cause.',
  }
  const failing = (error: unknown) => {
    const fail = () => Promise.reject(error)
    return mcpInProcess(memoryAnswering({ recall: fail, ask: fail, download: fail, list: fail }))
  }

  test.each(ERROR_CODES)('with its remedy: %s', async (code) => {
    const { failure, reported } = await failing(new AppError(code, 'It is so', { retryAfterSeconds: 7 }))
    expect(await failure('recall', { query: 'x' })).toBe(REMEDIES[code] ?? 'It is so.')
    expect(await failure('ask', { question: 'x' })).toBe(REMEDIES[code] ?? 'It is so.')
    expect(reported).toEqual([])
  })

  test('but a defect is reported, and its words are not shown', async () => {
    const defect = new TypeError('cannot read rk_live_1 of /home/ada')
    const { failure, reported, client } = await failing(defect)
    const sentence =
      'The memory service at http://127.0.0.1:7411 failed unexpectedly. `recalld doctor` looks for the cause.'
    expect(await failure('recall', { query: 'x' })).toBe(sentence)
    await expect(client.readResource({ uri: 'memory://sources' })).rejects.toThrow(sentence)
    await expect(client.readResource({ uri: 'memory://text/a' })).rejects.toThrow(sentence)
    expect(reported).toEqual([defect, defect, defect])
  })

  test('and the end of a call that nobody waits for is no defect', async () => {
    const { failure, reported } = await failing(new DOMException('gone', 'AbortError'))
    await failure('recall', { query: 'x' })
    expect(reported).toEqual([])
  })
})

describe('arguments as hosts send them', () => {
  const chunks = Array.from({ length: 5 }, (_, number) =>
    chunkResult(`Part ${number}.`, { source: 'slack', item_id: `i${number}` }),
  )
  const memory = memoryAnswering({ recall: async () => recallResult({ chunks }) })
  const recall = async (args: Record<string, unknown>) => {
    const { text } = await mcpInProcess(memory)
    const { passages, notes } = readRecalled(await text('recall', { query: 'x', ...args }))
    return { passages, searched: notes.find((note) => note.startsWith('Searched only')) }
  }

  test.each([
    { limit: '2' },
    { limit: ' 2 ' },
    { limit: 2, max_tokens: '800', detail: 'normal' },
    { limit: '2', since: '', until: null, sources: '' },
    { limit: '2', sources: [] },
    { limit: '2', sources: '[]' },
  ])('%j works', async (args) => {
    const { passages, searched } = await recall(args)
    expect(passages).toHaveLength(2)
    expect(searched).toBeUndefined()
  })

  test.each(['slack,github', ' Slack ,  github ', 'slack github slack', '["slack", "github"]'])(
    'the sources %j are slack and github',
    async (sources) => {
      expect((await recall({ sources })).searched).toBe('Searched only: sources slack, github')
    },
  )

  test('sources may be a list', async () => {
    expect((await recall({ sources: ['slack', 'github'] })).searched).toMatch(/slack, github$/)
    expect((await recall({ sources: ['slack,github'] })).searched).toMatch(/slack, github$/)
  })

  test.each([
    [{ limit: '99' }, /limit.*<=\s?25/],
    [{ limit: 0 }, /limit.*>=\s?1/],
    [{ limit: 'many' }, /limit.*expected number/],
    [{ limit: '2.5' }, /limit.*expected int/],
    [{ query: '' }, /query/],
    [{ query: 'x'.repeat(1_001) }, /query.*1000/],
    [
      { source: 'slack' },
      /There is no argument "source"\. Did you mean sources\? There are: query, detail, limit, max_tokens/,
    ],
    [{ detailed: 'x' }, /There is no argument "detailed"\. Did you mean detail\?/],
    [{ folder: 'x' }, /There is no argument "folder"\. There are: query/],
    [{ constructor: 'x' }, /There is no argument "constructor"/],
  ])('%j fails with what is wrong', async (args, sentence) => {
    const { failure } = await mcpInProcess(memory)
    expect(await failure('recall', { query: 'x', ...args })).toMatch(sentence)
  })

  test('the published schemas are flat and plain', async () => {
    const { client } = await mcpInProcess(memory)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      'recall',
      'ask',
      'open',
      'recent',
      'remember',
      'forget',
      'search',
      'fetch',
    ])
    for (const { inputSchema, description } of tools) {
      expect(description?.length).toBeLessThan(1_100)
      expect(inputSchema.type).toBe('object')
      for (const property of Object.values(inputSchema.properties ?? {})) {
        expect(property).toMatchObject({ type: expect.stringMatching(/^(?:string|integer|boolean)$/) })
        expect(property).toHaveProperty('description')
        for (const keyword of ['anyOf', 'oneOf', 'allOf', '$ref', 'format'])
          expect(property).not.toHaveProperty(keyword)
      }
    }
    expect(Object.fromEntries(tools.map(({ name, inputSchema }) => [name, inputSchema.required]))).toEqual({
      recall: ['query'],
      ask: ['question'],
      open: ['handle'],
      recent: undefined,
      remember: ['text'],
      forget: undefined,
      search: ['query'],
      fetch: ['id'],
    })
  })
})

describe('over a real memory', () => {
  let service: RunningService
  let mcp: McpInProcess
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.stop())
  const connected = async () => {
    mcp = await mcpInProcess(bindMemory(service.service, await service.service.authenticate(service.key)))
    return mcp
  }
  const STORED = z.looseObject({ status: z.literal('stored'), item_id: z.string(), uri: z.string() })

  test('a note that was memorized can be recalled, read whole, searched, fetched and forgotten', async () => {
    const { call, text: answered, client } = await connected()
    const text = 'The kestrel release ships on Tuesday.'
    const stored = STORED.parse(await call('remember', { text, title: ' Kestrel\n plan ', item_id: 'kestrel' }))
    expect(stored).toMatchObject({ item_id: 'kestrel', uri: 'memory://text/kestrel' })
    await service.ready('kestrel')
    const { passages } = readRecalled(await answered('recall', { query: 'kestrel release' }))
    expect(passages[0]).toEqual({
      handle: expect.stringMatching(/^r\d+\.0$/),
      head: 'text | Kestrel plan | noted by test-host 1.0.0',
      text,
    })
    const { contents } = await client.readResource({ uri: stored.uri })
    expect(contents).toEqual([
      {
        uri: stored.uri,
        mimeType: 'text/plain',
        text: expect.stringMatching(
          /^<recalled:(\w+)>\nFile: note\.md\n\n# Kestrel plan\n\nThe kestrel .*\n<\/recalled:\1>$/s,
        ),
      },
    ])
    expect(await call('search', { query: 'kestrel release' })).toMatchObject({
      results: [
        {
          id: 'text/kestrel',
          title: expect.stringMatching(/^(?:text, \d|An item of text$)/),
          text: expect.stringMatching(
            /^<recalled:(\w+)>\n\[r\d+\.0\] text \| Kestrel plan \| noted by test-host 1\.0\.0 \| item kestrel\n.*<\/recalled:\1>$/s,
          ),
          url: stored.uri,
        },
      ],
    })
    expect(await call('fetch', { id: 'text/kestrel' })).toMatchObject({
      id: 'text/kestrel',
      title: 'An item of text',
      text: expect.stringMatching(
        /^<recalled:(\w+)>\nFile: note\.md\n\n# Kestrel plan\n\nThe kestrel .*\n<\/recalled:\1>$/s,
      ),
      url: stored.uri,
      metadata: { source: 'text', truncated: false },
    })
    const forgotten = await call('forget', { source: 'text', item_id: 'kestrel' })
    expect(forgotten).toMatchObject({ status: 'forgotten', item_id: 'kestrel' })
    expect(await call('search', { query: 'kestrel release' })).toMatchObject({ results: [] })
  })

  test('what a passage belongs to is forgotten by its handle, as it is shown', async () => {
    const { call, text, failure } = await connected()
    for (const [item_id, bird] of Object.entries({ wren: 'wren', robin: 'robin', finch: 'finch' })) {
      await call('remember', { text: `The ${bird} nests in the letter box.`, item_id })
      await service.ready(item_id)
    }
    const handleOf = async (bird: string) =>
      readRecalled(await text('recall', { query: `${bird} letter box` })).passages.find(({ text }) =>
        text.includes(bird),
      )?.handle
    const wren = await handleOf('wren')
    expect(await call('forget', { handle: `[${wren}]` })).toMatchObject({
      status: 'forgotten',
      source: 'text',
      item_id: 'wren',
      deleted_memories: 1,
    })
    expect(await handleOf('wren')).toBeUndefined()
    expect(await failure('forget', { handle: wren })).toMatch(
      /^There is no passage r\d+\.0 in the sources of this key\./,
    )
    expect(await call('forget', { handle: 'text/robin' })).toMatchObject({ item_id: 'robin' })
    expect(await handleOf('finch')).toBeDefined()
  })

  test('a key without a source deletes nothing of it by handle', async () => {
    const { call, text } = await connected()
    await call('remember', { text: 'The stork arrives in April.', item_id: 'stork' })
    await service.ready('stork')
    const { passages } = readRecalled(await text('recall', { query: 'stork April' }))
    const limited = await service.keyFor(['slack'])
    const other = await mcpInProcess(bindMemory(service.service, await service.service.authenticate(limited)))
    expect(await other.failure('forget', { handle: passages[0]?.handle })).toMatch(/^There is no passage/)
    expect(await call('fetch', { id: 'text/stork' })).toMatchObject({ text: expect.stringContaining('April') })
  })

  test('a note with the id of another replaces it only when told to', async () => {
    const { call, failure } = await connected()
    await call('remember', { text: 'The heron is blue.', item_id: 'heron' })
    expect(await failure('remember', { text: 'The heron is red.', item_id: 'heron' })).toContain('heron')
    await service.ready('heron')
    await call('remember', { text: 'The heron is grey.', item_id: 'heron', replace: 'true' })
    await service.ready('heron')
    expect(await call('fetch', { id: 'text/heron' })).toMatchObject({ text: expect.stringContaining('grey') })
  })

  test('a note of nothing but what was recalled is refused, and another is stored whole', async () => {
    const { call, failure } = await connected()
    const recalled = fenced('The heron is blue.', 'a1b2c3d4e5')
    expect(await failure('remember', { text: ` ${recalled} ` })).toContain('already stored')
    // A fence that this home did not issue is nothing but text.
    const { item_id } = STORED.parse(await call('remember', { text: `I agree. ${recalled} It is a bird.` }))
    const { body } = await service.service.download(await service.service.authenticate(service.key), {
      itemId: item_id,
    })
    expect(new TextDecoder().decode(body)).toBe(`I agree. ${recalled} It is a bird.\n`)
  })

  test.each([
    ['open', { handle: 'r99999.0' }, /^There is no passage r99999\.0 in the sources of this key\./],
    ['open', { handle: '7' }, /^handle must be one that recall or ask shows: r12\.7/],
    ['forget', { source: 'text', item_id: 'none' }, /none/],
    ['forget', { source: 'txt', item_id: 'none' }, /source/],
    ['forget', {}, /^Name the item by handle, or by source and item_id\.$/],
    ['forget', { source: 'text' }, /^Name the item by handle, or by source and item_id\.$/],
    ['forget', { handle: 'r1.0', item_id: 'none' }, /^Name the item by handle, or by source and item_id\.$/],
    ['fetch', { id: 'text/none' }, /none/],
    ['fetch', { id: 'none' }, /id must be the id of a result of search/],
    ['fetch', { id: 'nowhere/none' }, /id must be the id of a result of search/],
    ['remember', { text: ' ' }, /text/],
    ['remember', { text: 'x', item_id: 'a/b' }, /item_id/],
  ])('%s with %j says what is wrong', async (tool, args, sentence) => {
    const { failure } = await connected()
    expect(await failure(tool, args)).toMatch(sentence)
  })

  test('a long item is fetched as far as there is room, and says so', async () => {
    const { call } = await connected()
    await call('remember', { text: 'Ä sentence. '.repeat(8_000), item_id: 'long' })
    const fetched = z
      .looseObject({ text: z.string(), metadata: z.looseObject({ truncated: z.boolean() }) })
      .parse(await call('fetch', { id: 'text/long' }))
    expect(fetched.metadata.truncated).toBe(true)
    expect(fetched.text.length).toBeLessThan(40_200)
    expect(fetched.text).toMatch(/Ä sentence\. …\n<\/recalled/)
  })
})
