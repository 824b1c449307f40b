import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { zstdCompressSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { codex } from '../../../connectors/local/codex.ts'
import { accountPart } from '../../../src/connector/source-item-id.ts'
import { describeConnectorContract } from '../../contract/connector-contract.ts'
import { agentHome, type Reading, readAll, segmentOf, textOf } from '../../fakes/local/agent-home.ts'
import { connectorContext } from '../../lib/connector-context.ts'
import { parsed, turns } from '../../unit/pipeline/parse/parse-source-file.ts'

const ID = '0199aaaa-bbbb-7ccc-8ddd-00000000000'
const DAY = '.codex/sessions/2026/05/13'
const nameOf = (number: number) => `rollout-2026-05-13T09-00-0${number}-${ID}${number}`

describeConnectorContract('Codex', async () => {
  const home = agentHome()
  home.write(`${DAY}/${nameOf(1)}.jsonl`, [meta(), ...exchanges(1, 45)])
  home.write('.codex/archived_sessions/rollout-2025-12-01T09-00-00-old.jsonl', [meta(), ...exchanges(1, 1)])
  const { account } = (await connectorContext(codex, { name: 'me' }, home)).account
  return {
    connector: codex,
    config: { name: 'me' },
    options: { machine: home.machine },
    async add() {
      home.write(`${DAY}/${nameOf(2)}.jsonl`, [meta(), ...exchanges(1, 1)])
      return `codex:${accountPart(account)}:${ID}2:s=0001`
    },
    async edit() {
      home.append(`${DAY}/${nameOf(1)}.jsonl`, exchanges(46, 46))
      return `codex:${accountPart(account)}:${ID}1:s=0003`
    },
    async [Symbol.asyncDispose]() {
      home.remove()
    },
  }
})

describe('a session of Codex', () => {
  test('becomes a document that the parser reads as a conversation, though it is written twice', async () => {
    const { home, read } = fixture()
    home.write(`${DAY}/${nameOf(1)}.jsonl`, [
      meta(),
      message('developer', 'You are Codex.'),
      message('user', '<environment_context>\n<cwd>/home/ada/shop</cwd>'),
      message('user', '# AGENTS.md instructions for /home/ada/shop'),
      message('user', 'List files'),
      line('event_msg', { type: 'user_message', message: 'List files' }),
      line('response_item', { type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }] }),
      line('response_item', { type: 'function_call', name: 'shell', call_id: 'c1', arguments: '{"command":"ls"}' }),
      line('event_msg', { type: 'exec_command_end', call_id: 'c1', aggregated_output: 'a.txt' }),
      line('response_item', {
        type: 'function_call_output',
        call_id: 'c1',
        output: '{"output":"a.txt","metadata":{}}',
      }),
      line('response_item', { type: 'web_search_call', action: { query: 'weather' } }),
      line('something_new', { deep: true }),
      line('event_msg', { type: 'agent_message', message: 'One file.' }),
      message('assistant', 'One file.'),
      line('compacted', { message: 'summary of it all' }),
    ])
    const { items } = await read()
    expect(items).toHaveLength(1)
    expect(items[0]).toMatchObject({ title: 'List files', where: '/home/ada/shop', people: ['Ada Lovelace', 'Codex'] })
    const document = await parsed(await textOf(items[0]), { sourceType: 'codex' })
    expect(turns(document).map(([speaker, , text]) => [speaker, text])).toEqual([
      ['Anna', 'List files'],
      [undefined, 'command: ls'],
      [undefined, 'a.txt'],
      [undefined, 'query: weather'],
      ['Codex', 'One file.'],
    ])
  })

  test('is read from its events where it has no items, and from bare items of old versions', async () => {
    const { home, read } = fixture()
    home.write(`${DAY}/${nameOf(1)}.jsonl`, [
      line('event_msg', { type: 'user_message', message: 'From events' }),
      line('event_msg', { type: 'agent_message', message: 'Right.' }),
    ])
    home.write(`${DAY}/${nameOf(2)}.jsonl`, [
      { id: 'x', timestamp: '2025-06-01T00:00:00Z', instructions: null },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'From bare items' }] },
    ])
    home.write(`${DAY}/${nameOf(3)}.jsonl`, [
      line('event_msg', { type: 'user_message', message: 'Event first' }),
      message('user', 'Event first'),
    ])
    const { items } = await read()
    expect(items.map(({ body }) => String(body).replace(/ \(.*\)/g, ''))).toEqual([
      '## User\n\nFrom events\n\n## Assistant\n\nRight.\n',
      '## User\n\nFrom bare items\n',
      '## User\n\nEvent first\n',
    ])
  })

  test('of a sub-agent names its parent, also when it goes on, and has no words of the person', async () => {
    const { home, read } = fixture()
    const source = { subagent: { thread_spawn: { parent_thread_id: '0199-parent', depth: 1 } } }
    home.write(`${DAY}/${nameOf(1)}.jsonl`, [line('session_meta', { id: 'x', source }), ...exchanges(1, 1)])
    const before = await read()
    home.append(`${DAY}/${nameOf(1)}.jsonl`, exchanges(2, 2))
    const items = [...before.items, ...(await read({}, before)).items]
    expect(items).toHaveLength(2)
    for (const item of items) {
      expect(item).toMatchObject({ title: expect.stringMatching(/^Sub-agent: /), parents: ['Session 0199-parent'] })
      expect(item.body).not.toMatch(/^## User/m)
    }
  })

  test('leaves out what the tools of the memory put out, and leaves fences to the service', async () => {
    const { home, read } = fixture()
    const call = (name: string, id: string) =>
      line('response_item', { type: 'function_call', name, call_id: id, arguments: '{"q":"reminded"}' })
    home.write(`${DAY}/${nameOf(1)}.jsonl`, [
      message('user', 'What now?'),
      call('recalld__recall', 'c1'),
      line('response_item', { type: 'function_call_output', call_id: 'c1', output: 'reminded' }),
      line('response_item', { type: 'function_call', name: 'exec', call_id: 'c2', arguments: 'go' }),
      line('response_item', {
        type: 'function_call_output',
        call_id: 'c2',
        output: [{ type: 'text', text: 'a <recalled:abcdefgh>\nremembered\n</recalled:abcdefgh> b' }],
      }),
    ])
    const text = await textOf((await read()).items[0])
    expect(text).not.toContain('reminded')
    expect(text).toContain('a <recalled:abcdefgh>\nremembered\n</recalled:abcdefgh> b')
  })

  test('that goes on gives only its last segment again', async () => {
    const { home, read } = fixture()
    home.write(`${DAY}/${nameOf(1)}.jsonl`, [meta(), ...exchanges(1, 30)])
    const before = await read()
    home.append(`${DAY}/${nameOf(1)}.jsonl`, exchanges(31, 31))
    const after = await read({}, before)
    expect(after.items.map(segmentOf)).toEqual([`${ID}1:s=0002`])
    expect(after.items[0]).toMatchObject({ title: 'Prompt 1. (part 2)', where: '/home/ada/shop' })
    expect((await read()).items.at(-1)?.revision).toBe(after.items[0]?.revision)
  })
})

