import { existsSync, readdirSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { BegunImport, ImportedFile } from '../../src/http/app/schemas/imports.ts'
import type { ConnectAnswer, Preview } from '../../src/http/app/schemas/sources.ts'
import { chatgptChat, turn } from '../fakes/local/exported-chats.ts'
import { zipped } from '../lib/office-files.ts'
import { type SourcesVisit, type SourcesVisitOptions, sourcesVisit } from '../lib/sources-visit.ts'
import { until } from '../lib/until.ts'

const CHAT = '13/04/26, 10:12 - Priya: The cello lesson moves to Friday\n13/04/26, 10:14 - Ada: Fine with me'
const PIECE = 32

async function visit(options: SourcesVisitOptions = {}): Promise<SourcesVisit> {
  const app = await sourcesVisit(options)
  onTestFinished(() => app[Symbol.asyncDispose]())
  return app
}

const bytesOf = (text: string) => new TextEncoder().encode(text)
const folderOf = ({ home }: SourcesVisit) => join(home, 'imports')
const left = (app: SourcesVisit) => (existsSync(folderOf(app)) ? readdirSync(folderOf(app)) : [])

async function sendPieces(app: SourcesVisit, id: string, file: Uint8Array<ArrayBuffer>, piece = PIECE): Promise<void> {
  for (let at = 0; at < file.length; at += piece) {
    const bytes = file.slice(at, at + piece)
    const { status, text } = await app.call(`/imports/${id}`, { method: 'PUT', query: { at }, bytes })
    if (status !== 204) throw new Error(`${status} ${text}`)
  }
}

/** Uploads a file as the page does; returns the answer to its end. */
async function upload(app: SourcesVisit, name: string, file: Uint8Array<ArrayBuffer>) {
  const body = { name, bytes: file.length }
  const { id } = await app.send<BegunImport>('POST', '/imports', body)
  await sendPieces(app, id, file, Math.max(PIECE, Math.ceil(file.length / 4)))
  return app.call(`/imports/${id}/complete`, { method: 'POST', body })
}

async function uploaded(app: SourcesVisit, name: string, file: Uint8Array<ArrayBuffer>): Promise<ImportedFile> {
  const { status, text } = await upload(app, name, file)
  if (status !== 200) throw new Error(`${status} ${text}`)
  return JSON.parse(text)
}

const chatgpt = () =>
  bytesOf(
    JSON.stringify([
      chatgptChat({ id: 'c1', turns: [turn('user', 'Which pool?'), turn('assistant', 'Twenty connections.')] }),
    ]),
  )

describe('an export that is uploaded', () => {
  test('is previewed, connected, synced and found', async () => {
    const app = await visit()
    const file = await uploaded(app, 'WhatsApp Chat with Priya.txt', bytesOf(CHAT))
    expect(file).toMatchObject({ connector: 'messenger_exports', setting: 'paths', found: ['WhatsApp'] })
    const settings = { paths: [file.path] }
    const preview = await app.send<Preview>('POST', '/connectors/messenger_exports/preview', { settings })
    expect(preview.partitions).toMatchObject([
      { partition: 'WhatsApp', new: 1, examples: ['Priya on 2026-04-13'], problem: null },
    ])
    const { account } = await app.send<ConnectAnswer>('POST', '/sources', {
      ...{ connector: 'messenger_exports', name: 'me', settings },
    })
    expect(account).toBe('WhatsApp Chat with Priya.txt')
    await until(async () => (await app.recall('cello lesson')).includes('Friday'))
  })

  test.each([
    ['conversations (2).json', chatgpt, ['ChatGPT']],
    ['chatgpt-export.zip', () => new Uint8Array(zipped({ 'conversations.json': chatgpt() })), ['ChatGPT']],
    ['result.json', () => bytesOf(JSON.stringify({ id: 7, name: 'Priya', messages: [] })), ['Telegram']],
  ])('%s is known by what the connectors find in it', async (name, file, found) => {
    expect(await uploaded(await visit(), name, file())).toMatchObject({ found })
  })

  test('is readable only by its owner, in a folder that nobody can guess or choose', async () => {
    const app = await visit()
    const name = '../../etc\\..WhatsApp\u202e Chat\u0000.txt'
    const { path, id } = await uploaded(app, name, bytesOf(CHAT))
    expect(path).toBe(join(folderOf(app), id, 'WhatsApp_ Chat_.txt'))
    expect(id).toMatch(/^[0-9a-f]{32}$/)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(join(folderOf(app), id)).mode & 0o777).toBe(0o700)
    expect(statSync(folderOf(app)).mode & 0o777).toBe(0o700)
  })

  test('can be sent again from where the network broke off', async () => {
    const app = await visit()
    const file = bytesOf(CHAT)
    const body = { name: 'WhatsApp Chat with Priya.txt', bytes: file.length }
    const { id } = await app.send<BegunImport>('POST', '/imports', body)
    await sendPieces(app, id, file.slice(0, 2 * PIECE))
    const early = await app.call(`/imports/${id}/complete`, { method: 'POST', body })
    expect(early.status).toBe(409)
    const gap = await app.call(`/imports/${id}`, { method: 'PUT', query: { at: 3 * PIECE }, bytes: file.slice(0, 1) })
    expect(gap.status).toBe(409)
    const rest = file.slice(PIECE)
    expect((await app.call(`/imports/${id}`, { method: 'PUT', query: { at: PIECE }, bytes: rest })).status).toBe(204)
    expect((await app.call(`/imports/${id}/complete`, { method: 'POST', body })).status).toBe(200)
  })

  test('stays while a source names it, and is deleted with the source', async () => {
    const app = await visit()
    const one = await uploaded(app, 'WhatsApp Chat with Priya.txt', bytesOf(CHAT))
    const other = await uploaded(app, 'WhatsApp Chat with Elif.txt', bytesOf(CHAT))
    const settings = { paths: [one.path, other.path] }
    await app.send('POST', '/sources', { connector: 'messenger_exports', name: 'me', settings })
    expect((await app.call(`/imports/${one.id}`, { method: 'DELETE' })).status).toBe(409)
    const again = { name: 'film.mp4', bytes: 10 }
    expect((await app.call(`/imports/${one.id}/complete`, { method: 'POST', body: again })).status).toBe(400)
    expect(left(app).toSorted()).toEqual([one.id, other.id].toSorted())
    await app.send('PATCH', '/sources/messenger_exports/me', { settings: { paths: [other.path] } })
    expect(left(app)).toEqual([other.id])
    await app.send('DELETE', '/sources/messenger_exports/me')
    expect(left(app)).toEqual([])
  })
})

