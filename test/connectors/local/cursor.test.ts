import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { cursor } from '../../../connectors/local/cursor.ts'
import type { SourceMachine } from '../../../src/connector/connector.ts'
import { accountPart } from '../../../src/connector/source-item-id.ts'
import { describeConnectorContract } from '../../contract/connector-contract.ts'
import { agentHome, type Reading, readAll, segmentOf, textOf } from '../../fakes/local/agent-home.ts'
import { cursorChat, cursorDatabase } from '../../fakes/local/cursor-databases.ts'
import { connectorContext } from '../../lib/connector-context.ts'
import { parsed, turns } from '../../unit/pipeline/parse/parse-source-file.ts'

const USER = '.config/Cursor/User'
const STATE = `${USER}/globalStorage/state.vscdb`
const TRANSCRIPTS = '.cursor/projects/home-ada-shop/agent-transcripts'

describeConnectorContract('Cursor', async () => {
  const home = agentHome()
  const state = cursorDatabase(join(home.folder, STATE))
  state.composer('first', 45)
  cursorChat(join(home.folder, '.cursor/chats/abc/second/store.db'), {}, [{ role: 'user', content: 'Hello chat' }])
  home.write(`${TRANSCRIPTS}/third/third.jsonl`, [said('user', 'Hello transcript')])
  const { account } = (await connectorContext(cursor, { name: 'me' }, home)).account
  return {
    connector: cursor,
    config: { name: 'me' },
    options: { machine: home.machine },
    async add() {
      state.composer('added', 1)
      return `cursor:${accountPart(account)}:added:s=0001`
    },
    async edit() {
      state.composer('first', 46)
      return `cursor:${accountPart(account)}:first:s=0003`
    },
    async [Symbol.asyncDispose]() {
      state.close()
      home.remove()
    },
  }
})