describe('the files of Codex', () => {
  const path = `${DAY}/${nameOf(1)}.jsonl`
  const whole = () => [meta(), ...exchanges(1, 25)]

  test('give the same documents when they are compressed, archived, and expanded again', async () => {
    const { home, read } = fixture()
    const plain = home.write(path, whole())
    const before = await read()
    expect(before.items).toHaveLength(2)
    const revisions = before.items.map(({ revision }) => revision)

    const bytes = Buffer.from(
      whole()
        .map((value) => `${JSON.stringify(value)}\n`)
        .join(''),
    )
    home.write(`${path}.zst`, zstdCompressSync(bytes))
    rmSync(plain)
    const compressed = await read({}, before)
    expect(compressed.items.map(({ revision }) => revision)).toEqual(revisions)

    const archived = join(home.folder, '.codex/archived_sessions', `${nameOf(1)}.jsonl.zst`)
    mkdirSync(dirname(archived))
    renameSync(`${plain}.zst`, archived)
    const moved = await read({}, compressed)
    expect([...moved.cursors.keys()]).toEqual(['2026-05'])
    expect(moved.items).toEqual([])

    home.write(path, [...whole(), ...exchanges(26, 26)])
    const expanded = await read({}, moved)
    expect(expanded.items.map(({ revision }) => revision)[0]).toBe(revisions[0])
    expect(String(expanded.items[1]?.body)).toContain('Prompt 26.')
  })

  test('that are damaged are named, and hold nothing up', async () => {
    const { home, read } = fixture()
    home.write(`${DAY}/${nameOf(1)}.jsonl.zst`, 'no zstandard at all')
    home.write(`${DAY}/${nameOf(2)}.jsonl`, [meta(), ...exchanges(1, 1)])
    const before = await read()
    expect(before.items.map(segmentOf)).toEqual([`${ID}2:s=0001`])
    expect(before.failed).toMatchObject([{ error: { remedy: 'skip', message: expect.stringContaining(nameOf(1)) } }])
    expect((await read({}, before)).failed).toEqual([])
  })

  test('are looked for in CODEX_HOME, in the home, or where the settings say', async () => {
    const { home, read } = fixture()
    await expect(read()).rejects.toMatchObject({ remedy: 'reconfigure', message: expect.stringContaining('~/.codex') })
    home.write('elsewhere/sessions/2026/05/13/s.jsonl', [meta(), ...exchanges(1, 1)])
    const machine = { ...home.machine, env: { CODEX_HOME: join(home.folder, 'elsewhere') } }
    expect((await readAll(codex, {}, { machine })).items).toHaveLength(1)
    expect((await read({ path: ['~/elsewhere'] })).items).toHaveLength(1)
  })

  const recorded = fileURLToPath(new URL('../../../../shared/fixtures/transcripts/codex', import.meta.url))
  test.skipIf(!existsSync(recorded))(
    'recorded: a session that holds no message (skipped where ../shared/fixtures is absent)',
    async () => {
      const { home, read } = fixture()
      mkdirSync(join(home.folder, '.codex'))
      cpSync(recorded, join(home.folder, '.codex/sessions'), { recursive: true })
      const { items, failed, cursors } = await read()
      expect([items, failed, [...cursors.keys()]]).toEqual([[], [], ['undated']])
    },
  )
})

function line(type: string, payload: Record<string, unknown>) {
  return { timestamp: '2026-05-13T09:00:00.000Z', type, payload }
}

function meta() {
  return line('session_meta', { id: 'x', cwd: '/home/ada/shop', source: 'cli' })
}

function message(role: string, text: string) {
  return line('response_item', { type: 'message', role, content: [{ type: 'input_text', text }] })
}

function exchanges(from: number, to: number) {
  const numbers = Array.from({ length: to - from + 1 }, (_, at) => from + at)
  return numbers.flatMap((number) => [
    message('user', `Prompt ${number}.`),
    line('event_msg', { type: 'user_message', message: `Prompt ${number}.` }),
    message('assistant', `Answer ${number}.`),
  ])
}

function fixture() {
  const home = agentHome()
  onTestFinished(home.remove)
  return {
    home,
    read: (config: Record<string, unknown> = {}, earlier?: Reading) => readAll(codex, config, home, earlier),
  }
}