describe('of an upload that comes to nothing, nothing is left', () => {
  const pointless = { name: 'WhatsApp Chat with Priya.txt', bytes: 1_000 }

  test('when it is cancelled', async () => {
    const app = await visit()
    const { id } = await app.send<BegunImport>('POST', '/imports', pointless)
    await sendPieces(app, id, bytesOf(CHAT))
    await app.send('DELETE', `/imports/${id}`)
    expect(left(app)).toEqual([])
    const late = await app.call(`/imports/${id}`, { method: 'PUT', query: { at: 0 }, bytes: bytesOf(CHAT) })
    expect(late.status).toBe(404)
    expect(late.body.detail).toBe('This upload has ended. Choose the file again.')
  })

  test('when nobody connects it within a day', async () => {
    const app = await visit()
    const { id } = await app.send<BegunImport>('POST', '/imports', pointless)
    const yesterday = new Date(Date.now() - 25 * 60 * 60 * 1000)
    utimesSync(join(folderOf(app), id), yesterday, yesterday)
    const next = await app.send<BegunImport>('POST', '/imports', pointless)
    expect(left(app)).toEqual([next.id])
  })

  /** An archive whose list states something else than what is in it. */
  const withEntry = (change: (list: Buffer) => void) => () => {
    const bytes = Buffer.from(zipped({ 'conversations.json': chatgpt() }))
    change(bytes.subarray(bytes.lastIndexOf('PK\u0001\u0002')))
    return new Uint8Array(bytes)
  }

  test.each([
    ['is no export', 'notes.zip', () => new Uint8Array(zipped({ 'notes.txt': 'x' })), 'This file is not an export'],
    [
      'is of Google Takeout without Gemini',
      'takeout-20261120T101500Z-001.zip',
      () => new Uint8Array(zipped({ 'Takeout/Photos/one.json': '{}' })),
      'This Google Takeout archive has no Gemini activity',
    ],
    [
      'holds another archive',
      'exports.zip',
      () => new Uint8Array(zipped({ 'chatgpt.zip': zipped({ 'conversations.json': chatgpt() }) })),
      'This ZIP file holds other ZIP files. Unpack it',
    ],
    [
      'is damaged',
      'chatgpt.zip',
      () => zipped({ 'conversations.json': chatgpt() }).slice(0, 200),
      'This file is damaged',
    ],
    ['has a password', 'chatgpt.zip', withEntry((list) => list.writeUInt16LE(1, 8)), 'This ZIP file has a password.'],
    [
      'unpacks to gigabytes',
      'chatgpt.zip',
      withEntry((list) => list.writeUInt32LE(3_000_000_000, 24)),
      'This ZIP file unpacks to far more',
    ],
    [
      'has files that share bytes',
      'chatgpt.zip',
      withEntry((list) => list.writeUInt32LE(50_000, 20)),
      'This ZIP file unpacks to far more',
    ],
  ])('when the file %s', async (_, name, file, problem) => {
    const app = await visit()
    const { status, body } = await upload(app, name, new Uint8Array(file()))
    expect(status).toBe(400)
    expect(body.detail).toContain(problem)
    expect(left(app)).toEqual([])
  })

  test.each([
    ['a film', { name: 'film.mp4', bytes: 10 }, 'This file is not an export that recalld knows.'],
    ['an empty file', { name: 'a.zip', bytes: 0 }, 'This file is empty.'],
    ['a file over the limit', { name: 'a.zip', bytes: 2 ** 20 + 1 }, 'This file is larger than 1 MB'],
  ])('%s is refused before it is sent', async (_, body, problem) => {
    const app = await visit({ yaml: 'max_import_mb: 1\n' })
    const answer = await app.call('/imports', { method: 'POST', body })
    expect(answer.status).toBe(400)
    expect(answer.body.detail).toContain(problem)
    expect(left(app)).toEqual([])
  })

  test('more bytes than were announced are not taken above the limit', async () => {
    const app = await visit({ yaml: 'max_import_mb: 1\n' })
    const { id } = await app.send<BegunImport>('POST', '/imports', pointless)
    const bytes = new Uint8Array(2 ** 20 + 1)
    expect((await app.call(`/imports/${id}`, { method: 'PUT', query: { at: 0 }, bytes })).status).toBe(400)
  })
})

test('only administrators upload exports, only for the account that the sources fill', async () => {
  const app = await visit()
  const member = await app.personFor({ role: 'member' })
  const body = { name: 'WhatsApp Chat with Priya.txt', bytes: 10 }
  expect((await member.call('/imports', { method: 'POST', body })).status).toBe(403)
  const { id } = await app.send<BegunImport>('POST', '/imports', body)
  const piece = { method: 'PUT', query: { at: 0 }, bytes: bytesOf(CHAT) } as const
  expect((await member.call(`/imports/${id}`, piece)).status).toBe(403)
  expect((await member.call(`/imports/${id}`, { method: 'DELETE' })).status).toBe(403)
  expect((await app.call(`/imports/${id}`, { ...piece, headers: { 'x-csrf-token': 'forged' } })).status).toBe(403)
  expect((await app.call('/imports/..%2f..%2fhome', { method: 'DELETE' })).status).toBe(204)
  expect(existsSync(app.home)).toBe(true)
})