describe('a conversation in the editor', () => {
  test('becomes a document that the parser reads as a conversation with its times', async () => {
    const { state, read } = fixture()
    const at = '2026-03-04T09:00:00.000Z'
    const bubbles = [
      { bubbleId: 'a', type: 1, text: 'Why does it fail?', createdAt: at },
      { bubbleId: 'b', type: 2, text: '', thinking: { text: 'secret thoughts' }, createdAt: at },
      {
        bubbleId: 'c',
        type: 2,
        createdAt: at,
        toolFormerData: { name: 'run_terminal_cmd', params: '{"command":"npm test"}', result: '{"output":"1 failed"}' },
      },
      { bubbleId: 'd', type: 2, text: 'The pool is too small.', createdAt: at },
    ]
    for (const bubble of bubbles) state.put('cursorDiskKV', `bubbleId:s:${bubble.bubbleId}`, bubble)
    state.put('cursorDiskKV', 'bubbleId:s:left', { bubbleId: 'left', type: 1, text: 'An abandoned branch' })
    state.put('cursorDiskKV', 'composerData:s', {
      name: 'Pool size',
      workspaceIdentifier: { uri: { fsPath: '/home/ada/shop' } },
      fullConversationHeadersOnly: bubbles.map(({ bubbleId, type }) => ({ bubbleId, type })),
    })
    const { items } = await read()
    expect(items).toMatchObject([
      { title: 'Pool size', where: '/home/ada/shop', people: ['Ada Lovelace', 'Cursor'], visibility: 'private' },
    ])
    const document = await parsed(await textOf(items[0]), { sourceType: 'cursor' })
    expect(turns(document)).toEqual([
      ['Anna', at, 'Why does it fail?'],
      [undefined, undefined, 'command: npm test'],
      [undefined, undefined, '1 failed'],
      ['Cursor', at, 'The pool is too small.'],
    ])
  })

  test('of an older version holds its messages itself, and its project is told by the workspace', async () => {
    const { home, state, read } = fixture()
    const conversation = [
      { type: 1, text: 'Inline prompt', timingInfo: { clientStartTime: Date.UTC(2026, 2, 4) } },
      { type: 2, text: 'Inline answer' },
    ]
    state.put('cursorDiskKV', 'composerData:old', { conversation })
    home.write(`${USER}/workspaceStorage/a1b2/workspace.json`, '{"folder":"file:///home/ada/blog"}')
    const workspace = cursorDatabase(join(home.folder, USER, 'workspaceStorage/a1b2/state.vscdb'))
    workspace.put('ItemTable', 'composer.composerData', { allComposers: [{ composerId: 'old' }] })
    workspace.close()
    expect((await read()).items).toMatchObject([
      { title: 'Inline prompt', where: '/home/ada/blog', createdAt: new Date('2026-03-04') },
    ])
  })

  test('that goes on gives only its last segment again', async () => {
    const { state, read } = fixture()
    state.composer('s', 45)
    state.composer('other', 1)
    const before = await read()
    expect(before.items.map(segmentOf).sort()).toEqual(['other:s=0001', 's:s=0001', 's:s=0002', 's:s=0003'])
    state.composer('s', 46)
    expect((await read({}, before)).items.map(segmentOf)).toEqual(['s:s=0003'])
  })

  test('is not copied when nothing was written', async () => {
    const { home, state, read } = fixture()
    state.composer('s', 1)
    const before = await read()
    // Copies would fail without the folder they are made in.
    rmSync(home.machine.temporaryFolder, { recursive: true })
    const after = await read({}, before)
    expect(after).toMatchObject({ items: [], failed: [] })
    expect(after.cursors).toEqual(before.cursors)
    state.composer('s', 2)
    await expect(read({}, before)).rejects.toThrow(/ENOENT/)
  })

  test('leaves no copy behind', async () => {
    const { home, state, read } = fixture()
    state.composer('s', 1)
    cursorChat(join(home.folder, '.cursor/chats/abc/chat/store.db'), {}, [{ role: 'user', content: 'Hello' }])
    expect((await read()).items).toHaveLength(2)
    expect(readdirSync(home.machine.temporaryFolder)).toEqual([])
  })

  test('is not forgotten when Cursor deletes it', async () => {
    const { home, state, read } = fixture()
    state.composer('s', 1)
    home.write('.cursor/cli-config.json', '{}')
    const before = await read()
    state.close()
    rmSync(join(home.folder, USER), { recursive: true })
    expect(await read({}, before)).toMatchObject({ items: [], gone: [], failed: [] })
  })

  test('in a damaged database is named, and the others are read', async () => {
    const { home, read } = fixture(false)
    home.write(STATE, 'no database '.repeat(1_000))
    home.write(`${TRANSCRIPTS}/t.jsonl`, [said('user', 'Hello transcript')])
    const before = await read()
    expect(before.items.map(segmentOf)).toEqual(['t:s=0001'])
    expect(before.failed).toMatchObject([
      { error: { remedy: 'skip', message: expect.stringContaining('state.vscdb') } },
    ])
    expect((await read({}, before)).failed).toEqual([])
  })

  test('leaves out what the tools of the memory put out, and leaves fences to the service', async () => {
    const { state, read } = fixture()
    const fence = '<recalled:abcdefgh>\nremembered\n</recalled:abcdefgh>'
    const bubbles = [
      { bubbleId: 'a', type: 1, text: 'What now?' },
      { bubbleId: 'b', type: 2, toolFormerData: { name: 'mcp_recalld_recall', params: '{}', result: 'reminded' } },
      { bubbleId: 'c', type: 2, toolFormerData: { name: 'shell', result: `before ${fence} after` } },
    ]
    for (const bubble of bubbles) state.put('cursorDiskKV', `bubbleId:s:${bubble.bubbleId}`, bubble)
    state.put('cursorDiskKV', 'composerData:s', { fullConversationHeadersOnly: bubbles })
    const text = await textOf((await read()).items[0])
    expect(text).not.toContain('reminded')
    expect(text).toContain(`before ${fence} after`)
  })
})

describe("a chat with Cursor's agent", () => {
  const messages = [
    { role: 'system', content: 'You are an agent.' },
    { role: 'user', content: '<user_info>\nOS: linux\n</user_info>' },
    {
      role: 'user',
      content: [{ type: 'text', text: '<user_query>\nRead it\n</user_query>' }],
      createdAt: 1772614800000,
    },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'secret thoughts' },
        { type: 'text', text: 'I read.' },
        { type: 'tool-call', toolCallId: 'c1', toolName: 'Read', args: { path: 'a.ts' } },
        { type: 'tool-call', toolCallId: 'c2', toolName: 'mcp__recalld__recall', args: { query: 'remembered' } },
      ],
    },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId: 'c1', toolName: 'Read', result: 'const a = 1' },
        { type: 'tool-result', toolCallId: 'c2', result: 'remembered' },
      ],
    },
  ]

  test('is read from its database, and its project found by its hash', async () => {
    const { home, read } = fixture()
    home.write(`${USER}/workspaceStorage/a1b2/workspace.json`, '{"folder":"file:///home/ada/shop"}')
    const bucket = createHash('md5').update('/home/ada/shop').digest('hex')
    cursorChat(join(home.folder, '.cursor/chats', bucket, 'chat/store.db'), { name: 'Reading' }, messages)
    const { items } = await read()
    expect(items).toMatchObject([{ title: 'Reading', where: '/home/ada/shop' }])
    expect(items[0]?.body).toBe(
      '## User (2026-03-04T09:00:00.000Z)\n\nRead it\n\n## Assistant\n\nI read.\n\n### Tool: Read\n\npath: a.ts\n\n### Tool: Read\n\nconst a = 1\n',
    )
  })

  test('is read from its transcript only where there is nothing better', async () => {
    const { home, state, read } = fixture()
    state.composer('editor', 1)
    state.put('cursorDiskKV', 'composerData:draft', { fullConversationHeadersOnly: [] })
    cursorChat(join(home.folder, '.cursor/chats/abc/chat/store.db'), {}, messages)
    for (const id of ['editor', 'chat', 'draft', 'other'])
      home.write(`${TRANSCRIPTS}/${id}/${id}.jsonl`, [said('user', `Transcript of ${id}`)])
    home.write(`${TRANSCRIPTS}/other/subagents/side.jsonl`, [said('user', 'side work')])
    const before = await read()
    expect(before.items.map(({ title }) => title).sort()).toEqual([
      'Prompt 1.',
      'Read it',
      'Transcript of draft',
      'Transcript of other',
    ])
    home.append(`${TRANSCRIPTS}/other/other.jsonl`, '{"role":"user","message":{"content":[{"type":"te')
    expect((await read({}, before)).items).toEqual([])
    home.append(`${TRANSCRIPTS}/other/other.jsonl`, 'xt","text":"And more"}]}}\n')
    const after = await read({}, before)
    expect(after.items.map(segmentOf)).toEqual(['other:s=0001'])
    expect(String(after.items[0]?.body)).toContain('And more')
  })
})

