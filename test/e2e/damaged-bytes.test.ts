import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { checkIntegrity } from '../../src/administration/integrity.ts'
import { readIntegrity, writeIntegrity } from '../../src/service/statistics.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { sampleAccount, sampleUpload } from '../contract/store-samples.ts'
import { runCommand, startUp } from '../lib/command-line.ts'
import { httpCall } from '../lib/http-call.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { until } from '../lib/until.ts'

const TEXT = 'The blue bicycle stands in the cellar. '.repeat(40)
const DAMAGED = 'The file is damaged in the database. Upload it again or delete it.'

/** As a disk does it: the file of a stopped service has another letter wherever the text stands. */
function flip(file: string): void {
  const bytes = readFileSync(file)
  for (let at = bytes.indexOf('cellar'); at >= 0; at = bytes.indexOf('cellar', at)) bytes[at + 5] = 0x52
  writeFileSync(file, bytes)
}

/** A service that was stopped, whose disk changed a letter of everything, and that was started again. */
async function withRot() {
  const folder = temporaryFolder()
  const home = join(folder, 'home')
  const env = { RECALLD_HOME: home }
  const run = (...args: string[]) => runCommand(args, env)
  writeFileSync(join(folder, 'note.md'), TEXT)
  const upload = (...more: string[]) => run('memorize', join(folder, 'note.md'), '--item-id', 'note', ...more)
  const first = await startUp(env)
  await upload()
  await until(async () => JSON.parse((await run('list', '--json')).stdout).files[0]?.status === 'ready')
  await first.stop()
  flip(join(home, 'recalld.db'))
  const service = await startUp(env)
  onTestFinished(async () => void (await service.stop()))
  const { api_key: key } = JSON.parse(readFileSync(join(home, 'credentials.json'), 'utf8'))
  const get = (path: string) => httpCall(`${service.address}${path}`, { key })
  return { folder, run, get, upload }
}

test('flipped bytes are never served, the activity and a metric tell of them, and the same upload heals them', async () => {
  const { folder, run, get, upload } = await withRot()
  const download = () => get('/v1/files/download?item_id=note&source_type=text')
  expect(await download()).toMatchObject({ status: 500, body: { detail: DAMAGED } })
  expect((await get('/metrics')).text).toContain('recalld_bodies_damaged_total{where="database"} 1')
  expect(JSON.parse((await run('activity', '--json')).stdout)).toContainEqual(
    expect.objectContaining({ kind: 'item_damaged', item_id: 'note' }),
  )
  const [account] = JSON.parse((await run('accounts', 'list', '--json')).stdout)
  const exported = await run('accounts', 'export', account.account_id, join(folder, 'all.tar.gz'))
  expect(exported.stdout + exported.stderr).toContain('note')
  expect((await upload('--replace')).stderr).toBe('')
  expect(await download()).toMatchObject({ status: 200, text: TEXT })
})

test('the weekly check names what is damaged, and ends without a result when it has to stop', async () => {
  const file = join(temporaryFolder(), 'recalld.db')
  const store = await openSqliteStore({ file, log: recordingLog().log })
  onTestFinished(() => store.close())
  await store.admin.createAccount(sampleAccount('a'))
  const scoped = store.scoped({ accountId: 'a', sources: 'all' })
  for (const itemId of ['note', 'other', 'third']) await scoped.putItem(sampleUpload(itemId, `${itemId} ${TEXT}`))
  const parts = { store, activity: { note: () => undefined }, log: recordingLog().log }
  expect(await checkIntegrity(parts, async () => false)).toBeUndefined()
  expect(await readIntegrity(store)).toBeUndefined()
  expect(await checkIntegrity(parts, async () => true)).toMatchObject({ problems: [], items: 3, damaged: 0 })
  const raw = new DatabaseSync(file)
  raw.exec("update body set bytes = cast(replace(cast(bytes as text), 'note', 'nota') as blob)")
  raw.close()
  const found = await checkIntegrity(parts, async () => true)
  const item = { account_id: 'a', source_type: 'text', item_id: 'note' }
  expect(found).toMatchObject({ problems: [], items: 3, damaged: 1, damaged_items: [item] })
  expect(await readIntegrity(store)).toEqual(found)
})

test('the doctor says what the weekly check found', async () => {
  const home = join(temporaryFolder(), 'home')
  const env = { RECALLD_HOME: home }
  await (await startUp(env)).stop()
  const findings = async () => {
    const all: { check: string; result: string; message: string }[] = JSON.parse(
      (await runCommand(['doctor', '--json'], env)).stdout,
    )
    return all.filter(({ check }) => check === 'integrity').map(({ result, message }) => `${result}: ${message}`)
  }
  expect(await findings()).toEqual(['ok: not checked yet. The service checks it every week while idle.'])
  const report = { at: '2026-03-04T01:02:03.000Z', items: 3, damaged: 0, damaged_items: [] }
  const write = async (more: object) => {
    const store = await openSqliteStore({ file: join(home, 'recalld.db'), log: recordingLog().log })
    await writeIntegrity(store, { ...report, problems: [], ...more })
    await store.close()
  }
  await write({})
  expect(await findings()).toEqual(['ok: 3 stored files and all database pages were intact on 2026-03-04.'])
  const item = { account_id: 'a', source_type: 'text', item_id: 'note' }
  await write({ problems: ['page 7 is wrong'], damaged: 1, damaged_items: [item] })
  expect(await findings()).toEqual([
    'problem: The database was damaged on 2026-03-04 (page 7 is wrong). Restore a backup with "recalld restore FILE".',
    'problem: 1 of 3 stored files were damaged on 2026-03-04 (text/note). Upload them again with "recalld memorize --replace".',
  ])
})

test('the doctor looks at who can read the secret key and the settings', async () => {
  const home = join(temporaryFolder(), 'home')
  const env = { RECALLD_HOME: home }
  await (await startUp(env)).stop()
  for (const name of ['secret.key', 'config.yaml']) chmodSync(join(home, name), 0o644)
  const { stdout } = await runCommand(['doctor', '--json'], env)
  const [found] = JSON.parse(stdout).filter(({ check }: { check: string }) => check === 'home')
  expect(found).toMatchObject({ result: 'problem', message: expect.stringMatching(/secret\.key.*config\.yaml/) })
})
