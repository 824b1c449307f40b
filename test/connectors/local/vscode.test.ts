import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { vscode } from '../../../connectors/local/vscode.ts'
import type { SourceMachine } from '../../../src/connector/connector.ts'
import { accountPart } from '../../../src/connector/source-item-id.ts'
import { describeConnectorContract } from '../../contract/connector-contract.ts'
import { agentHome, type Reading, readAll, segmentOf, textOf } from '../../fakes/local/agent-home.ts'
import { connectorContext } from '../../lib/connector-context.ts'
import { parsed, turns } from '../../unit/pipeline/parse/parse-source-file.ts'

const USER = '.config/Code/User'
const CHATS = `${USER}/workspaceStorage/a1b2/chatSessions`

describeConnectorContract('VS Code', async () => {
  const home = agentHome()
  home.write(`${USER}/workspaceStorage/a1b2/workspace.json`, JSON.stringify({ folder: 'file:///home/ada/shop' }))
  home.write(`${CHATS}/old.json`, JSON.stringify({ sessionId: 'old', requests: requests(1, 2) }))
  home.write(`${CHATS}/log.jsonl`, [{ kind: 0, v: { sessionId: 'log', requests: requests(1, 45) } }])
  home.write(`${USER}/globalStorage/emptyWindowChatSessions/empty.jsonl`, [
    { kind: 0, v: { requests: requests(1, 1) } },
  ])
  const { account } = (await connectorContext(vscode, { name: 'me' }, home)).account
  return {
    connector: vscode,
    config: { name: 'me' },
    options: { machine: home.machine },
    async add() {
      home.write(`${CHATS}/added.json`, JSON.stringify({ requests: requests(1, 1) }))
      return `vscode:${accountPart(account)}:added:s=0001`
    },
    async edit() {
      home.append(`${CHATS}/log.jsonl`, [{ kind: 2, k: ['requests'], v: requests(46, 46) }])
      return `vscode:${accountPart(account)}:log:s=0003`
    },
    async [Symbol.asyncDispose]() {
      home.remove()
    },
  }
})