describe('where Cursor keeps its sessions', () => {
  test.each<[string, string, Partial<SourceMachine>]>([
    ['on Linux', '.config/Cursor/User', {}],
    ['on macOS', 'Library/Application Support/Cursor/User', { platform: 'darwin' }],
    ['on Windows', 'AppData/Roaming/Cursor/User', { platform: 'win32' }],
  ])('%s', async (_, user, machine) => {
    const { home, read } = fixture(false, machine)
    const state = cursorDatabase(join(home.folder, user, 'globalStorage/state.vscdb'))
    state.composer('s', 1)
    expect((await read()).items).toHaveLength(1)
    state.close()
  })

  test('nowhere: the places that were looked at are named', async () => {
    const { read } = fixture(false)
    const message = expect.stringContaining('~/.config/Cursor/User, ~/.cursor')
    await expect(read()).rejects.toMatchObject({ remedy: 'reconfigure', message })
  })

  test('the account stays the same when the editor joins the agent', async () => {
    const { home } = fixture(false)
    home.write(`${TRANSCRIPTS}/t.jsonl`, [said('user', 'Hello')])
    const before = await connectorContext(cursor, { name: 'me' }, home)
    home.write(`${USER}/settings.json`, '{}')
    const after = await connectorContext(cursor, { name: 'me' }, home)
    expect(after.account.account).toBe(before.account.account)
  })
})

const recorded = fileURLToPath(new URL('../../../../shared/fixtures/transcripts/cursor', import.meta.url))
test.skipIf(!existsSync(recorded))(
  'recorded sessions of Cursor (skipped where ../shared/fixtures is absent)',
  async () => {
    const { home, read } = fixture(false)
    mkdirSync(join(home.folder, TRANSCRIPTS), { recursive: true })
    for (const name of readdirSync(recorded)) {
      const place = name.endsWith('.vscdb') ? STATE : `${TRANSCRIPTS}/${name}`
      cpSync(join(recorded, name), join(home.folder, place))
    }
    const { items, failed } = await read()
    expect(failed).toEqual([])
    expect(items.map(({ title }) => title)).toEqual([
      'Synthetic v0.16 Composer session',
      'hi',
      'Session',
      'What is 2+2?',
      'Read foo.txt',
    ])
    expect(items[0]).toMatchObject({ where: '/fixture/v016/project' })
    const [composer, broken] = await Promise.all(items.map(textOf))
    const order = [
      'Synthetic question alpha.',
      'Composer owns',
      'Synthetic answer beta.',
      'synthetic read result',
      'Synthetic empty-ID',
    ]
    expect(order.map((words) => composer?.includes(words))).toEqual(order.map(() => true))
    expect(broken).not.toContain('REDACTED')
  },
)

function said(role: string, text: string) {
  return { role, message: { content: [{ type: 'text', text }] } }
}

/** @param hasEditor with a database of the editor, open as while Cursor runs */
function fixture(hasEditor = true, machine: Partial<SourceMachine> = {}) {
  const home = agentHome(machine)
  onTestFinished(home.remove)
  const read = (config: Record<string, unknown> = {}, earlier?: Reading) => readAll(cursor, config, home, earlier)
  const none = () => {
    throw new Error('there is no editor here')
  }
  if (!hasEditor) return { home, read, state: { put: none, composer: none, close: none } }
  return { home, read, state: cursorDatabase(join(home.folder, STATE)) }
}
