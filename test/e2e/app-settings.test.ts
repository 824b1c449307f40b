import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { homeFiles } from '../../src/config/home-folder.ts'
import { AppError } from '../../src/domain/errors.ts'
import type { BackupReady, ServerOverview } from '../../src/http/app/schemas/settings.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import type { AppVisit } from '../lib/app-visit.ts'
import { httpCall } from '../lib/http-call.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { visitSettings } from '../lib/settings-visit.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { until } from '../lib/until.ts'

const download = (app: AppVisit, path: string, who: { readonly cookie: string } = app) =>
  httpCall(`${app.baseUrl}/app/api${path}`, { headers: { cookie: who.cookie } })

describe('the account', () => {
  test('gets another name and time zone from its owners, and from nobody else', async () => {
    await using opened = await visitSettings()
    const { app } = opened
    await app.send('PATCH', '/account', { name: 'Ada and friends', time_zone: 'Asia/Tokyo' })
    expect(await app.session()).toMatchObject({ account: { name: 'Ada and friends', time_zone: 'Asia/Tokyo' } })
    const wrong = await app.call('/account', { method: 'PATCH', body: { name: 'x', time_zone: 'Mars/Olympus' } })
    expect([wrong.status, wrong.body.detail]).toEqual([400, expect.stringContaining('time_zone')])
    expect(await app.session()).toMatchObject({ account: { name: 'Ada and friends' } })
    const member = await app.personFor({ role: 'member' })
    expect((await member.call('/account', { method: 'PATCH', body: { name: 'Mine' } })).status).toBe(403)
  })
})

test('limits are told as they are, with the setting that changes each', async () => {
  await using opened = await visitSettings({ yaml: 'rate_limit_per_minute: 77\n' })
  const { app, home } = opened
  const { version, limits, home: told } = await app.get<ServerOverview>('/server')
  expect(version).toBe('1.2.3')
  expect(limits).toContainEqual(expect.objectContaining({ setting: 'rate_limit_per_minute', value: 77 }))
  expect(limits).toContainEqual(expect.objectContaining({ title: 'Keys per account', setting: null, value: 5 }))
  expect(told).toEqual({ folder: home, config_file: join(home, 'config.yaml'), database_bytes: 16 })
})

test('for how long things are kept is told by source and by connection, as config.yaml says now', async () => {
  const connection = (days: string) => `connectors:\n  feeds: [{name: news, retention_days: ${days}}]\n`
  await using opened = await visitSettings({ yaml: `retention: {slack: 730}\n${connection('30')}` })
  const { app, home } = opened
  const kept = async () => {
    const { limits } = await app.get<ServerOverview>('/server')
    return limits
      .filter(({ setting }) => setting?.startsWith('retention'))
      .map(({ title, value }) => `${title} ${value}`)
  }
  const ofSlack = 'Retention of slack 730'
  expect(await kept()).toEqual([ofSlack, 'Retention of feeds/news 30'])
  writeFileSync(homeFiles(home).config, connection('60'))
  expect(await kept()).toEqual([ofSlack, 'Retention of feeds/news 60'])
  writeFileSync(homeFiles(home).config, connection('soon'))
  expect(await kept()).toEqual([ofSlack])
})

describe('a backup', () => {
  test('is a whole database, opens once, and leaves nothing behind', async () => {
    await using opened = await visitSettings()
    const { app, copies } = opened
    await app.running.upload('The deployment of the shop is on Friday.', { itemId: 'shop' })
    const ready = await app.send<BackupReady>('POST', '/backup')
    expect(ready.file_name).toMatch(/^recalld-\d{4}-\d\d-\d\d\.db$/)
    const answer = await download(app, ready.path)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-disposition')).toContain(`filename="${ready.file_name}"`)
    expect(answer.bytes.length).toBe(ready.bytes)
    await until(async () => copies().length === 0)
    expect((await download(app, ready.path)).status).toBe(404)

    const file = join(temporaryFolder(), 'copy.db')
    writeFileSync(file, answer.bytes)
    const { log } = recordingLog()
    const store = await openSqliteStore({ file, log })
    const scoped = store.scoped({ accountId: app.accountId, sources: 'all' })
    expect(await scoped.findItem({ itemId: 'shop' })).toMatchObject({ status: 'ready' })
    await store.close()
  })

  test('cannot be made by a forged request, nor downloaded by somebody else', async () => {
    await using opened = await visitSettings()
    const { app } = opened
    const forged = await httpCall(`${app.baseUrl}/app/api/backup`, { method: 'POST', headers: { cookie: app.cookie } })
    expect(forged.status).toBe(403)
    const { path } = await app.send<BackupReady>('POST', '/backup')
    const other = await app.personFor({ role: 'owner' })
    expect((await download(app, path, other)).status).toBe(403)
    expect((await download(app, '/backup/guessed')).status).toBe(404)
    expect((await httpCall(`${app.baseUrl}/app/api${path}`)).status).toBe(401)
    expect((await download(app, path)).status).toBe(200)
  })

  test('is removed when the download is cut off, and the next one can be made', async () => {
    await using opened = await visitSettings({ work: false })
    const { app, copies } = opened
    const body = new TextEncoder().encode('A long story. '.repeat(700_000))
    const principal = await app.service.authenticate(app.running.key)
    await app.service.memorize(principal, { body, fileName: 'story.txt', userName: 'Ada' })
    const { path } = await app.send<BackupReady>('POST', '/backup')
    const socket = connect(app.running.port, '127.0.0.1')
    socket.write(`GET /app/api${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: ${app.cookie}\r\n\r\n`)
    await once(socket, 'data')
    expect((await app.call('/backup', { method: 'POST' })).status).toBe(409)
    socket.destroy()
    await until(async () => copies().length === 0)
    expect((await app.call('/backup', { method: 'POST' })).status).toBe(200)
  })

  test('that cannot be made leaves nothing behind, and the next one can be made', async () => {
    let fails = true
    await using opened = await visitSettings({
      store: (store) => ({
        ...store,
        backup: async (file) => {
          if (!fails) return store.backup(file)
          writeFileSync(`${file}.partial`, 'half')
          throw new AppError('unavailable', 'The backup did not finish.')
        },
      }),
    })
    const { app, copies } = opened
    expect((await app.call('/backup', { method: 'POST' })).status).toBe(503)
    expect(copies()).toEqual([])
    fails = false
    expect((await app.call('/backup', { method: 'POST' })).status).toBe(200)
  })

  test('that a killed service left is removed by the next start', async () => {
    const home = join(temporaryFolder(), 'home')
    mkdirSync(home)
    const { backupCopy } = homeFiles(home)
    writeFileSync(backupCopy, 'whole')
    writeFileSync(`${backupCopy}.partial`, 'half')
    await using opened = await visitSettings({ home })
    expect(opened.copies()).toEqual([])
    expect(existsSync(homeFiles(home).database)).toBe(true)
  })
})
