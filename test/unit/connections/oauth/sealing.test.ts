import { once } from 'node:events'
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { secretKey } from '../../../../src/connections/oauth/secret-key.ts'
import { giveAccess, never, oauthHome, openAccess } from '../../../lib/oauth-engine.ts'
import { recordingLog } from '../../../lib/recording-log.ts'
import { temporaryFolder } from '../../../lib/temporary-folder.ts'

async function setUp() {
  const home = await oauthHome()
  const engine = await home.open()
  const { id } = await giveAccess(home, engine)
  return { home, engine, id }
}

const OTHER_KEY = {
  remedy: 'reauthorize',
  message:
    "The grant for acme can't be decrypted: it was encrypted with a different secret key. Restore the secret key of this database, or connect again.",
}

test('no token and no secret is readable in any file of the home, in the log or in an error', async () => {
  const { home, engine, id } = await setUp()
  const told: string[] = []
  const tell = (error: Error) =>
    void told.push(`${error.message} ${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`)
  const access = await openAccess(engine)
  await access.replaceToken(await access.accessToken(never), never)
  for (const kind of ['cut', 'malformed'] as const) {
    home.server.fault('token', { kind })
    await access.replaceToken(await access.accessToken(never), never).catch(tell)
  }
  home.server.fault('token', { kind: 'error', status: 200, answer: { token_type: 'mac', access_token: 'access-odd' } })
  await access.replaceToken(await access.accessToken(never), never).catch(tell)
  const started = await engine.oauthGrants.begin(home.request())
  home.server.withdrawAll()
  home.server.fault('token', { kind: 'error', answer: { error: 'invalid_grant' } })
  await started.complete(await home.server.browse(started.url), never).catch(tell)
  await access.replaceToken(await access.accessToken(never), never).catch(tell)
  expect(told).toHaveLength(5)

  const seen = [
    ...readdirSync(home.folder, { recursive: true, encoding: 'utf8' }).map((name) =>
      readFileSync(join(home.folder, name), 'latin1'),
    ),
    JSON.stringify(home.lines),
    JSON.stringify([await engine.oauthGrants.list(), await engine.store.grants('account:a').find(id)]),
    ...told,
  ].join('\n')
  expect(seen).toContain('ada@acme.test')
  expect(home.server.secrets.size).toBeGreaterThan(6)
  for (const secret of [...home.server.secrets, 'access-odd']) expect(seen.includes(secret)).toBe(false)
})

test('what is sealed opens neither in the row of another account, nor in another memory', async () => {
  const { home, engine, id } = await setUp()
  home.server.person = { account: '1002', title: 'grace@acme.test' }
  await giveAccess(home, engine)
  const raw = new DatabaseSync(home.database)
  raw.exec(
    `update access_grant set sealed = (select sealed from access_grant where grant_id = '${id}') where account = '1002'`,
  )
  raw.exec(`update access_grant set memory_id = 'account:b' where account = '1001'`)
  raw.close()
  await expect(openAccess(engine)).rejects.toMatchObject(OTHER_KEY)
  const other = await home.open({ memoryId: 'account:b' })
  await expect(openAccess(other)).rejects.toMatchObject(OTHER_KEY)
})

test('a key that is gone or replaced is told with its remedy, and counts again when it is back', async () => {
  const { home, engine } = await setUp()
  const access = await openAccess(engine)
  const token = await access.accessToken(never)
  const key = readFileSync(home.secretKeyFile)
  rmSync(home.secretKeyFile)
  await expect(access.accessToken(never)).rejects.toMatchObject({
    remedy: 'reauthorize',
    message: expect.stringContaining("can't be decrypted: the secret key is missing."),
  })
  expect(readdirSync(home.folder)).not.toContain('secret.key')
  writeFileSync(home.secretKeyFile, Buffer.alloc(32, 7))
  await expect(openAccess(engine)).rejects.toMatchObject(OTHER_KEY)
  expect(await engine.oauthGrants.knownClient('acme')).toBeUndefined()
  expect(await engine.oauthGrants.list()).toHaveLength(1)
  writeFileSync(home.secretKeyFile, key)
  expect(await access.accessToken(never)).toBe(token)
})

test('without its key a grant can be given again, and removed', async () => {
  const { home, engine, id } = await setUp()
  writeFileSync(home.secretKeyFile, Buffer.alloc(32, 7))
  expect((await giveAccess(home, engine)).id).toBe(id)
  expect(home.server.accepts(await (await openAccess(engine)).accessToken(never))).toBe(true)
  rmSync(home.secretKeyFile)
  expect(await engine.oauthGrants.revoke(id, never)).toMatchObject({ withdrawn: false, grant: { id } })
  expect(await engine.oauthGrants.list()).toEqual([])
})

