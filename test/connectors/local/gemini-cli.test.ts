import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { geminiCli } from '../../../connectors/local/gemini-cli.ts'
import { accountPart } from '../../../src/connector/source-item-id.ts'
import { describeConnectorContract } from '../../contract/connector-contract.ts'
import { agentHome, type Reading, readAll, segmentOf, textOf } from '../../fakes/local/agent-home.ts'
import { connectorContext } from '../../lib/connector-context.ts'
import { parsed, turns } from '../../unit/pipeline/parse/parse-source-file.ts'

// The lines are those that Gemini CLI 0.61.0 wrote when it was run with a scripted model.
const PROJECT = '.gemini/tmp/shop'
const CHATS = `${PROJECT}/chats`
const ID = '1c1ddb5d-a5ec-4ff6-be8b-b46bc37796a'
const nameOf = (number: number) => `session-2026-11-2${number}T10-00-1c1ddb5d`

describeConnectorContract('Gemini CLI', async () => {
  const home = agentHome()
  home.write(`${PROJECT}/.project_root`, '/home/ada/shop')
  home.write(`${CHATS}/${nameOf(1)}.jsonl`, [facts(1), ...exchanges(1, 45)])
  home.write(`${CHATS}/${nameOf(2)}.json`, JSON.stringify({ ...facts(2), messages: exchanges(1, 1) }))
  const { account } = (await connectorContext(geminiCli, { name: 'me' }, home)).account
  return {
    connector: geminiCli,
    config: { name: 'me' },
    options: { machine: home.machine },
    async add() {
      home.write(`${CHATS}/${nameOf(3)}.jsonl`, [facts(3), ...exchanges(1, 1)])
      return `gemini-cli:${accountPart(account)}:${ID}3:s=0001`
    },
    async edit() {
      home.append(`${CHATS}/${nameOf(1)}.jsonl`, exchanges(46, 46))
      return `gemini-cli:${accountPart(account)}:${ID}1:s=0003`
    },
    async [Symbol.asyncDispose]() {
      home.remove()
    },
  }
})

describe('a session of Gemini CLI', () => {
  test('becomes a document that the parser reads as a conversation with its times', async () => {
    const { home, read } = fixture()
    const listing = [{ functionResponse: { id: 't1', name: 'list_directory', response: { output: 'pool.ts' } } }]
    const call = { id: 't1', name: 'list_directory', args: { dir_path: '.' }, result: listing, status: 'success' }
    home.write(`${CHATS}/${nameOf(1)}.jsonl`, [
      facts(1),
      { $set: { messages: [said('user', 0, [{ text: '<session_context>\nThis is the Gemini CLI.' }], 'c')] } },
      said('user', 1, [{ text: 'Why does it fail?' }, { text: '<hook_context>Recalled: a pool</hook_context>' }]),
      { $set: { lastUpdated: '2026-11-21T10:01:00.000Z' } },
      // Written again when the tools were run.
      said('gemini', 2, ''),
      { ...said('gemini', 2, ''), thoughts: [{ subject: 'secret thoughts' }], toolCalls: [call] },
      said('user', 3, listing),
      said('info', 4, 'Update available'),
      said('gemini', 5, 'The pool is too small.'),
      { $set: { summary: 'Pool size' } },
    ])
    const { items } = await read()
    expect(items).toMatchObject([
      { title: 'Pool size', where: '/home/ada/shop', people: ['Ada Lovelace', 'Gemini'], visibility: 'private' },
    ])
    const document = await parsed(await textOf(items[0]), { sourceType: 'stream' })
    expect(turns(document).map(([, at, text]) => [at, text])).toEqual([
      ['2026-11-21T10:01:00.000Z', 'Why does it fail?'],
      [undefined, 'dir_path: .'],
      [undefined, 'pool.ts'],
      ['2026-11-21T10:05:00.000Z', 'The pool is too small.'],
    ])
  })

  test('loses what was undone, and is read from its log when it goes on from an older file', async () => {
    const { home, read } = fixture()
    home.write(`${CHATS}/${nameOf(1)}.json`, JSON.stringify({ ...facts(1), messages: exchanges(1, 1) }))
    home.write(`${CHATS}/${nameOf(1)}.jsonl`, [
      facts(1),
      ...exchanges(1, 3),
      { $rewindTo: 'u2' },
      said('user', 9, 'Another way.', 'u9'),
    ])
    const { items } = await read()
    expect(items.map(segmentOf)).toEqual([`${ID}1:s=0001`])
    const text = await textOf(items[0])
    expect(text).toContain('Prompt 1.')
    expect(text).not.toMatch(/Prompt [23]\./)
    expect(text).toContain('Another way.')
  })

  test('of a sub-agent is left out, and a damaged one is named once', async () => {
    const { home, read } = fixture()
    home.write(`${CHATS}/${nameOf(1)}.jsonl`, [{ ...facts(1), kind: 'subagent' }, ...exchanges(1, 1)])
    home.write(`${CHATS}/${ID}9/sub.jsonl`, [facts(9), ...exchanges(1, 1)])
    home.write(`${CHATS}/${nameOf(2)}.json`, '{"sessionId": "x", "messages": [')
    const before = await read()
    expect(before.items).toEqual([])
    expect(before.failed).toMatchObject([
      { error: { remedy: 'skip', message: expect.stringContaining('is not a session of Gemini CLI') } },
    ])
    expect((await read({}, before)).failed).toEqual([])
  })

  test('that goes on gives only its last segment again', async () => {
    const { home, read } = fixture()
    home.write(`${CHATS}/${nameOf(1)}.jsonl`, [facts(1), ...exchanges(1, 45)])
    const before = await read()
    home.append(`${CHATS}/${nameOf(1)}.jsonl`, exchanges(46, 46))
    expect((await read({}, before)).items.map(segmentOf)).toEqual([`${ID}1:s=0003`])
  })

  test('shows nothing that its tools recalled', async () => {
    const { home, read } = fixture()
    const recalled = (name: string) => ({ name, args: { query: 'pool' }, result: [{ text: 'remembered' }] })
    const calls = ['mcp_recalld_recall', 'mcp_recalld_open', 'mcp_recalld_recent'].map(recalled)
    home.write(`${CHATS}/${nameOf(1)}.jsonl`, [
      facts(1),
      said('user', 1, 'What now?'),
      { ...said('gemini', 2, 'Enlarge it.'), toolCalls: calls },
    ])
    const text = await textOf((await read()).items[0])
    expect(text).not.toContain('remembered')
    expect(text).toContain('Enlarge it.')
  })
})