describe('a chat of VS Code', () => {
  test('becomes a document that the parser reads as a conversation with its times', async () => {
    const { home, read } = fixture()
    const response = [
      { kind: 'thinking', value: 'secret thoughts' },
      { value: 'I look at ' },
      { kind: 'inlineReference', inlineReference: { path: '/home/ada/shop/pool.ts' } },
      { value: '.', supportThemeIcons: false },
      {
        kind: 'toolInvocationSerialized',
        toolId: 'run_in_terminal',
        invocationMessage: { value: 'Running tests' },
        resultDetails: { input: '{"command":"npm test"}', output: [{ type: 'embed', value: '1 failed' }] },
      },
      { kind: 'toolInvocationSerialized', toolId: 'copilot_readFile', pastTenseMessage: 'Read pool.ts' },
      { kind: 'undoStop', id: 'x' },
      { kind: 'markdownContent', content: { value: 'The pool is too small.' } },
    ]
    const prompt = { timestamp: Date.UTC(2026, 2, 4, 9), message: { text: 'Why does it fail?', parts: [] }, response }
    home.write(`${CHATS}/s.json`, JSON.stringify({ sessionId: 's', customTitle: 'Pool', requests: [prompt] }))
    const { items } = await read()
    expect(items).toMatchObject([
      { title: 'Pool', where: '/home/ada/shop', people: ['Ada Lovelace', 'Copilot'], visibility: 'private' },
    ])
    const document = await parsed(await textOf(items[0]), { sourceType: 'vscode' })
    expect(turns(document)).toEqual([
      ['Anna', '2026-03-04T09:00:00.000Z', 'Why does it fail?'],
      ['Copilot', '2026-03-04T09:00:00.000Z', 'I look at `pool.ts`.'],
      [undefined, undefined, 'command: npm test'],
      [undefined, undefined, '1 failed'],
      [undefined, undefined, 'Read pool.ts'],
      ['Copilot', '2026-03-04T09:00:00.000Z', 'The pool is too small.'],
    ])
  })

  test('is replayed from its log: values are set, appended, cut and deleted', async () => {
    const { home, read } = fixture()
    home.write(`${CHATS}/s.jsonl`, [
      { kind: 0, v: { sessionId: 's', requests: [] } },
      { kind: 2, k: ['requests'], v: requests(1, 1) },
      { kind: 2, k: ['requests', 0, 'response'], v: [{ value: ' More.' }] },
      { kind: 2, k: ['requests'], v: requests(2, 3) },
      { kind: 2, k: ['requests'], v: requests(4, 4), i: 2 },
      { kind: 1, k: ['customTitle'], v: 'Named later' },
      { kind: 1, k: ['requests', 1, 'message', 'text'], v: 'Prompt 2, edited.' },
      { kind: 3, k: ['requests', 1, 'response'] },
      { kind: 1, k: ['requests', 99, 'message'], v: 'out of range' },
      { kind: 1, k: ['__proto__', 'polluted'], v: true },
      { kind: 7, k: ['from the future'] },
    ])
    home.append(`${CHATS}/s.jsonl`, '{"kind":1,"k":["customTi')
    const { items } = await read()
    expect(items.map(({ title }) => title)).toEqual(['Named later'])
    expect(said(items[0]?.body)).toEqual([
      'Prompt 1.',
      'Answer 1. More.',
      'Prompt 2, edited.',
      'Prompt 4.',
      'Answer 4.',
    ])
    expect('polluted' in {}).toBe(false)
  })

  test('gives again what was rewritten, and nothing else', async () => {
    const { home, read } = fixture()
    home.write(`${CHATS}/s.jsonl`, [{ kind: 0, v: { requests: requests(1, 50) } }])
    const before = await read()
    expect(before.items.map(segmentOf)).toEqual(['s:s=0001', 's:s=0002', 's:s=0003'])
    home.append(`${CHATS}/s.jsonl`, [{ kind: 2, k: ['requests'], v: requests(51, 51) }])
    const appended = await read({}, before)
    expect(appended.items.map(segmentOf)).toEqual(['s:s=0003'])
    home.append(`${CHATS}/s.jsonl`, [{ kind: 1, k: ['requests', 25, 'message', 'text'], v: 'Edited.' }])
    const edited = await read({}, appended)
    expect(edited.items.map(segmentOf)).toEqual(['s:s=0002'])
    expect(String(edited.items[0]?.body)).toContain('Edited.')
    expect((await read({}, edited)).items).toEqual([])
  })

  test('goes over from the snapshot to the log, and is not forgotten when both are deleted', async () => {
    const { home, read } = fixture()
    const snapshot = home.write(`${CHATS}/s.json`, JSON.stringify({ requests: requests(1, 1) }))
    const before = await read()
    const log = home.write(`${CHATS}/s.jsonl`, [{ kind: 0, v: { requests: requests(1, 2) } }])
    const after = await read({}, before)
    expect(after.items.map(segmentOf)).toEqual(['s:s=0001'])
    expect(said(after.items[0]?.body)).toHaveLength(4)
    for (const path of [snapshot, log]) rmSync(path)
    expect(await read({}, after)).toMatchObject({ items: [], gone: [], failed: [] })
  })

  test('leaves out what the tools of the memory put out, and leaves fences to the service', async () => {
    const { home, read } = fixture()
    const recalled = (toolId: string, value: string) => ({
      kind: 'toolInvocationSerialized',
      toolId,
      resultDetails: { input: '{"query":"reminded"}', output: [{ value }] },
    })
    const response = [
      recalled('mcp_recalld_recall', 'reminded'),
      { kind: 'toolInvocationSerialized', toolId: 'shell', resultDetails: { output: [{ value: fence('a', 'b') }] } },
      { value: fence('Here: ', ' So.') },
    ]
    home.write(`${CHATS}/s.json`, JSON.stringify({ requests: [{ message: 'What now?', response }] }))
    const text = await textOf((await read()).items[0])
    expect(text).not.toContain('reminded')
    expect(text).toContain(fence('Here: ', ' So.'))
  })

  test('that is damaged is named once, and holds nothing up', async () => {
    const { home, read } = fixture()
    home.write(`${CHATS}/broken.json`, '{"requests": [')
    home.write(`${CHATS}/s.json`, JSON.stringify({ requests: requests(1, 1) }))
    const before = await read()
    expect(before.items.map(segmentOf)).toEqual(['s:s=0001'])
    expect(before.failed).toMatchObject([
      { error: { remedy: 'skip', message: expect.stringContaining('broken.json') } },
    ])
    expect((await read({}, before)).failed).toEqual([])
  })
})

