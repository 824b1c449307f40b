import { cpSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { packagePath } from '../../src/lib/files.ts'
import { type Answer, httpCall } from '../lib/http-call.ts'
import { postgresServer } from '../lib/postgres-server.ts'
import { type ServiceProcess, startRecalld } from '../lib/recalld-process.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { until } from '../lib/until.ts'

const server = await postgresServer()
const MIGRATIONS = 'src/store/migrations/postgres'
const FORMAT = readdirSync(packagePath(MIGRATIONS)).length

/** The package as it is installed, with one more migration: what a next version is to this one. */
function nextVersion(sql: string): readonly string[] {
  const folder = temporaryFolder()
  for (const part of ['bin', 'dist/program', 'src/store/migrations', 'package.json']) {
    cpSync(packagePath(part), join(folder, part), { recursive: true })
  }
  for (const part of ['config', 'dist/web', 'models', 'node_modules', 'templates', 'src/lib']) {
    symlinkSync(packagePath(part), join(folder, part))
  }
  writeFileSync(join(folder, MIGRATIONS, `${String(FORMAT + 1).padStart(4, '0')}-next.sql`), sql)
  return [join(folder, 'bin/recalld.js')]
}

async function machines() {
  const url = await server.emptyDatabase()
  return async (launcher?: readonly string[]): Promise<ServiceProcess> => {
    const env = { RECALLD_HOME: temporaryFolder(), RECALLD_DATABASE_URL: url, RECALLD_DATABASE_CONNECTIONS: '4' }
    const started = await startRecalld({ ...env, RECALLD_ROLES: 'api,worker', RECALLD_LOG_LEVEL: 'warn' }, launcher)
    onTestFinished(async () => void (await started.stop('SIGKILL')))
    return started
  }
}

function upload({ address }: ServiceProcess, key: string, itemId: string): Promise<Answer> {
  const file = new File([`The boat ${itemId} is red.`], 'note.txt', { type: 'text/plain' })
  const form = [['file', file] as const, ['user_name', 'Ada'] as const, ['item_id', itemId] as const]
  return httpCall(`${address}/v1/memorize`, { method: 'POST', key, form })
}

function list({ address }: ServiceProcess, key: string): Promise<Answer> {
  return httpCall(`${address}/v1/files/list?source_type=text&limit=1000`, { key })
}

async function idsShown(service: ServiceProcess, key: string): Promise<string[]> {
  const { files } = (await list(service, key)).body as { files: { item_id: string }[] }
  return files.map((file) => file.item_id).sort()
}

test('an older process that takes uploads stops when a newer one migrates the database, and all it accepted is there', async () => {
  const up = await machines()
  const older = await up()
  const key = /rk_[\w-]+/.exec(older.greeting)?.[0] ?? ''
  const accepted: string[] = []
  const refused: Answer[] = []
  let isEnded = false
  const uploading = (async () => {
    for (let n = 0; !isEnded; n++) {
      const answer = await upload(older, key, `item-${n}`)
      if (answer.status === 200) accepted.push(`item-${n}`)
      else refused.push(answer)
    }
  })()
  await until(async () => accepted.length > 3)
  const newer = await up(nextVersion('create table further ();'))
  const before = accepted.length
  // It runs, so the database has its format: the older process accepts nothing any more.
  const answer = await upload(older, key, 'late')
  await until(async () => refused.length > 3)
  isEnded = true
  await uploading
  for (const one of [answer, ...refused]) {
    expect(one.status).toBe(503)
    expect(one.headers.get('retry-after')).toMatch(/^\d+$/)
  }
  expect(accepted).toHaveLength(before)
  await until(async () => (await list(older, key)).status === 503)
  expect((await list(older, key)).text).toContain(`the database needs ${FORMAT + 1}`)
  expect((await upload(newer, key, 'newer')).status).toBe(200)
  expect(await idsShown(newer, key)).toEqual([...accepted, 'newer'].sort())
})

test('two processes of two versions go on side by side when the migration says so', async () => {
  const up = await machines()
  const older = await up()
  const key = /rk_[\w-]+/.exec(older.greeting)?.[0] ?? ''
  const newer = await up(nextVersion(`-- Programs of format ${FORMAT} and later go on.\ncreate table further ();`))
  expect((await upload(older, key, 'older')).status).toBe(200)
  expect((await upload(newer, key, 'newer')).status).toBe(200)
  for (const one of [older, newer]) expect(await idsShown(one, key)).toEqual(['newer', 'older'])
})
