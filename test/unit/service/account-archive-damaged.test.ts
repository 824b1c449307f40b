import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { expect, onTestFinished, test } from 'vitest'
import { readArchive } from '../../../src/service/archive/import-account.ts'
import { openS3Blobs } from '../../../src/store/s3/s3-blobs.ts'
import { sampleUpload } from '../../contract/store-samples.ts'
import { startS3Server } from '../../fakes/s3-server.ts'
import { startService } from '../../lib/start-service.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

test('an export goes on without the bytes that are lost, and an import brings those that are lost or damaged', async () => {
  const s3 = await startS3Server()
  onTestFinished(() => s3[Symbol.asyncDispose]())
  const bodies = { blobs: openS3Blobs(s3.url(), { tries: 1 }), leastBytes: 1 }
  const { service, store, accountId, stop } = await startService({ work: false, bodies })
  onTestFinished(stop)
  const scoped = store.scoped({ accountId, sources: 'all' })
  for (const itemId of ['lost', 'damaged', 'whole']) await scoped.putItem(sampleUpload(itemId, `words of ${itemId}`))
  const whole = join(temporaryFolder(), 'whole.tar.gz')
  await pipeline((await service.archives.export({})).stream, createWriteStream(whole))
  const [lost, damaged] = s3.objects.keys()
  s3.objects.delete(lost ?? '')
  s3.objects.get(damaged ?? '')?.bytes.fill(0)

  const missing: string[] = []
  const { stream } = await service.archives.export({ onMissing: ({ itemId }) => missing.push(itemId) })
  const file = join(temporaryFolder(), 'account.tar.gz')
  await pipeline(stream, createWriteStream(file))
  expect(missing).toEqual(['lost', 'damaged'])
  const exported: string[] = []
  const { counts } = await readArchive(file, { item: async ({ item_id }) => void exported.push(item_id) })
  expect(exported).toEqual(['whole'])
  expect(counts).toMatchObject({ items: 1, missing: 2 })

  expect(await service.archives.import({ file: whole, into: accountId })).toMatchObject({
    items: 0,
    unchanged: 3,
    kept: [],
  })
  const texts = ['lost', 'damaged', 'whole'].map((itemId) => scoped.readBody({ itemId, sourceType: 'text' }))
  expect((await Promise.all(texts)).map((body) => Buffer.from(body ?? []).toString())).toEqual([
    'words of lost',
    'words of damaged',
    'words of whole',
  ])
})
