import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { opencode } from '../../../connectors/local/opencode.ts'
import { accountPart } from '../../../src/connector/source-item-id.ts'
import { describeConnectorContract } from '../../contract/connector-contract.ts'
import { agentHome, type Reading, readAll, segmentOf, textOf } from '../../fakes/local/agent-home.ts'
import { type OpenCodeTurn, opencodeDatabase, opencodeExchanges } from '../../fakes/local/opencode-database.ts'
import { connectorContext } from '../../lib/connector-context.ts'
import { parsed, turns } from '../../unit/pipeline/parse/parse-source-file.ts'

const HOME = '.local/share/opencode'

describeConnectorContract('opencode', async () => {
  const home = agentHome()
  const database = opencodeDatabase(join(home.folder, HOME, 'opencode.db'))
  database.session('ses_1', opencodeExchanges(45))
  const { account } = (await connectorContext(opencode, { name: 'me' }, home)).account
  return {
    connector: opencode,
    config: { name: 'me' },
    options: { machine: home.machine },
    async add() {
      database.session('ses_2', opencodeExchanges(1))
      return `opencode:${accountPart(account)}:ses_2:s=0001`
    },
    async edit() {
      database.session('ses_1', opencodeExchanges(46))
      return `opencode:${accountPart(account)}:ses_1:s=0003`
    },
    async [Symbol.asyncDispose]() {
      database.close()
      home.remove()
    },
  }
})

const SESSION: readonly OpenCodeTurn[] = [
  {
    role: 'user',
    parts: [
      { type: 'text', text: 'Why does it fail?' },
      { type: 'text', text: 'Called the Read tool', synthetic: true },
      { type: 'text', text: 'A note', ignored: true },
    ],
  },
  {
    role: 'assistant',
    parts: [
      { type: 'step-start', snapshot: '6ca3' },
      { type: 'reasoning', text: 'secret thoughts' },
      {
        type: 'tool',
        tool: 'bash',
        callID: 'call_1',
        state: { status: 'completed', input: { command: 'npm test' }, output: '1 failed' },
      },
      {
        type: 'tool',
        tool: 'glob',
        callID: 'call_2',
        state: { status: 'error', input: { pattern: '*' }, error: 'ripgrep execution failed' },
      },
      { type: 'tool', tool: 'recalld_open', callID: 'call_3', state: { input: {}, output: 'remembered' } },
      { type: 'step-finish', reason: 'tool-calls' },
    ],
  },
  { role: 'assistant', parts: [{ type: 'text', text: 'The pool is too small.' }] },
]
const SAID = [
  ['2026-11-21T09:01:00.000Z', 'Why does it fail?'],
  [undefined, 'command: npm test'],
  [undefined, '1 failed'],
  [undefined, 'pattern: *'],
  [undefined, 'ripgrep execution failed'],
  ['2026-11-21T09:03:00.000Z', 'The pool is too small.'],
]

