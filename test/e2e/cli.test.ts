import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningCommand, runCommand, startUp } from '../lib/command-line.ts'
import { until } from '../lib/until.ts'

/** One service for the whole file: what a person does with it on the first day, in order. */
let folder: string
let home: string
let service: RunningCommand & { address: string }

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'recalld-test-'))
  home = join(folder, 'home')
  service = await startUp({ RECALLD_HOME: home })
})

afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

const run = (...args: string[]) => runCommand(args, { RECALLD_HOME: home })

async function json(...args: string[]) {
  const { code, stdout, stderr } = await run(...args, '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

async function ready(itemId: string, sourceType = 'text'): Promise<void> {
  await until(async () => {
    const { files } = await json('list', '--source-type', sourceType)
    return files.some((file: { item_id: string; status: string }) => file.item_id === itemId && file.status === 'ready')
  })
}

function note(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

describe('the first start', () => {
  test('prints the address, the key once, and commands that can be copied', () => {
    const key = /rk_[\w-]+/.exec(service.stdout())?.[0]
    expect(service.stdout()).toContain(`recalld is running at ${service.address}`)
    expect(service.stdout()).toContain(`curl -H 'x-api-key: ${key}' -F file=@README.md`)
    expect(service.stdout()).toContain(`${service.address}/v1/memories/recall`)
    expect(service.stdout()).toContain(`${service.address}/v1/memories/ask`)
  })

  test('leaves a home that only its owner can read, with credentials and a commented config.yaml', () => {
    const mode = (name: string) => statSync(join(home, name)).mode & 0o777
    expect([mode('.'), mode('credentials.json'), mode('recalld.db')]).toEqual([0o700, 0o600, 0o600])
    const credentials = JSON.parse(readFileSync(join(home, 'credentials.json'), 'utf8'))
    expect(credentials.base_url).toBe(service.address)
    expect(service.stdout()).toContain(credentials.api_key)
    expect(readFileSync(join(home, 'config.yaml'), 'utf8')).toContain('#port: 7411')
  })
})

describe('memorize, recall, ask, list, download, forget', () => {
  const text =
    '# Caching\n\nWe decided to cache prices in Valkey because the catalogue is read a thousand times a second.\n'

  test('a file goes in, is found, is quoted, comes back byte for byte, and is gone', async () => {
    const file = note('caching.md', text)
    const uploaded = await json('memorize', file, '--item-id', 'caching', '--source-type', 'technical_docs')
    expect(uploaded).toMatchObject({ file, status: 'success', item_id: 'caching' })
    await ready('caching', 'technical_docs')

    const recalled = await json('recall', 'where', 'are', 'prices', 'cached')
    expect(recalled.memories[0]).toMatchObject({ item_id: 'caching', source: 'technical_docs' })
    const card = await run('recall', 'where are prices cached', '--source', 'technical_docs', '--limit', '1')
    expect(card.stdout).toMatch(/^\d\.\d\d {2}technical_docs {2}caching_memory_\d+\n {2}\S/)
    expect(card.stdout).toContain('Valkey')
    expect((await json('ask', 'What do we cache prices in?')).response).toContain('Valkey')

    expect((await run('list', '--source-type', 'technical_docs')).stdout).toMatch(
      /\ncaching +Caching +ready +1 +\d{4}-\d\d-\d\d\n/,
    )
    const item = ['caching', '--source-type', 'technical_docs']
    const tagged = await run('tag', ...item, 'Shop', 'price list')
    expect(tagged.stdout).toBe('Tags of technical_docs/caching: price list, Shop\n')
    expect((await run('list', '--source-type', 'technical_docs', '--tag', 'SHOP')).stdout).toMatch(
      /updated +tags *\ncaching .*price list, Shop *\n/,
    )
    expect((await json('recall', 'where are prices cached', '--tag', 'shop')).memories[0].tags).toHaveLength(2)
    expect((await json('recall', 'where are prices cached', '--tag', 'other')).memories).toEqual([])
    await run('tag', ...item, 'shop', '--remove')
    expect((await json('tag', ...item)).tags).toEqual(['price list'])
    expect((await run('tag', ...item, '--remove')).stderr).toContain('specify the tags to remove')
    expect((await run('tag', ...item, 'x'.repeat(41))).stderr).toContain('Shorten the tag')
    expect((await run('download', 'caching')).stdout).toBe(text)
    const copy = join(folder, 'copy.md')
    expect((await run('download', 'caching', '--output', copy)).code).toBe(0)
    expect(readFileSync(copy, 'utf8')).toBe(text)
    const again = await run('download', 'caching', '--output', copy)
    expect(again).toMatchObject({ code: 1, stderr: `recalld: ${copy} already exists.\n` })

    const forgotten = await json('forget', 'caching', '--source-type', 'technical_docs')
    expect(forgotten).toMatchObject({ status: 'success', item_id: 'caching' })
    expect((await json('recall', 'where are prices cached')).memories).toEqual([])
    expect(await run('download', 'caching')).toMatchObject({ code: 1, stdout: '' })
  })

  test('a file without an item id is one item however often it is memorized', async () => {
    const file = note('weekly plan.md', 'On Monday we paint the office.\n')
    const first = await json('memorize', file)
    expect(first.item_id).toMatch(/^weekly-plan-md-[0-9a-f]{12}$/)
    const second = await run('memorize', file)
    expect(second.code).toBe(1)
    expect(second.stderr).toContain(`${file}: item_id ${first.item_id} `)
    expect(second.stderr).toContain('. Add --replace to replace it.\n')
    await ready(first.item_id)
    expect((await json('memorize', file, '--replace')).item_id).toBe(first.item_id)
  })

  test('of many files, one that cannot be read stops no other, and the exit code tells', async () => {
    const good = note('good.md', 'The kettle is in the kitchen.\n')
    const { code, stdout, stderr } = await run('memorize', join(folder, 'absent.md'), good, folder)
    expect(code).toBe(1)
    expect(stdout).toMatch(new RegExp(`^${good}: memorized as good-md-[0-9a-f]{12}\n$`))
    expect(stderr).toContain(`absent.md doesn't exist.\n`)
    expect(stderr).toContain(`${folder}: This is a folder`)
    expect(stderr).toContain("2 of 3 files couldn't be uploaded")
  })

  test('what a memory holds cannot write escape sequences to the terminal', async () => {
    const file = note('escape.md', 'The zeppelin lands \u001b[2J\u001b]0;owned\u0007 at noon in Friedrichshafen.\n')
    const { item_id } = await json('memorize', file)
    await ready(item_id)
    const { stdout } = await run('recall', 'when does the zeppelin land')
    expect(stdout).toContain('zeppelin')
    expect(stdout).not.toContain('\u001b')
  })
})

describe('keys, accounts and billing, while the service runs', () => {
  test('a key is made with its sources, works at once, gets a new value, and is deleted', async () => {
    await json('billing', 'set', '--plan', 'self-hosted', '--status', 'active')
    const created = await json('keys', 'create', '--name', 'agent', '--sources', 'slack,github')
    expect(created).toEqual({ id: created.id, name: 'agent', key: created.key, sources: ['slack', 'github'] })
    const ask = (key: string, source: string) =>
      runCommand(['recall', 'x', '--source', source], { RECALLD_HOME: home, RECALLD_API_KEY: key })
    expect((await ask(created.key, 'slack')).code).toBe(0)
    expect((await ask(created.key, 'email')).stderr).toMatch(/^recalld: .*email/)

    const listed = await json('keys', 'list')
    expect(listed.map((key: { name: string }) => key.name).sort()).toEqual(['agent', 'default'])
    expect(JSON.stringify(listed)).not.toContain('rk_')
    const renewed = await json('keys', 'regenerate', 'agent')
    expect(renewed).toMatchObject({ id: created.id, sources: ['slack', 'github'] })
    expect((await ask(created.key, 'slack')).code).toBe(1)
    expect((await ask(renewed.key, 'slack')).code).toBe(0)
    await json('keys', 'delete', 'agent')
    expect((await ask(renewed.key, 'slack')).code).toBe(1)
    expect((await run('keys', 'delete', 'default')).stderr).toContain('default key cannot be deleted')
  })

  test('a key for no sources, and one for all', async () => {
    expect((await json('keys', 'create', '--name', 'none', '--sources', 'none')).sources).toEqual([])
    expect((await json('keys', 'create', '--name', 'all', '--sources', 'all')).sources).toBe('all')
    await json('keys', 'delete', 'none')
    await json('keys', 'delete', 'all')
  })

  test('a new value of the default key goes into credentials.json', async () => {
    const { key } = await json('keys', 'regenerate', 'default')
    expect(JSON.parse(readFileSync(join(home, 'credentials.json'), 'utf8'))).toEqual({
      base_url: service.address,
      api_key: key,
    })
    expect((await run('recall', 'x')).code).toBe(0)
  })

  test('billing that is past due is told of, until it is not', async () => {
    expect(await json('billing', 'set', '--status', 'past_due')).toMatchObject({ status: 'past_due' })
    expect((await run('recall', 'x')).code).toBe(1)
    await json('billing', 'set', '--status', 'active')
    expect((await run('recall', 'x')).code).toBe(0)
  })

  test('status tells what is there, and doctor finds nothing wrong', async () => {
    const status = await json('status')
    expect(status.service).toEqual({ address: service.address, healthy: true })
    expect(status.sources).toContainEqual(expect.objectContaining({ source_type: 'text', items: expect.any(Object) }))
    // Whoever has plugged in no model is told of none.
    expect((await run('status')).stdout).not.toContain('model')
    const doctor = await json('doctor')
    expect(doctor.filter((finding: { result: string }) => finding.result !== 'ok')).toEqual([])
  })

  test('a further account has its own key and sees nothing of the first', async () => {
    const account = await json('accounts', 'create', '--name', 'acme', '--user-name', 'Mary')
    expect(Object.keys(account)).toEqual(['account_id', 'user_id', 'key'])
    const { stdout } = await runCommand(['list', '--json'], { RECALLD_HOME: home, RECALLD_API_KEY: account.key })
    expect(JSON.parse(stdout).total).toBe(0)
    expect(await json('keys', 'list', '--account', account.account_id)).toHaveLength(1)
    const [ours] = await json('keys', 'list')
    expect(ours.id).not.toBe((await json('keys', 'list', '--account', account.account_id))[0].id)
    await json('billing', 'set', '--status', 'past_due')
    expect((await run('recall', 'x')).stderr).toContain('past due')
    expect((await runCommand(['recall', 'x'], { RECALLD_HOME: home, RECALLD_API_KEY: account.key })).code).toBe(0)
    await json('billing', 'set', '--status', 'active')
    const created = await json('keys', 'create', '--name', 'ours', '--sources', 'text')
    expect((await run('keys', 'delete', created.id)).code).toBe(0)
  })
})

test('a file in a folder that does not exist is refused, naming the folder', async () => {
  const nowhere = join(folder, 'nowhere')
  for (const command of [
    ['backup', join(nowhere, 'x.db')],
    ['download', 'x', '--output', join(nowhere, 'x.md')],
  ]) {
    const { code, stderr } = await run(...command)
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(`folder ${nowhere} doesn't exist`) })
  }
})

test('status names what could not be processed by its id and its file, with the reason', async () => {
  const file = note('damaged.pdf', '%PDF-1.4 and nothing more')
  expect((await run('memorize', file, '--source-type', 'pdf', '--item-id', 'annual-report')).code).toBe(0)
  await until(async () => (await json('status')).failed.length > 0)
  expect((await run('status')).stdout).toMatch(/^pdf\/annual-report {2}damaged\.pdf {2}The PDF is damaged/m)
})

test('status counts what was left out of the items of each source', async () => {
  const reply = 'From: ann@example.com\nSubject: Plan\n\nThe plan is fine.\n\n> Is the plan fine?\n'
  await run('memorize', note('reply.eml', reply), '--item-id', 'reply')
  await until(async () => /^ {2}email: 1 quoted reply/m.test((await run('status')).stdout))
  const { sources } = await json('status')
  expect(sources.find((row: { source_type: string }) => row.source_type === 'email').left_out).toContainEqual({
    reason: 'quoted_reply',
    count: 1,
  })
})

test('damaged credentials are told of, and written again by the command that is named', async () => {
  writeFileSync(join(home, 'credentials.json'), '{')
  expect((await run('recall', 'x')).stderr).toContain('Run "recalld keys regenerate default" to write a new key.')
  const [problem] = JSON.parse((await run('doctor', '--json')).stdout).filter(
    (finding: { result: string }) => finding.result === 'problem',
  )
  expect(problem.message).toContain('Run "recalld keys regenerate default" to write a new key.')
  const accounts = await json('accounts', 'list')
  const { code } = await run('keys', 'regenerate', 'default', '--account', accounts[0].account_id)
  expect(code).toBe(0)
  expect((await run('recall', 'x')).code).toBe(0)
})

describe('a command that was typed wrongly', () => {
  test.each([
    [['kyes'], 'unknown command'],
    [['recall'], "missing required argument 'query'"],
    [['recall', 'x', '--source', 'slak'], 'Did you mean slack?'],
    [['recall', 'x', '--since', '2026-02-31'], 'It must be a date'],
    [['recall', 'x', '--until', '5'], 'It must be a date'],
    [['recall', 'x', '--limit', '0'], 'It must be a whole number from 1 to 100.'],
    [['keys', 'create'], "required option '--name <name>' not specified"],
    [['billing', 'set'], 'specify --plan, --status or both'],
    [['memorize', 'a', 'b', '--item-id', 'c'], '--item-id works with a single file only'],
  ])('%j ends with 2 and says what is wrong', async (args, sentence) => {
    const { code, stdout, stderr } = await run(...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(sentence)
  })

  test('or that failed answers in JSON when JSON was asked for', async () => {
    const failed = await run('download', 'absent', '--output', join(folder, 'x'), '--json')
    expect(failed.code).toBe(2)
    expect(JSON.parse(failed.stderr)).toEqual({ error: "unknown option '--json'", code: 'invalid' })
    const absent = await run('forget', 'absent', '--json')
    expect(absent).toMatchObject({ code: 1, stdout: '' })
    expect(JSON.parse(absent.stderr)).toMatchObject({ code: 'not_found', error: expect.any(String) })
  })
})
