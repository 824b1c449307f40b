import { describe, expect, test } from 'vitest'
import type { LiveEvent } from '../../src/domain/activity.ts'
import type {
  ForgetReceipt,
  ItemChunks,
  ItemFacts,
  ItemMemories,
  LibraryList,
  QueuedItems,
  UploadedItem,
} from '../../src/http/app/schemas/library.ts'
import { bindMemory } from '../../src/service/bind-memory.ts'
import { movableClock } from '../contract/store-contract.ts'
import { type AppVisit, appVisit } from '../lib/app-visit.ts'
import { checkpoint, itemChange } from '../lib/scripted-connector.ts'
import { syncFixture } from '../lib/sync-fixture.ts'
import { until } from '../lib/until.ts'

const NOTE = `Meeting about the harbour

Grace: The new ferry sails from pier nine at seven in the morning.

Alan: I will order forty life jackets for the crew until Friday.
`

const ids = ({ items }: LibraryList) => items.map(({ item_id }) => item_id)
const list = (app: AppVisit, query: Readonly<Record<string, string | number>> = {}) =>
  app.get<LibraryList>('/library', query)

function upload(app: AppVisit, file: File, fields: Readonly<Record<string, string>> = {}) {
  return app.call('/library/upload', { method: 'POST', form: [...Object.entries(fields), ['file', file] as const] })
}

async function isIn(app: AppVisit, path: string, status: string): Promise<boolean> {
  return (await app.get<ItemFacts>(path)).status === status
}

