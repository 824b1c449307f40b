import { existsSync, mkdirSync, readdirSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { stream as connector } from '../../../connectors/local/stream.ts'
import type { Connector, SourceItem } from '../../../src/connector/connector.ts'
import { renderDocument } from '../../../src/connector/document.ts'
import {
  createSpoolWriter,
  type StreamEntry,
  streamItemId,
  streamSpoolFolder,
} from '../../../src/connector/stream-spool.ts'
import { describeConnectorContract } from '../../contract/connector-contract.ts'
import { connectorContext } from '../../lib/connector-context.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

const stream: Connector = connector
const NOW = new Date('2026-11-20T10:00:00Z')
const PARTITION = { id: 'spool', title: 'me' }

describeConnectorContract('stream', async () => {
  const spool = temporaryFolder()
  const put = async (entry: StreamEntry) => {
    await spooled(spool, [entry])
    return streamItemId(entry, '')
  }
  await spooled(spool, [
    { id: 'a', text: 'Alpha' },
    { id: 'b', text: 'Beta' },
    { id: 'c', text: 'Gamma', channel: 'notes' },
  ])
  return {
    connector: stream,
    config: { name: 'me' },
    options: { machine: { spoolFolder: spool } },
    add: () => put({ id: 'd', text: 'Delta' }),
    edit: () => put({ id: 'a', text: 'Alpha, again' }),
    remove: () => put({ id: 'b', deleted: true }),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
})

describe('standard input', () => {
  test('is memorized line by line, with what each line says about itself', async () => {
    const { items } = await run(temporaryFolder(), {
      input: `{"id":"1","title":"Standup","text":"We ship on Friday.","url":"https://acme.test/1","when":"2026-11-18T09:00:00+01:00","author":"Ada","people":["Ada","Ben"],"where":"Room 2","channel":"meetings"}

{"body":"# Shopping list\\n\\n- milk","when":"2026-11-19"}
`,
      timeZone: 'Europe/Berlin',
    })
    expect(items).toMatchObject([
      {
        itemId: 'stream:meetings:1',
        title: 'Standup',
        url: 'https://acme.test/1',
        createdAt: new Date('2026-11-18T08:00:00Z'),
        author: 'Ada',
        people: ['Ada', 'Ben'],
        where: 'Room 2',
        body: 'We ship on Friday.',
      },
      { title: 'Shopping list', createdAt: new Date('2026-11-18T23:00:00Z'), body: '# Shopping list\n\n- milk' },
    ])
    expect(items[1]?.itemId).toMatch(/^stream:default:[0-9a-f]{32}$/)
  })

  test('that is fed twice gives the same documents under the same ids', async () => {
    const spool = temporaryFolder()
    const input = '{"text":"one"}\n{"id":"x","text":"two"}\n{"text":"one"}\n'
    const first = await run(spool, { input })
    const second = await run(spool, { input, cursor: first.cursor, now: new Date('2026-12-24T10:00:00Z') })
    expect(documents(second.items)).toEqual(documents(first.items))
    expect(documents(first.items).size).toBe(2)
  })

  test('with a wrong line takes the others, and names the line and what is wrong, not what it says', async () => {
    const { items, failed } = await run(temporaryFolder(), {
      input: [
        '{"text":"good"}',
        'secret stuff',
        '{"text":"x","nonsense":1}',
        '{"title":"no text"}',
        '{"text":"x","url":"javascript:alert(1)"}',
        '{"deleted":true}',
        '{"text":"x","when":"yesterday"}',
        '[1]',
        '{"text":"also good"}',
      ].join('\n'),
    })
    expect(items.map(({ body }) => body)).toEqual(['good', 'also good'])
    expect(failed.map(({ ref, error }) => [ref.title, error.remedy])).toEqual(
      [2, 3, 4, 5, 6, 7, 8].map((line) => [`line ${line} of standard input`, 'skip']),
    )
    const sentences = failed.map(({ error }) => error.message)
    expect(sentences.slice(0, 3)).toEqual([
      "It can't be synced: it is not a JSON object in UTF-8.",
      `It can't be synced: Unrecognized key: "nonsense".`,
      "It can't be synced: text must not be empty.",
    ])
    expect(sentences.join()).not.toContain('secret')
  })

  test('with a line that is too long or not UTF-8 takes the others', async () => {
    const long = `{"text":"${'a'.repeat(10 * 1024 * 1024)}"}`
    const input = Buffer.concat([
      Buffer.from(`${long}\n{"text":"`),
      Buffer.from([0xff]),
      Buffer.from('"}\n{"text":"good"}\n'),
    ])
    const { items, failed } = await run(temporaryFolder(), { input })
    expect(items.map(({ body }) => body)).toEqual(['good'])
    expect(failed.map(({ error }) => error.message)).toEqual([
      "It can't be synced: it is longer than 10 MB.",
      "It can't be synced: it is not a JSON object in UTF-8.",
    ])
  })

  test('is laid down before anything of it is given, so that a crash loses nothing', async () => {
    const spool = temporaryFolder()
    const context = await connectorContext(
      stream,
      { name: 'me' },
      { machine: { spoolFolder: spool, standardInput: chunked('{"id":"1","text":"a"}\n{"id":"2","text":"b"}\n') } },
    )
    const changes = stream.changes(PARTITION, undefined, context)[Symbol.asyncIterator]()
    await changes.next()
    await changes.return?.()
    expect((await run(spool)).items.map(({ itemId }) => itemId)).toEqual(['stream:default:1', 'stream:default:2'])
  })
})

describe('the spool', () => {
  test('gives later lines of an id as its next version, and deletions', async () => {
    const spool = temporaryFolder()
    const { changes } = await run(spool, {
      input: '{"id":"1","text":"a"}\n{"id":"1","text":"b"}\n{"id":"1","deleted":true}\n{"id":"1","text":"a"}\n',
    })
    expect(changes.map(({ type }) => type)).toEqual(['item', 'item', 'gone', 'item', 'checkpoint'])
    const revisions = changes.flatMap((change) => (change.type === 'item' ? [change.item.revision] : []))
    expect(new Set(revisions).size).toBe(2)
    const later = await run(spool, { input: '{"id":"1","text":"a"}\n', now: new Date(NOW.getTime() + 1000) })
    expect(revisions).not.toContain(later.items.at(-1)?.revision)
  })

  test('goes on from any checkpoint, over several files of both kinds', async () => {
    const spool = temporaryFolder()
    const entries = (name: string) => Array.from({ length: 150 }, (_, i) => ({ id: `${name}${i}`, text: 'x' }))
    await spooled(spool, entries('a'))
    await spooled(spool, entries('b'))
    await run(spool, {
      input: entries('c')
        .map((entry) => `${JSON.stringify(entry)}\n`)
        .join(''),
    })
    const all = await run(spool)
    const ids = all.changes.flatMap((change) => (change.type === 'item' ? [change.item.itemId] : []))
    expect(new Set(ids).size).toBe(450)
    let taken = 0
    for (const change of all.changes) {
      if (change.type === 'item') taken += 1
      if (change.type !== 'checkpoint') continue
      const rest = await run(spool, { cursor: change.cursor })
      expect(rest.items.map(({ itemId }) => itemId)).toEqual(ids.slice(taken))
    }
  })

  test('does not read half a line, of which the writer was never told that it is safe', async () => {
    const spool = temporaryFolder()
    await spooled(spool, [{ id: '1', text: 'a' }])
    await spooled(spool, [{ id: '2', text: 'b' }])
    const folder = streamSpoolFolder(spool, 'me')
    const [, last = ''] = readdirSync(folder)
    truncateSync(join(folder, last), statSync(join(folder, last)).size - 5)
    const first = await run(spool)
    expect(first.items.map(({ itemId }) => itemId)).toEqual(['stream:default:1'])
    await spooled(spool, [{ id: '3', text: 'c' }])
    expect((await run(spool, { cursor: first.cursor })).items.map(({ itemId }) => itemId)).toEqual(['stream:default:3'])
  })

  test('names a damaged line and takes the others', async () => {
    const spool = temporaryFolder()
    const folder = streamSpoolFolder(spool, 'me')
    mkdirSync(folder)
    writeFileSync(join(folder, 'socket-000000000000001.jsonl'), 'nonsense\n')
    await spooled(spool, [{ id: '1', text: 'a' }])
    const { items, failed } = await run(spool)
    expect(items).toHaveLength(1)
    expect(failed.map(({ error }) => error.message)).toEqual([
      "It can't be synced: it is damaged. Send the entry again.",
    ])
  })

  test('begins another file when one is full, and orders files though the clock was set back', async () => {
    const spool = temporaryFolder()
    const folder = streamSpoolFolder(spool, 'me')
    const writer = createSpoolWriter(folder, 'socket', () => NOW)
    const entry = { text: 'x'.repeat(9 * 1024 * 1024) }
    for (const itemId of ['stream:1', 'stream:2']) await writer.append([{ itemId, at: NOW.toISOString(), entry }])
    await writer.close()
    await spooled(spool, [{ id: '3', text: 'c' }], new Date('2001-01-01'))
    expect(readdirSync(folder)).toHaveLength(3)
    expect((await run(spool)).items.map(({ itemId }) => itemId)).toEqual(['stream:1', 'stream:2', 'stream:default:3'])
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
  })

  test('drops files that were read two weeks ago, but never the newest', async () => {
    const spool = temporaryFolder()
    const folder = streamSpoolFolder(spool, 'me')
    await spooled(spool, [{ id: '1', text: 'a' }])
    await spooled(spool, [{ id: '2', text: 'b' }])
    const { cursor, items } = await run(spool)
    const [old = '', newest = ''] = readdirSync(folder)
    const at = (days: number) => new Date(NOW.getTime() + days * 86_400_000)
    for (const name of [old, newest]) utimesSync(join(folder, name), NOW, NOW)
    await run(spool, { cursor, now: at(13) })
    expect(readdirSync(folder)).toEqual([old, newest])
    await run(spool, { now: at(15) })
    expect(readdirSync(folder)).toEqual([old, newest])
    await run(spool, { cursor, now: at(15) })
    expect(readdirSync(folder)).toEqual([newest])
    const context = await connectorContext(stream, { name: 'me' }, { machine: { spoolFolder: spool } })
    const ref = { ...(items[0] as SourceItem), partition: PARTITION }
    await expect(stream.read(ref, context)).rejects.toMatchObject({
      remedy: 'skip',
      message: 'a is no longer stored. Send it again.',
    })
  })

  test('is not made by a run without anything to read', async () => {
    const spool = temporaryFolder()
    expect((await run(spool, { input: '\n\n' })).changes).toEqual([{ type: 'checkpoint', cursor: {} }])
    expect(existsSync(streamSpoolFolder(spool, 'me'))).toBe(false)
  })
})

interface Run {
  readonly input?: string | Uint8Array
  readonly cursor?: unknown
  readonly now?: Date
  readonly timeZone?: string
}

async function run(spoolFolder: string, { input, cursor, now = NOW, timeZone }: Run = {}) {
  const machine = { spoolFolder, ...(input !== undefined && { standardInput: chunked(input) }) }
  const options = { machine, clock: () => now, ...(timeZone && { timeZone }) }
  const context = await connectorContext(stream, { name: 'me' }, options)
  const changes = []
  for await (const change of stream.changes(PARTITION, cursor, context)) changes.push(change)
  const last = changes.at(-1)
  return {
    changes,
    items: changes.flatMap((change) => (change.type === 'item' ? [change.item] : [])),
    failed: changes.flatMap((change) => (change.type === 'failed' ? [change] : [])),
    cursor: last?.type === 'checkpoint' ? last.cursor : undefined,
  }
}

/** In pieces that end in the middle of lines and characters. */
async function* chunked(input: string | Uint8Array): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(input)
  const size = bytes.length > 10_000 ? 65_536 : 7
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function spooled(spoolFolder: string, entries: readonly StreamEntry[], now = NOW): Promise<void> {
  const writer = createSpoolWriter(streamSpoolFolder(spoolFolder, 'me'), 'socket', () => now)
  const at = now.toISOString()
  await writer.append(entries.map((entry) => ({ itemId: streamItemId(entry, 'given'), at, entry })))
  await writer.close()
}

function documents(items: readonly SourceItem[]): Map<string, string> {
  return new Map(
    items.map((item) => [item.itemId, Buffer.from(renderDocument(item, item.body as string).bytes).toString()]),
  )
}