describe('a session in the database of opencode', () => {
  test('becomes a document that the parser reads as a conversation with its times', async () => {
    const { database, read } = fixture()
    database.session('ses_1', SESSION)
    const { items } = await read()
    expect(items).toMatchObject([
      { title: 'Pool', where: '/home/ada/shop', people: ['Ada Lovelace', 'opencode'], visibility: 'private' },
    ])
    const document = await parsed(await textOf(items[0]), { sourceType: 'stream' })
    expect(turns(document).map(([, at, text]) => [at, text])).toEqual(SAID)
  })

  test('loses what was undone, and a title that is none', async () => {
    const { database, read } = fixture()
    const title = 'New session - 2026-11-21T09:00:00.000Z'
    database.session('ses_1', opencodeExchanges(3), {
      title,
      revert: JSON.stringify({ messageID: 'msg_ses_1_0003', snapshot: '6ca3' }),
    })
    const { items } = await read()
    expect(items).toMatchObject([{ title: 'Prompt 1.' }])
    expect(await textOf(items[0])).not.toMatch(/Prompt [23]\./)
  })

  test('of a sub-agent names its parent, and has no words of the person', async () => {
    const { database, read } = fixture()
    database.session('ses_1', opencodeExchanges(1))
    database.session('ses_2', opencodeExchanges(1), { parent_id: 'ses_1' })
    const { items } = await read()
    expect(items.map(segmentOf)).toEqual(['ses_1:s=0001', 'ses_2:s=0001'])
    expect(items[1]).toMatchObject({ title: expect.stringMatching(/^Sub-agent: /), parents: ['Session ses_1'] })
    expect(await textOf(items[1])).not.toMatch(/^## User/m)
  })

  test('that goes on gives only its last segment again, and one that does not, none', async () => {
    const { database, read } = fixture()
    database.session('ses_1', opencodeExchanges(45))
    database.session('ses_2', opencodeExchanges(1))
    const before = await read()
    expect(before.items).toHaveLength(4)
    database.session('ses_1', opencodeExchanges(46))
    expect((await read({}, before)).items.map(segmentOf)).toEqual(['ses_1:s=0003'])
  })

  test('is not copied when nothing was written', async () => {
    const { home, database, read } = fixture()
    database.session('ses_1', opencodeExchanges(1))
    const before = await read()
    // Copies would fail without the folder they are made in.
    rmSync(home.machine.temporaryFolder, { recursive: true })
    expect((await read({}, before)).items).toEqual([])
  })

  test('of a later version with other columns is named, and files are still read', async () => {
    const { home, database, read } = fixture()
    database.run('ALTER TABLE session RENAME COLUMN directory TO folder')
    stored(home, 'ses_0', opencodeExchanges(1))
    const { items, failed } = await read()
    expect(items.map(segmentOf)).toEqual(['ses_0:s=0001'])
    expect(failed).toMatchObject([{ error: { remedy: 'skip', message: expect.stringContaining('unknown version') } }])
  })
})

describe('a session in the files of opencode before 1.2', () => {
  test('is read as one in the database', async () => {
    const { home, read } = fixture()
    stored(home, 'ses_1', SESSION)
    const { items } = await read()
    expect(items).toMatchObject([{ title: 'Pool', where: '/home/ada/shop' }])
    const document = await parsed(await textOf(items[0]), { sourceType: 'stream' })
    expect(turns(document).map(([, at, text]) => [at, text])).toEqual(SAID)
  })

  test('is read only once when the database has it too', async () => {
    const { home, database, read } = fixture()
    stored(home, 'ses_1', opencodeExchanges(1))
    database.session('ses_1', opencodeExchanges(2))
    const { items } = await read()
    expect(items.map(segmentOf)).toEqual(['ses_1:s=0001'])
    expect(await textOf(items[0])).toContain('Prompt 2.')
  })

  test('that goes on is read again', async () => {
    const { home, read } = fixture()
    stored(home, 'ses_1', opencodeExchanges(1))
    const before = await read()
    expect((await read({}, before)).items).toEqual([])
    stored(home, 'ses_1', opencodeExchanges(2))
    expect((await read({}, before)).items.map(segmentOf)).toEqual(['ses_1:s=0001'])
  })
})

test('opencode is looked for with XDG_DATA_HOME, where the settings say, and else named', async () => {
  const { home, database, read } = fixture()
  database.session('ses_1', opencodeExchanges(1))
  const machine = { ...home.machine, env: { XDG_DATA_HOME: join(home.folder, '.local/share') } }
  expect((await readAll(opencode, {}, { machine })).items).toHaveLength(1)
  expect((await read({ path: '~/.local/share/opencode' })).items).toHaveLength(1)
  const elsewhere = { ...home.machine, env: { XDG_DATA_HOME: join(home.folder, 'nowhere') } }
  await expect(readAll(opencode, {}, { machine: elsewhere })).rejects.toMatchObject({
    remedy: 'reconfigure',
    message: expect.stringContaining('~/nowhere/opencode'),
  })
})

/** As opencode 1.1 wrote it. */
function stored(home: ReturnType<typeof agentHome>, id: string, turns: readonly OpenCodeTurn[]): void {
  const created = Date.UTC(2026, 10, 21, 9)
  const root = `${HOME}/storage`
  const session = { id, projectID: 'p', directory: '/home/ada/shop', title: 'Pool', time: { created } }
  home.write(`${root}/session/p/${id}.json`, JSON.stringify(session))
  for (const [at, { role, parts }] of turns.entries()) {
    const message = `msg_${String(at + 1).padStart(4, '0')}_${id}`
    const time = { created: created + (at + 1) * 60_000 }
    home.write(`${root}/message/${id}/${message}.json`, JSON.stringify({ id: message, sessionID: id, role, time }))
    for (const [index, part] of parts.entries())
      home.write(`${root}/part/${message}/prt_${index}.json`, JSON.stringify({ id: `prt_${index}`, ...part }))
  }
}

function fixture() {
  const home = agentHome()
  const database = opencodeDatabase(join(home.folder, HOME, 'opencode.db'))
  onTestFinished(() => {
    database.close()
    home.remove()
  })
  return {
    home,
    database,
    read: (config: Record<string, unknown> = {}, earlier?: Reading) => readAll(opencode, config, home, earlier),
  }
}