describe('the library', () => {
  test('tags items together or not at all, and lists those with a tag', async () => {
    await using app = await appVisit({ work: false })
    for (const name of ['alpha', 'beta', 'gamma'])
      await upload(app, new File([name], `${name}.txt`), { item_id: name, source_type: 'text' })
    const refs = (...names: string[]) => names.map((item_id) => ({ source: 'text', item_id }))
    const tag = (items: ReturnType<typeof refs>, change: Readonly<Record<string, string[]>>) =>
      app.send('POST', '/library/tags', { items, ...change })
    expect(await tag(refs('alpha', 'beta', 'gone'), { add: ['Boats'] })).toEqual({ changed: 2 })
    const tagged = await list(app, { tag: 'boats' })
    expect([ids(tagged), tagged.total, tagged.items[0]?.tags]).toEqual([['beta', 'alpha'], 2, ['Boats']])
    expect(await app.get('/library/tags')).toEqual({ tags: [{ tag: 'Boats', items: 2 }] })
    expect(await app.get<ItemFacts>('/library/text/beta')).toMatchObject({ tags: ['Boats'] })
    expect(await tag(refs('beta'), { remove: ['BOATS'] })).toEqual({ changed: 1 })
    expect(ids(await list(app, { tag: 'boats' }))).toEqual(['alpha'])
  })

  test('has no connector to choose while uploads name none, and nothing of one that brought nothing', async () => {
    await using app = await appVisit({ work: false })
    await upload(app, new File(['alpha'], 'alpha.txt'), { item_id: 'alpha', source_type: 'text' })
    expect(await app.get('/library/connectors')).toEqual({ connectors: [] })
    expect(ids(await list(app, { connector: 'jira' }))).toEqual([])
    expect(ids(await list(app, { connector: '' }))).toEqual(['alpha'])
  })

  test('lists what was uploaded over every source, with counts for the filters', async () => {
    await using app = await appVisit({ work: false })
    const texts = ['alpha', 'beta', 'gamma']
    for (const name of texts) {
      await upload(app, new File([name], `${name}.txt`), {
        item_id: name,
        source_type: name === 'beta' ? 'slack' : 'text',
      })
    }
    const all = await list(app)
    expect(ids(all)).toEqual(['gamma', 'beta', 'alpha'])
    expect(all).toMatchObject({ total: 3, held: 3, is_capped: false, states: { queued: 3, ready: 0 } })
    expect(all.sources).toEqual([
      { source: 'text', count: 2 },
      { source: 'slack', count: 1 },
    ])
    expect(all.items[1]).toMatchObject({
      title: 'beta.txt',
      source: 'slack',
      size_bytes: 4,
      connection: null,
      error: null,
    })
    const texting = await list(app, { sources: 'text', sort: 'name', limit: 1, offset: 1 })
    expect(ids(texting)).toEqual(['gamma'])
    expect(texting).toMatchObject({ total: 2, held: 3, states: { queued: 2 } })
    expect(ids(await list(app, { text: 'ALPHA.T' }))).toEqual(['alpha'])
    expect(await list(app, { states: 'ready,failed' })).toMatchObject({ items: [], total: 0, sources: [] })
  })

  test.each([
    ['sources=nowhere', 'sources'],
    ['states=lost', 'states'],
    ['sort=color', 'sort'],
    ['limit=0', 'limit'],
    ['limit=5000', 'limit'],
    ['offset=-1', 'offset'],
    [`text=${'x'.repeat(201)}`, 'text'],
  ])('refuses %s and names the field', async (query, field) => {
    await using app = await appVisit({ work: false })
    const answer = await app.call(`/library?${query}`)
    expect(answer.status).toBe(400)
    expect(answer.body.detail).toContain(field)
  })

  test('shows an item with its text, and the memories beside the passages they were made from', async () => {
    await using app = await appVisit()
    await upload(app, new File([NOTE], 'harbour.md'), { item_id: 'harbour' })
    await until(() => isIn(app, '/library/text/harbour', 'ready'))
    const facts = await app.get<ItemFacts>('/library/text/harbour')
    expect(facts).toMatchObject({ user_name: 'ada@example.com', file_name: 'harbour.md', refined_by: null })
    expect(facts.pipeline_version).toContain('parse@')
    const { chunks, total } = await app.get<ItemChunks>('/library/text/harbour/chunks')
    expect(total).toBe(facts.chunks)
    expect(chunks.map(({ text }) => text).join('\n')).toContain('pier nine')
    const { memories } = await app.get<ItemMemories>('/library/text/harbour/memories')
    expect(memories).toHaveLength(facts.memories)
    expect(memories.length).toBeGreaterThan(0)
    for (const [place, memory] of memories.entries()) {
      const passages = chunks.slice(memory.first_chunk, memory.last_chunk + 1)
      expect(passages.every((chunk) => chunk.memories.includes(place))).toBe(true)
      expect(memory.custom_id).toBe(`harbour_memory_${memory.index}`)
    }
    expect((await app.get<ItemChunks>('/library/text/harbour/chunks', { offset: 1, limit: 1 })).chunks).toEqual(
      chunks.slice(1, 2),
    )
    const original = await app.call('/library/text/harbour/original')
    expect(original.text).toBe(NOTE)
    expect(original.headers.get('content-disposition')).toContain('attachment; filename="harbour.md"')
    expect(original.headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('says why an item failed, and takes it again when asked', async () => {
    await using app = await appVisit()
    await upload(app, new File(['%PDF-1.7 and nothing more'], 'broken.pdf'), { item_id: 'broken', source_type: 'pdf' })
    await until(() => isIn(app, '/library/pdf/broken', 'failed'))
    const { items, states } = await list(app, { states: 'failed' })
    expect(items).toMatchObject([{ item_id: 'broken', status: 'failed', error: expect.stringMatching(/\w+ \w+/) }])
    expect(states.failed).toBe(1)
    expect(await app.send<QueuedItems>('POST', '/library/retry-failed')).toEqual({ queued: 1 })
    await until(() => isIn(app, '/library/pdf/broken', 'failed'))
    expect(await app.send<QueuedItems>('POST', '/library/pdf/broken/reprocess')).toEqual({ queued: 1 })
  })

  test('makes a ready item again, and several at once', async () => {
    await using app = await appVisit({ work: false })
    const items = ['one', 'two'].map((item_id) => ({ source: 'text', item_id }))
    for (const { item_id } of items) await upload(app, new File([NOTE], 'x.txt'), { item_id })
    expect(await app.send<QueuedItems>('POST', '/library/reprocess', { items })).toEqual({ queued: 0 })
    for (const claim of await app.store.queue.claim({ owner: 'test', limit: 2, leaseMs: 60_000 })) {
      await app.store.queue.fail(claim, { code: 'unreadable', message: 'It is damaged' })
    }
    expect(await app.send<QueuedItems>('POST', '/library/reprocess', { items })).toEqual({ queued: 2 })
    expect((await list(app)).states).toMatchObject({ queued: 2, failed: 0 })
    expect((await app.call('/library/text/absent/reprocess', { method: 'POST' })).status).toBe(404)
  })

  test('forgets an item and proves it by looking for what it said', async () => {
    await using app = await appVisit()
    await upload(app, new File([NOTE], 'harbour.md'), { item_id: 'harbour' })
    await upload(app, new File(['The ferry was late on Monday and the crew waited.'], 'other.txt'), {
      item_id: 'other',
    })
    await until(async () => (await list(app)).states.ready === 2)
    const facts = await app.get<ItemFacts>('/library/text/harbour')
    const receipt = await app.send<ForgetReceipt>('DELETE', '/library/text/harbour')
    expect(receipt).toMatchObject({
      item_id: 'harbour',
      source: 'text',
      deleted_memories: facts.memories,
      deleted_chunks: facts.chunks,
      connection: null,
    })
    expect(receipt.questions.length).toBeGreaterThan(1)
    expect(receipt.questions.every(({ found }) => !found)).toBe(true)
    const gone = await app.call('/library/text/harbour')
    expect(gone.status).toBe(404)
    for (const { text } of receipt.questions) {
      const { memories, chunks } = await app.service.recall(await app.service.authenticate(app.running.key), { text })
      expect([...memories, ...chunks].map(({ item_id }) => item_id)).not.toContain('harbour')
    }
    expect((await app.call('/library/text/harbour', { method: 'DELETE' })).status).toBe(404)
  })

  test('forgets several at once, passing those that are gone and those of others', async () => {
    await using app = await appVisit({ work: false })
    for (const name of ['a', 'b', 'c']) await upload(app, new File([NOTE], `${name}.md`), { item_id: name })
    const items = ['a', 'b', 'gone'].map((item_id) => ({ source: 'text', item_id }))
    const other = await app.service.accounts.create({ name: 'Other', userName: 'Eve' })
    const eve = await app.personFor({ role: 'owner', accountId: other.accountId })
    expect(await eve.send('POST', '/library/forget', { items })).toEqual({ deleted: 0 })
    expect(ids(await list(app))).toEqual(['c', 'b', 'a'])
    expect(await app.send('POST', '/library/forget', { items })).toEqual({ deleted: 2 })
    expect(ids(await list(app))).toEqual(['c'])
    const none = await app.call('/library/forget', { method: 'POST', body: { items: [] } })
    expect(none.status).toBe(400)
  })

  test('exports a selection as JSON Lines and as Markdown, without what is gone or of others', async () => {
    await using app = await appVisit()
    const talk = `Grace: The ferry sails from pier nine.\nAlan: I will order forty life jackets.\n`.repeat(2)
    await upload(app, new File([talk], 'harbour.txt'), { item_id: 'harbour' })
    await upload(app, new File(['The kettle is red.'], 'kettle.txt'), { item_id: 'kettle' })
    await until(async () => (await list(app)).states.ready === 2)
    const items = ['harbour', 'gone', 'kettle'].map((item_id) => ({ source: 'text', item_id }))
    const exported = (visit: Pick<AppVisit, 'call'>, format: string) =>
      visit.call('/library/export', { method: 'POST', body: { items, format } })
    const lines = await exported(app, 'jsonl')
    expect(lines.headers.get('content-disposition')).toContain('recalld-items.jsonl')
    const [harbour, kettle, ...others] = lines.text
      .trim()
      .split('\n')
      .map((line: string) => JSON.parse(line))
    expect(others).toEqual([])
    expect(harbour).toMatchObject({ item_id: 'harbour', source: 'text', file_name: 'harbour.txt', url: null })
    expect(harbour).toMatchObject({ from: expect.toBeOneOf([expect.any(String), null]), until: null })
    expect(harbour.passages).toContainEqual(
      expect.objectContaining({ speaker: 'Alan', text: expect.stringContaining('forty life jackets') }),
    )
    expect(harbour.memories.length).toBe((await app.get<ItemFacts>('/library/text/harbour')).memories)
    expect(harbour.memories[0]).toMatchObject({ custom_id: 'harbour_memory_0', correction: null, is_pinned: false })
    expect(kettle).toMatchObject({ item_id: 'kettle', passages: [{ text: 'The kettle is red.', speaker: null }] })
    const text = (await exported(app, 'markdown')).text
    expect(text).toContain('**Alan**: I will order forty life jackets')
    expect(text).toContain('\n\n---\n\n# kettle.txt\n\n- Source: text\n- ID: kettle\n\nThe kettle is red.\n')
    const other = await app.service.accounts.create({ name: 'Other', userName: 'Eve' })
    const eve = await app.personFor({ role: 'owner', accountId: other.accountId })
    expect((await exported(eve, 'jsonl')).text).toBe('')
    expect((await exported(app, 'pdf')).status).toBe(400)
  })

  test('names the connection that brought an item, which does not bring it back once it is forgotten here', async () => {
    await using app = await appVisit({ work: false })
    const memory = bindMemory(app.service, () => app.service.authenticate(app.running.key))
    const ledger = app.store.ledger(`account:${app.accountId}`)
    const fixture = syncFixture({ memory, ledger, clock: movableClock() })
    const tells = (text: string, cursor: number) => {
      fixture.script.changes = () => [itemChange('a', text), checkpoint(cursor)]
    }
    tells('About the harbour.', 1)
    await fixture.sync()
    expect((await list(app)).items).toMatchObject([{ item_id: 'a', connection: 'scripted/main' }])
    expect(await app.send('DELETE', '/library/text/a')).toMatchObject({ connection: 'scripted/main' })
    tells('About the harbour, edited.', 2)
    await fixture.sync({ full: true })
    expect(await list(app)).toMatchObject({ items: [], total: 0 })
    expect(await fixture.row('a')).toMatchObject({ phase: 'forgotten' })
  })

  test('shows an account nothing of another one', async () => {
    await using app = await appVisit({ work: false })
    await upload(app, new File([NOTE], 'harbour.md'), { item_id: 'harbour' })
    const other = await app.service.accounts.create({ name: 'Other', userName: 'Eve' })
    const eve = await app.personFor({ role: 'owner', accountId: other.accountId })
    expect(await eve.get<LibraryList>('/library')).toMatchObject({ items: [], total: 0, held: 0, sources: [] })
    for (const path of ['', '/chunks', '/memories', '/original']) {
      expect((await eve.call(`/library/text/harbour${path}`)).status).toBe(404)
    }
    expect((await eve.call('/library/text/harbour', { method: 'DELETE' })).status).toBe(404)
    expect((await eve.call('/library/text/harbour/reprocess', { method: 'POST' })).status).toBe(404)
    const items = [
      { source: 'text', item_id: 'harbour' },
      { source: 'text', item_id: 'other' },
    ]
    expect(await eve.send('POST', '/library/reprocess', { items })).toEqual({ queued: 0 })
    expect((await list(app)).total).toBe(1)
    expect((await app.visitor().call('/library')).status).toBe(401)
  })
})

describe('uploads in the app', () => {
  test('are told as the person who sends them, and replaced only when asked', async () => {
    await using app = await appVisit({ work: false })
    const note = new File(['one'], 'note.txt')
    const first = await upload(app, note, { item_id: 'note' })
    expect(first.status).toBe(201)
    expect(first.body as UploadedItem).toEqual({ item_id: 'note', source: 'text' })
    const again = await upload(app, new File(['two'], 'note.txt'), { item_id: 'note' })
    expect(again.status).toBe(409)
    const replaced = await upload(app, new File(['two'], 'note.txt'), { item_id: 'note', on_conflict: 'replace' })
    expect(replaced.status).toBe(201)
    expect((await app.call('/library/text/note/original')).text).toBe('two')
    const unnamed = await upload(app, note)
    expect(String(unnamed.body.item_id)).toMatch(/^[0-9a-f-]{36}$/)
  })

  test.each([
    ['an empty file', new File([''], 'a.txt'), {}, 'empty'],
    ['a text of more than 10 MB', new File(['x'.repeat(10 * 1024 * 1024 + 1)], 'a.txt'), {}, '10 MB'],
    ['bytes that are no text', new File([new Uint8Array([0xff, 0xfe, 0xfd, 0x41])], 'a.txt'), {}, 'UTF-8'],
    ['a source that does not exist', new File(['x'], 'a.txt'), { source_type: 'moon' }, 'source_type'],
    ['an id with spaces', new File(['x'], 'a.txt'), { item_id: 'a b' }, 'item_id'],
  ])('refuse %s', async (_what, file, fields, words) => {
    await using app = await appVisit({ work: false })
    const answer = await upload(app, file, fields as Readonly<Record<string, string>>)
    expect(answer.status).toBe(400)
    expect(answer.body.detail).toContain(words)
    expect((await list(app)).total).toBe(0)
  })

  test('refuse a form without a file, and whoever brings no token', async () => {
    await using app = await appVisit({ work: false })
    const without = await app.call('/library/upload', { method: 'POST', form: [['item_id', 'x']] })
    expect(without.status).toBe(422)
    const form = [['file', new File(['x'], 'a.txt')]] as const
    const forged = await app.call('/library/upload', { method: 'POST', form, headers: { 'x-csrf-token': '' } })
    expect(forged.status).toBe(403)
  })
})

describe('whoever looks at the library', () => {
  test('is told when items come and change, but not of every single one', async () => {
    await using app = await appVisit({ work: false })
    const told: LiveEvent[] = []
    app.live.subscribe(app.accountId, (event) => told.push(event))
    const other: LiveEvent[] = []
    app.live.subscribe('another', (event) => other.push(event))
    await Promise.all(Array.from({ length: 20 }, (_, n) => upload(app, new File([`${n}`], `${n}.txt`))))
    await until(async () => told.filter(({ type }) => type === 'items').length >= 2)
    expect(told.filter(({ type }) => type === 'items').length).toBeLessThan(10)
    expect(other).toEqual([])
  })
})
