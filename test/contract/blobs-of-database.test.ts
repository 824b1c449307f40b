import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { BlobsOfDatabase } from '../../src/store/blobs-of-database.ts'
import { openS3Blobs } from '../../src/store/s3/s3-blobs.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { startS3Server } from '../fakes/s3-server.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { sampleAccount, sampleUpload } from './store-samples.ts'

const NOTE = { itemId: 'note', sourceType: 'text' } as const

async function openFixture() {
  const s3 = await startS3Server()
  onTestFinished(() => s3[Symbol.asyncDispose]())
  /** A database over a bucket; opened again, another process of the same one. */
  const open = async (file: string, prefix: string, accepts = false) => {
    const blobs = new BlobsOfDatabase(openS3Blobs(s3.url(prefix), { tries: 1 }))
    const store = await openSqliteStore({ file, log: recordingLog().log, bodies: { blobs, leastBytes: 1 } })
    onTestFinished(() => store.close())
    blobs.belongTo({ databaseId: await store.identity(), someKeys: () => store.bodies.someKeys(), accepts })
    return { blobs, store, scoped: store.scoped({ accountId: 'a', sources: 'all' }) }
  }
  const withNote = async (file: string, prefix: string) => {
    const opened = await open(file, prefix)
    await opened.store.admin.createAccount(sampleAccount('a'))
    await opened.scoped.putItem(sampleUpload('note', 'words'))
    return opened
  }
  const marks = () => [...s3.objects.keys()].filter((key) => key.includes('database/'))
  return { s3, open, withNote, marks, file: () => join(temporaryFolder(), 'recalld.db') }
}

test('a bucket is marked by the first use, and known again; the mark is no stray object', async () => {
  const { open, withNote, marks, file } = await openFixture()
  const home = file()
  const { store } = await withNote(home, 'one')
  expect(marks()).toEqual([`one/database/${await store.identity()}`])
  const again = await open(home, 'one')
  await again.blobs.prove()
  expect(await again.store.bodies.compare()).toMatchObject({ objects: 1, missing: [], stray: [] })
})

test('a bucket of before there were marks is known by the objects in it', async () => {
  const { s3, open, withNote, marks, file } = await openFixture()
  const home = file()
  await withNote(home, 'one')
  for (const mark of marks()) s3.objects.delete(mark)
  expect(new TextDecoder().decode(await (await open(home, 'one')).scoped.readBody(NOTE))).toBe('words')
  expect(marks()).toHaveLength(1)
})

test.each(['that is empty', 'of another database'])('a bucket %s is refused as if it were away', async (which) => {
  const { s3, open, withNote, file } = await openFixture()
  const home = file()
  await withNote(home, 'one')
  if (which === 'of another database') await withNote(file(), 'two')
  const before = [...s3.objects.keys()]
  const wrong = await open(home, 'two')
  await expect(wrong.blobs.prove()).rejects.toMatchObject({ code: 'conflict' })
  const refusal = { code: 'unavailable', message: expect.stringContaining("doesn't have the objects") }
  await expect(wrong.scoped.readBody(NOTE)).rejects.toMatchObject(refusal)
  await expect(wrong.scoped.putItem(sampleUpload('more', 'x'))).rejects.toMatchObject(refusal)
  expect([...s3.objects.keys()]).toEqual(before)
  await (await open(home, 'two', true)).blobs.prove()
})

test('a database that refers to no object does not use the bucket of another one', async () => {
  const { open, withNote, file } = await openFixture()
  await withNote(file(), 'one')
  const { blobs } = await open(file(), 'one')
  await expect(blobs.prove()).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('another') })
})

test('a storage that is away is asked again', async () => {
  const { s3, open, file } = await openFixture()
  const { blobs } = await open(file(), 'one')
  s3.fault = () => 'busy'
  await expect(blobs.prove()).rejects.toMatchObject({ code: 'unavailable' })
  s3.fault = undefined
  await blobs.prove()
})
