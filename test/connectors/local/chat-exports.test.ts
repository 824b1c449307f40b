import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { chatExports } from '../../../connectors/local/chat-exports.ts'
import { exportedChat } from '../../../connectors/local/exported-chats.ts'
import { jsonElements } from '../../../connectors/local/json-elements.ts'
import type { Change, Connector, SourceItem } from '../../../src/connector/connector.ts'
import { renderDocument } from '../../../src/connector/document.ts'
import { accountPart } from '../../../src/connector/source-item-id.ts'
import { describeConnectorContract } from '../../contract/connector-contract.ts'
import { chatgptChat, claudeChat, turn, writeArchive, writeExport } from '../../fakes/local/exported-chats.ts'
import { connectorContext } from '../../lib/connector-context.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'
import { parsed, turns } from '../../unit/pipeline/parse/parse-source-file.ts'

const connector: Connector = chatExports
const QUESTION = turn('user', 'Which pool size did we settle on?')
const ANSWER = turn('assistant', 'Twenty connections, since the fourth of May.')

describeConnectorContract('Chat exports', async () => {
  const folder = temporaryFolder()
  const chats = [1, 2, 3].map((n) => chatgptChat({ id: `c${n}`, turns: [QUESTION, ANSWER] }))
  const file = join(folder, 'conversations.json')
  writeExport(file, chats)
  const config = { name: 'me', paths: [folder] }
  const { account } = (await connectorContext(connector, config)).account
  const idOf = (id: string) => `chat-chatgpt:${accountPart(account)}:${id}:s=0001`
  return {
    connector,
    config,
    async add() {
      writeExport(file, [...chats, chatgptChat({ id: 'c4', turns: [QUESTION] })])
      return idOf('c4')
    },
    async edit() {
      const [first, ...others] = chats
      if (first === undefined) throw new Error('there is no chat')
      const longer = chatgptChat({
        id: 'c1',
        turns: [QUESTION, ANSWER, turn('user', 'And before?')],
        updated: 1_900_000_000,
      })
      writeExport(file, [longer, ...others, chatgptChat({ id: 'c4', turns: [QUESTION] })])
      return idOf('c1')
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
})

async function readAll(folder: string): Promise<{ items: SourceItem[]; failures: string[]; partitions: string[] }> {
  const context = await connectorContext(connector, { name: 'me', paths: [folder] })
  const changes: Change<unknown>[] = []
  const partitions: string[] = []
  for await (const partition of connector.partitions(context)) {
    partitions.push(partition.title)
    for await (const change of connector.changes(partition, undefined, context)) changes.push(change)
  }
  return {
    partitions,
    items: changes.flatMap((change) => (change.type === 'item' ? change.item : [])),
    failures: changes.flatMap((change) => (change.type === 'failed' ? change.error.message : [])),
  }
}

describe('an export of an assistant', () => {
  test.each([
    ['ChatGPT', chatgptChat],
    ['Claude', claudeChat],
  ])(
    'of %s becomes conversations with their prompts, answers and times, as they are shown',
    async (assistant, chat) => {
      const folder = temporaryFolder()
      writeExport(join(folder, 'export/conversations.json'), [
        chat({ id: 'c1', title: 'Pool size', turns: [QUESTION, ANSWER] }),
      ])
      const { items, partitions } = await readAll(folder)
      expect(partitions).toEqual([assistant])
      expect(items).toMatchObject([
        {
          sourceType: 'stream',
          title: 'Pool size',
          people: ['Ada Lovelace', assistant],
          createdAt: new Date('2026-03-04T09:00:00Z'),
          updatedAt: new Date('2026-03-04T09:01:00Z'),
        },
      ])
      const [item] = items
      if (typeof item?.body !== 'string') throw new Error('There is no text')
      const file = { sourceType: 'stream', contentType: 'text/markdown', fileName: 'chat.md' } as const
      const document = await parsed(renderDocument(item, item.body).bytes, file)
      expect(turns(document).map(([speaker, , text]) => [speaker, text])).toEqual([
        ['Anna', QUESTION.text],
        ['Assistant', ANSWER.text],
      ])
    },
  )

  test('of ChatGPT has the names and links of its answers, and no marks of citations', () => {
    const answer =
      'Stay near \u{e200}entity\u{e202}["place","Old Town","district"]\u{e201}, \u{e203}open late\u{e204}\u{e200}cite\u{e202}turn0search3\u{e201}. See \u{e200}url\u{e202}the map\u{e202}https://acme.test\u{e201}【12†source】:contentReference[oaicite:1]{index=1}.'
    const turns = [QUESTION, { ...ANSWER, text: answer }]
    const [question, shown] = exportedChat(chatgptChat({ id: 'c1', title: '', turns }))?.parts() ?? []
    expect(question).toMatchObject({ message: { text: QUESTION.text } })
    expect(shown).toMatchObject({
      message: { text: 'Stay near Old Town, open late. See the map (https://acme.test).' },
    })
  })

  test('is read from the archive, however many files it was split into', async () => {
    const folder = temporaryFolder()
    await writeArchive(join(folder, 'chatgpt.zip'), {
      'conversations-000.json': [chatgptChat({ id: 'c1', turns: [QUESTION] })],
      'conversations-001.json': [chatgptChat({ id: 'c2', turns: [QUESTION] })],
    })
    await writeArchive(join(folder, 'claude.zip'), {
      'data/conversations.json': [claudeChat({ id: 'c3', turns: [QUESTION] })],
    })
    await writeArchive(join(folder, 'holiday.zip'), { 'photos.json': [{ id: 1 }] })
    const { items, partitions } = await readAll(folder)
    expect(partitions).toEqual(['ChatGPT', 'Claude'])
    expect(items.map(({ title }) => title)).toEqual(['Chat c1', 'Chat c2', 'Chat c3'])
  })

  test('gives way to a newer one of the same conversation', async () => {
    const folder = temporaryFolder()
    const [older, newer] = [join(folder, 'a/conversations.json'), join(folder, 'b/conversations.json')]
    writeExport(newer, [chatgptChat({ id: 'c1', turns: [QUESTION, ANSWER] })])
    writeExport(older, [chatgptChat({ id: 'c1', turns: [QUESTION] }), chatgptChat({ id: 'c2', turns: [QUESTION] })])
    utimesSync(older, new Date(0), new Date('2026-01-01'))
    const { items } = await readAll(folder)
    expect(items.map(({ title, body }) => [title, String(body).includes(ANSWER.text)])).toEqual([
      ['Chat c1', true],
      ['Chat c2', false],
    ])
  })

  test('changes nothing when it is older than what was read, however late it is added', async () => {
    const folder = temporaryFolder()
    const newer = [QUESTION, ANSWER]
    writeExport(join(folder, 'a/conversations.json'), [chatgptChat({ id: 'c1', turns: newer, updated: 1_900_000_000 })])
    const context = await connectorContext(connector, { name: 'me', paths: [folder] })
    const partition = { id: 'chatgpt', title: 'ChatGPT' }
    const read = async (cursor?: unknown) => {
      const changes: Change<unknown>[] = []
      for await (const change of connector.changes(partition, cursor, context)) changes.push(change)
      const last = changes.at(-1)
      return { types: changes.map(({ type }) => type), cursor: last?.type === 'checkpoint' ? last.cursor : undefined }
    }
    const first = await read()
    expect(first.types).toEqual(['item', 'checkpoint'])
    writeExport(join(folder, 'b/conversations.json'), [chatgptChat({ id: 'c1', turns: [QUESTION] })])
    const second = await read(first.cursor)
    expect(second.types).toEqual(['checkpoint'])
    expect((await read(second.cursor)).types).toEqual(['checkpoint'])
  })

  test('of Gemini becomes what was asked on one day, from the activity in Google Takeout', async () => {
    const folder = temporaryFolder()
    const activity = (time: string, title: string, html: string) => ({
      header: 'Gemini Apps',
      products: ['Gemini Apps'],
      ...{ title, time, safeHtmlItem: [{ html }] },
    })
    writeExport(join(folder, 'Takeout/My Activity/Gemini Apps/MyActivity.json'), [
      { ...activity('2026-03-05T10:00:00.000Z', 'Gave feedback: Good response', ''), safeHtmlItem: undefined },
      activity('2026-03-05T09:00:00.000Z', 'Eingegebener Prompt: And today?', '<p>Sun</p>'),
      activity('2026-03-04T10:00:00.000Z', 'Prompted And with pgbouncer?', '<p>Fewer: <b>ten</b></p>'),
      activity('2026-03-04T09:00:00.000Z', 'Prompted Which pool size?', '<p>Twenty</p>'),
      { header: 'Gemini Apps', products: ['Gemini Apps'], title: 'Used Gemini', time: 'never' },
    ])
    writeExport(join(folder, 'Takeout/My Activity/Maps/MyActivity.json'), [{ header: 'Maps', title: 'Searched' }])
    const { items, partitions, failures } = await readAll(folder)
    expect(partitions).toEqual(['Gemini'])
    expect(items.map(({ title, createdAt }) => [title, createdAt?.toISOString()])).toEqual([
      ['And today?', '2026-03-05T09:00:00.000Z'],
      ['Which pool size?', '2026-03-04T09:00:00.000Z'],
    ])
    expect(items[0]?.body).not.toContain('feedback')
    expect(items[1]?.body).toMatch(/Which pool size\?[\s\S]*Twenty[\s\S]*And with pgbouncer\?[\s\S]*Fewer: \*\*ten\*\*/)
    expect(failures).toEqual([expect.stringContaining('has no id')])
  })

  test.each([
    ['before', 1_700_000_000],
    ['after', 1_900_000_000],
  ])('gives the newer state of a chat when the file with the older one was written %s it', async (_, writtenAt) => {
    const folder = temporaryFolder()
    const older = join(folder, 'a/conversations.json')
    writeExport(older, [chatgptChat({ id: 'c1', turns: [QUESTION] })])
    writeExport(join(folder, 'b/conversations.json'), [
      chatgptChat({ id: 'c1', turns: [QUESTION, ANSWER], updated: 1_900_000_000 }),
    ])
    utimesSync(older, writtenAt, writtenAt)
    utimesSync(join(folder, 'b/conversations.json'), 1_800_000_000, 1_800_000_000)
    const { items } = await readAll(folder)
    expect(items).toHaveLength(1)
    expect(items[0]?.body).toContain(ANSWER.text)
  })

  test('that is damaged or of another form is a visible failure, and the others are read', async () => {
    const folder = temporaryFolder()
    writeExport(join(folder, 'good/conversations.json'), [claudeChat({ id: 'c1', turns: [QUESTION] })])
    writeExport(join(folder, 'odd/conversations.json'), [{ mapping: 7 }])
    writeExport(join(folder, 'cut/conversations.json'), [])
    writeFileSync(join(folder, 'cut/conversations.json'), '[{"mapping": {"a"')
    const { items, failures } = await readAll(folder)
    expect(items).toHaveLength(1)
    expect(failures).toHaveLength(2)
    expect(failures[0]).toMatch(/is damaged, or has a form that recalld doesn't know\.$/)
  })

  test('in a folder that is not there is a setting to mend', async () => {
    const missing = connectorContext(connector, { name: 'me', paths: ['/nowhere/exports'] })
    await expect(missing).rejects.toMatchObject({
      remedy: 'reconfigure',
      message: 'There is no folder or file /nowhere/exports. Check paths.',
    })
  })
})

describe('objects of a JSON array', () => {
  const elementsOf = async (text: string, size: number, longest = 1_000) => {
    const bytes = Buffer.from(text)
    async function* chunks() {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
    }
    const elements: unknown[] = []
    for await (const element of jsonElements(chunks(), longest)) elements.push(element)
    return elements
  }

  test.each([1, 3, 1_000])('are the same in pieces of %d bytes', async (size) => {
    const objects = [{ a: '}]"\\' }, { b: [{ c: '{é' }] }, {}]
    expect(await elementsOf(` ${JSON.stringify(objects, undefined, 1)}\n`, size)).toEqual(objects)
  })

  test('that are too long are left out, and what is no array is refused', async () => {
    expect(await elementsOf('[{"a":"xxxxxxxxxxxxxxxx"},{"b":1}]', 4, 12)).toEqual([undefined, { b: 1 }])
    await expect(elementsOf('{"a":1}', 4)).rejects.toThrow()
    await expect(elementsOf('[{"a":1}', 4)).rejects.toThrow()
  })
})
