import { expect, onTestFinished, test } from 'vitest'
import { openS3Blobs } from '../../../src/store/s3/s3-blobs.ts'
import { movableClock } from '../../contract/store-contract.ts'
import { sampleUpload } from '../../contract/store-samples.ts'
import { startS3Server } from '../../fakes/s3-server.ts'
import { startService } from '../../lib/start-service.ts'

const HOUR_MS = 3_600_000
const never = () => new AbortController().signal

/** A service whose uploads lie in a bucket, with two accounts more than its first. */
async function start() {
  const s3 = await startS3Server()
  onTestFinished(() => s3[Symbol.asyncDispose]())
  const clock = movableClock()
  const running = await startService({
    clock,
    work: false,
    bodies: { blobs: openS3Blobs(s3.url(), { tries: 1 }), leastBytes: 1 },
  })
  onTestFinished(() => running.stop())
  const { service, store, logLines } = running
  const account = async (name: string) => (await service.accounts.create({ name, userName: name })).accountId
  const older = await account('Older')
  const newer = await account('Newer')
  const put = (accountId: string) =>
    store.scoped({ accountId, sources: 'all' }).putItem(sampleUpload('note', 'words of mine'))
  const begin = async (accountId: string) => {
    await store.deletions.begin(accountId, { type: 'server' })
    clock.advance(1)
  }
  return { s3, clock, service, store, logLines, older, newer, put, begin }
}

test('a deletion that cannot go on keeps no other from its end', async () => {
  const { s3, service, store, logLines, older, newer, put, begin } = await start()
  await put(older)
  for (const accountId of [older, newer]) await begin(accountId)
  expect(await store.deletions.pending()).toEqual([older, newer])
  await s3.goAway()
  expect(await service.deletions.resume(never())).toBe(1)
  expect((await service.deletions.receipts()).map(({ accountId }) => accountId)).toEqual([newer])
  expect(logLines).toContainEqual(expect.objectContaining({ message: 'account deletion did not finish; retrying' }))
  await s3.back()
  expect(await service.deletions.resume(never())).toBe(1)
  expect(await store.deletions.pending()).toEqual([])
})

test('a deletion that waits for an upload under way keeps nobody waiting, and ends when that is given up', async () => {
  const { s3, clock, service, store, older, newer, put, begin } = await start()
  s3.fault = ({ method }) => (method === 'PUT' ? 'answer lost' : undefined)
  await expect(put(older)).rejects.toMatchObject({ code: 'unavailable' })
  s3.fault = undefined
  const patience = new AbortController()
  const onStep = ({ waits }: { waits?: boolean }) => (waits ? patience.abort() : undefined)
  expect(await service.deletions.start({ account: older, onStep }, patience.signal)).toBeUndefined()
  await begin(newer)
  expect(await service.deletions.resume(never())).toBe(1)
  expect(await store.deletions.pending()).toEqual([older])
  clock.advance(HOUR_MS)
  expect(await service.deletions.run({ account: older })).toMatchObject({ items: 0, remaining: { blob_write: 0 } })
  expect(s3.objects.size).toBe(0)
})

test('a deletion that has begun goes on later when the storage is away, and whoever began it is told so', async () => {
  const { s3, service, older, put } = await start()
  await put(older)
  await s3.goAway()
  expect(await service.deletions.start({ account: older }, never())).toBeUndefined()
  await expect(service.deletions.run({ account: older })).rejects.toMatchObject({ code: 'unavailable' })
  await s3.back()
  expect(await service.deletions.start({ account: older }, never())).toMatchObject({ items: 1 })
})