test('a sealed text that was cut, changed or never was one is not opened', async () => {
  const { home, engine } = await setUp()
  const raw = new DatabaseSync(home.database)
  const sealed = Buffer.from((await engine.store.grants('account:a').list())[0]!.sealed)
  const put = raw.prepare('update access_grant set sealed = ?')
  const flipped = Buffer.from(sealed)
  flipped[40]! ^= 1
  for (const bytes of [flipped, sealed.subarray(0, 20), Buffer.alloc(0), Buffer.from([9, ...sealed.subarray(1)])]) {
    put.run(bytes)
    await expect(openAccess(engine)).rejects.toMatchObject({ remedy: 'reauthorize' })
  }
  put.run(sealed)
  raw.close()
  await openAccess(engine)
})

test('the key is made once, with 32 bytes that only its owner may read, by whoever comes first', async () => {
  const home = await oauthHome()
  const engines = await Promise.all([home.open(), home.open()])
  expect(readdirSync(home.folder)).not.toContain('secret.key')
  const people = ['1001', '1002']
  for (const [n, engine] of engines.entries()) {
    home.server.person = { account: people[n] ?? '', title: people[n] ?? '' }
    await giveAccess(home, engine)
  }
  for (const account of people) await openAccess(engines[0], { account })
  expect(statSync(home.secretKeyFile)).toMatchObject({ size: 32 })
  expect(statSync(home.secretKeyFile).mode & 0o777).toBe(0o600)
  expect(readdirSync(home.folder).filter((name) => name.includes('secret.key'))).toEqual(['secret.key'])
})

/** Begins each file when all have come to it, and answers the keys that it got. */
const KEY_MAKER = `
  const { parentPort, workerData } = require('node:worker_threads')
  const { module, files, makers, arrived } = workerData
  import(module).then(({ secretKey }) => {
    const keys = files.map((file, round) => {
      Atomics.add(arrived, round, 1)
      while (Atomics.load(arrived, round) < makers);
      return Buffer.from(secretKey({ file, isMade: true }, console).forSealing()).toString('hex')
    })
    parentPort.postMessage(keys)
  })`

test('of those who make the key at the same moment, all go on with one', async () => {
  const folder = temporaryFolder()
  const files = Array.from({ length: 20 }, (_, n) => join(folder, `${n}.key`))
  const arrived = new Int32Array(new SharedArrayBuffer(4 * files.length))
  const module = new URL('../../../../src/connections/oauth/secret-key.ts', import.meta.url).href
  const makers = Array.from({ length: 2 }, () => {
    return new Worker(KEY_MAKER, { eval: true, workerData: { module, files, arrived, makers: 2 } })
  })
  const made = await Promise.all(makers.map((maker) => once(maker, 'message')))
  for (const [keys] of made) expect(keys).toEqual(files.map((file) => readFileSync(file, 'hex')))
  expect(readdirSync(folder)).toHaveLength(files.length)
})

test('a key that is there already is never replaced, also by one who has not seen it', () => {
  const { log } = recordingLog()
  const file = join(temporaryFolder(), 'secret.key')
  writeFileSync(file, Buffer.alloc(32, 5), { mode: 0o600 })
  expect(Buffer.from(secretKey({ file, isMade: true }, log).forSealing())).toEqual(Buffer.alloc(32, 5))
})

test('a key that others can read is warned of once, and one of another length is refused', () => {
  const { log, lines } = recordingLog()
  const file = join(temporaryFolder(), 'secret.key')
  const key = secretKey({ file, isMade: true }, log)
  key.forSealing()
  expect(lines).toEqual([])
  chmodSync(file, 0o644)
  key.forOpening()
  key.forOpening()
  expect(lines).toMatchObject([{ level: 'warn', fields: { mode: '644' } }])
  writeFileSync(file, 'short')
  for (const use of [key.forOpening, key.forSealing]) {
    expect(use).toThrow(`${file} is damaged: it has 5 bytes instead of 32.`)
  }
  expect(readFileSync(file, 'utf8')).toBe('short')
})

test('a key that the settings name is never made, because one that others do not have opens nothing', () => {
  const file = join(temporaryFolder(), 'shared.key')
  const key = secretKey({ file, isMade: false }, recordingLog().log)
  expect(key.forSealing).toThrow(`secret_key_file points to ${file}, which doesn't exist.`)
  expect(key.forOpening()).toBeUndefined()
  writeFileSync(file, Buffer.alloc(32, 5), { mode: 0o600 })
  expect(Buffer.from(key.forSealing())).toEqual(Buffer.alloc(32, 5))
})