describe('where Gemini CLI keeps its sessions', () => {
  test('in folders of older versions, named by a digest of the project', async () => {
    const { home, read } = fixture()
    const digest = createHash('sha256').update('/home/ada/blog').digest('hex')
    home.write('.gemini/projects.json', JSON.stringify({ projects: { '/home/ada/blog': 'blog' } }))
    home.write(`.gemini/tmp/${digest}/chats/${nameOf(1)}.json`, JSON.stringify({ messages: exchanges(1, 1) }))
    const { items } = await read()
    expect(items).toMatchObject([{ where: '/home/ada/blog' }])
    expect(items.map(segmentOf)).toEqual([`${nameOf(1)}:s=0001`])
    expect((await read({ exclude: ['blog'] })).cursors.has(digest)).toBe(false)
  })

  test('with GEMINI_CLI_HOME, and where the settings say', async () => {
    const { home, read } = fixture()
    home.write(`other/.gemini/tmp/shop/chats/${nameOf(1)}.jsonl`, [facts(1), ...exchanges(1, 1)])
    const machine = { ...home.machine, env: { GEMINI_CLI_HOME: join(home.folder, 'other') } }
    expect((await readAll(geminiCli, {}, { machine })).items).toHaveLength(1)
    expect((await read({ path: '~/other/.gemini' })).items).toHaveLength(1)
  })

  test('nowhere: the place that was looked at is named', async () => {
    const { home, read } = fixture()
    rmSync(join(home.folder, '.gemini'), { recursive: true })
    await expect(read()).rejects.toMatchObject({
      remedy: 'reconfigure',
      message: expect.stringContaining('~/.gemini'),
    })
  })
})

function facts(number: number) {
  const at = `2026-11-2${number}T10:00:00.000Z`
  return { sessionId: `${ID}${number}`, projectHash: 'a3', startTime: at, lastUpdated: at, kind: 'main' }
}

function said(type: string, minute: number, content: unknown, id = `m${minute}`) {
  return { id, timestamp: new Date(Date.UTC(2026, 10, 21, 10, minute)).toISOString(), type, content }
}

function exchanges(from: number, to: number) {
  return Array.from({ length: to - from + 1 }, (_, at) => [
    said('user', from + at, [{ text: `Prompt ${from + at}.` }], `u${from + at}`),
    said('gemini', from + at, `Answer ${from + at}.`, `g${from + at}`),
  ]).flat()
}

function fixture() {
  const home = agentHome()
  onTestFinished(home.remove)
  home.write(`${PROJECT}/.project_root`, '/home/ada/shop')
  return {
    home,
    read: (config: Record<string, unknown> = {}, earlier?: Reading) => readAll(geminiCli, config, home, earlier),
  }
}