describe('where VS Code keeps its chats', () => {
  const chat = JSON.stringify({ requests: requests(1, 1) })
  test.each<[string, string, Partial<SourceMachine>]>([
    ['on Linux', '.config/Code/User', {}],
    ['on macOS', 'Library/Application Support/Code/User', { platform: 'darwin' }],
    ['on Windows', 'AppData/Roaming/Code/User', { platform: 'win32' }],
    ['of the Insiders', '.config/Code - Insiders/User', {}],
  ])('%s', async (_, user, machine) => {
    const { home, read } = fixture(machine)
    rmSync(join(home.folder, '.config'), { recursive: true })
    home.write(`${user}/workspaceStorage/c3d4/workspace.json`, '{"folder":"file:///c%3A/Users/Ada/my%20shop"}')
    home.write(`${user}/workspaceStorage/c3d4/chatSessions/s.json`, chat)
    expect((await read()).items).toMatchObject([{ where: 'c:/Users/Ada/my shop' }])
  })

  test('with APPDATA, and where the settings say', async () => {
    const { home, read } = fixture()
    home.write('roaming/Code/User/workspaceStorage/c3d4/chatSessions/s.json', chat)
    const machine = { ...home.machine, platform: 'win32', env: { APPDATA: join(home.folder, 'roaming') } }
    expect((await readAll(vscode, {}, { machine })).items).toHaveLength(1)
    expect((await read({ path: '~/roaming/Code/User' })).items).toHaveLength(1)
  })

  test('nowhere: the places that were looked at are named', async () => {
    const { home, read } = fixture()
    rmSync(join(home.folder, '.config'), { recursive: true })
    const message = expect.stringContaining('~/.config/Code/User, ~/.config/Code - Insiders/User')
    await expect(read()).rejects.toMatchObject({ remedy: 'reconfigure', message })
  })

  test('a project that is excluded is not even a partition', async () => {
    const { home, read } = fixture()
    home.write(`${CHATS}/s.json`, chat)
    expect((await read({ exclude: ['shop'] })).cursors.size).toBe(0)
    expect((await read({ include: ['/home/ada/*'] })).items).toHaveLength(1)
  })
})

function requests(from: number, to: number) {
  return Array.from({ length: to - from + 1 }, (_, at) => ({
    requestId: `request_${from + at}`,
    timestamp: Date.UTC(2026, 2, 4, 9, from + at),
    message: { text: `Prompt ${from + at}.` },
    response: [{ value: `Answer ${from + at}.` }],
  }))
}

function fence(before: string, after: string): string {
  return `${before}<recalled:abcdefgh>\nremembered\n</recalled:abcdefgh>${after}`
}

function said(body: unknown): string[] {
  return String(body)
    .split(/^#.*\n/m)
    .map((text) => text.trim())
    .filter((text) => text !== '')
}

function fixture(machine: Partial<SourceMachine> = {}) {
  const home = agentHome(machine)
  onTestFinished(home.remove)
  home.write(`${USER}/workspaceStorage/a1b2/workspace.json`, JSON.stringify({ folder: 'file:///home/ada/shop' }))
  return {
    home,
    read: (config: Record<string, unknown> = {}, earlier?: Reading) => readAll(vscode, config, home, earlier),
  }
}
