import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createRestMemory } from '../../src/client/rest-memory.ts'
import { startAppService } from '../lib/app/app-service.ts'
import { newVisitor, PASSWORD } from '../lib/app-visit.ts'
import { runCommand } from '../lib/command-line.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { until } from '../lib/until.ts'

const made = z.object({ account_id: z.string(), key: z.string() })
const receipt = z.object({
  account_id: z.string(),
  items: z.number(),
  memories: z.number(),
  verified: z.record(z.string(), z.literal(0)),
})
const lines = z.array(z.looseObject({ kind: z.string(), account_id: z.string() }))

test('an account is exported, deleted and brought back on the command line, while the service runs', async () => {
  await using service = await startAppService()
  const { address, home } = service
  const run = async (...command: string[]) => {
    const { code, stdout, stderr } = await runCommand([...command, '--json'], { RECALLD_HOME: home })
    return { code, stderr, json: stdout === '' ? undefined : (JSON.parse(stdout) as unknown) }
  }
  const acme = made.parse((await run('accounts', 'create', '--name', 'Acme', '--user-name', 'Ada')).json)
  await service.memorize({ fileName: 'kept.txt', body: 'The kept account has an olive tree.' })
  const isReady = async (key: string) => {
    const memory = createRestMemory({ baseUrl: address, apiKey: key })
    const { files } = await memory.list({ sourceType: 'text', limit: 10 }).finally(() => memory.close())
    return files.every(({ status }) => status === 'ready') && files.length === 1
  }
  const memory = createRestMemory({ baseUrl: address, apiKey: acme.key })
  const body = new TextEncoder().encode('The quince tree was planted in March.')
  await memory.memorize({ body, fileName: 'note.txt', itemId: 'note', sourceType: 'text', userName: 'Ada' })
  await memory.close()
  await until(() => isReady(acme.key))

  const file = join(temporaryFolder(), 'acme.tar.gz')
  expect((await run('accounts', 'export', acme.account_id, file)).code).toBe(0)
  expect(gunzipSync(readFileSync(file)).includes('The quince tree was planted in March.')).toBe(true)
  expect((await run('accounts', 'export', acme.account_id, file)).stderr).toContain('already exists')

  expect((await run('accounts', 'delete', acme.account_id)).stderr).toContain('--yes')
  const [kept] = z
    .array(z.object({ account_id: z.string(), name: z.string() }))
    .parse((await run('accounts', 'list')).json)
  expect((await run('accounts', 'delete', kept?.account_id ?? '', '--yes')).stderr).toContain('--force')
  const deleted = receipt.parse((await run('accounts', 'delete', acme.account_id, '--yes')).json)
  expect(deleted).toMatchObject({ account_id: acme.account_id, items: 1, memories: 1 })
  expect(Object.keys(deleted.verified).length).toBeGreaterThan(25)
  await expect(isReady(acme.key)).rejects.toMatchObject({ code: 'unauthenticated' })
  expect((await run('accounts', 'receipts')).json).toEqual([expect.objectContaining({ account_id: acme.account_id })])

  const imported = await run('accounts', 'import', file)
  const back = made.parse(imported.json)
  expect(imported.stderr).toContain(`resume it with --into ${back.account_id}`)
  const shown = await runCommand(['accounts', 'import', file], { RECALLD_HOME: home })
  expect(shown.stdout).toMatch(/^rk_\S+\nImported 1 item into acct_/)
  await until(() => isReady(back.key))
  writeFileSync(file, readFileSync(file).subarray(0, 400))
  expect((await run('accounts', 'import', file)).stderr).toContain('damaged')

  const activity = lines.parse((await run('activity')).json)
  expect(activity).toContainEqual(expect.objectContaining({ kind: 'account_deleted', account_id: acme.account_id }))
  expect(activity).toContainEqual(
    expect.objectContaining({ kind: 'account_imported', account_id: back.account_id, items: 1 }),
  )
  expect(lines.parse((await run('activity', '--account', back.account_id, '--since', '2999-01-01')).json)).toEqual([])
  expect((await run('retention', '--dry-run')).json).toMatchObject({ sources: [], expired: [] })
  writeFileSync(join(home, 'config.yaml'), 'retention: {text: 1}\n')
  expect((await run('retention', '--dry-run')).json).toMatchObject({
    dry_run: true,
    sources: [{ source_type: 'text', days: 1 }],
    expired: expect.arrayContaining([expect.objectContaining({ source_type: 'text', items: 0 })]),
  })
})

test('owners download all of an account and delete it, and nobody else does', async () => {
  await using service = await startAppService()
  const ada = newVisitor(service.address)
  await ada.session()
  const token = new URL(service.firstLink).hash.slice(1)
  await ada.send('POST', '/sign-in/link', { token, name: 'Ada', login: 'ada', password: PASSWORD })
  await ada.session()
  const wrong = newVisitor(service.address)
  await wrong.session()
  expect(
    (await wrong.call('/sign-in/password', { method: 'POST', body: { login: 'ada', password: 'guessed it' } })).status,
  ).toBe(401)
  await service.memorize({ fileName: 'note.txt', body: 'Home has an olive tree.' })

  const archive = await fetch(`${service.address}/app/api/account/export`, { headers: { cookie: ada.cookie } })
  expect(archive.headers.get('content-disposition')).toMatch(/^attachment; filename="?recalld-acct_/)
  expect(gunzipSync(Buffer.from(await archive.arrayBuffer())).includes('Home has an olive tree.')).toBe(true)
  expect((await fetch(`${service.address}/app/api/account/export`)).status).toBe(401)

  const home = await ada.session()
  const homeName = home.signed_in ? home.account.name : ''
  const refused = await ada.call('/account', { method: 'DELETE', body: { name: homeName } })
  expect([refused.status, refused.body.detail]).toEqual([
    409,
    expect.stringContaining('Only an administrator of that machine can delete it'),
  ])

  const { id } = await ada.send<{ id: string }>('POST', '/accounts', { name: 'Second' })
  await ada.send('PUT', '/session/account', { account_id: id })
  await ada.session()
  const mistyped = await ada.call('/account', { method: 'DELETE', body: { name: 'second' } })
  expect(mistyped.status).toBe(400)
  expect(await ada.send('DELETE', '/account', { name: 'Second' })).toMatchObject({
    account_id: id,
    items: 0,
    verified: { account: 0 },
  })
  await until(async () => {
    const { stdout } = await runCommand(['activity', '--json'], { RECALLD_HOME: service.home })
    const kinds = lines.parse(JSON.parse(stdout)).map(({ kind }) => kind)
    return ['sign_in_failed', 'account_exported', 'account_deleted'].every((kind) => kinds.includes(kind))
  })
})
