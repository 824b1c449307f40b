import { expect, onTestFinished, test } from 'vitest'
import { openS3Blobs } from '../../src/store/s3/s3-blobs.ts'
import { startS3Server } from '../fakes/s3-server.ts'
import { httpCall } from '../lib/http-call.ts'
import { startService } from '../lib/start-service.ts'
import { until } from '../lib/until.ts'

const TEXT = 'The blue bicycle stands in the cellar. '.repeat(40)

/** A service with an item that is ready, and whose bytes lie in a bucket. */
async function withItem() {
  const s3 = await startS3Server()
  onTestFinished(() => s3[Symbol.asyncDispose]())
  const bodies = { blobs: openS3Blobs(s3.url('recalld'), { tries: 1 }), leastBytes: 1_000 }
  const service = await startService({ bodies })
  onTestFinished(() => service.stop())
  const { baseUrl, key } = service
  await service.upload(TEXT, { itemId: 'note' })
  const upload = (text: string) =>
    httpCall(`${baseUrl}/v1/memorize`, {
      method: 'POST',
      key,
      form: [
        ['file', new File([text], 'note.txt', { type: 'text/plain' })],
        ['user_name', 'Ada Lovelace'],
        ['source_type', 'text'],
        ['item_id', 'note'],
        ['on_conflict', 'replace'],
      ],
    })
  const download = () => httpCall(`${baseUrl}/v1/files/download?item_id=note&source_type=text`, { key })
  return { s3, service, upload, download }
}

test.each(['lost', 'damaged'])(
  'an upload of the same bytes puts those there again that the bucket has %s',
  async (how) => {
    const { s3, service, upload, download } = await withItem()
    const [object] = [...s3.objects.keys()]
    if (how === 'lost') s3.objects.clear()
    else s3.objects.get(object ?? '')?.bytes.fill(0)
    expect((await download()).status).toBe(500)
    expect(await upload(TEXT)).toMatchObject({ status: 200, body: { item_id: 'note' } })
    expect(await download()).toMatchObject({ status: 200, text: TEXT })
    // What was made of them holds, and is not made again.
    expect(await service.store.queue.depth()).toMatchObject({ nextAt: undefined })
    // Nothing is left of the object that was damaged, and nothing of what was moved.
    await until(async () => (await service.store.bodies.stats()).garbage === 0)
    expect([...s3.objects.keys()]).toEqual([expect.not.stringMatching(object ?? '')])
    expect(await service.store.bodies.stats()).toMatchObject({ inStorage: { items: 1 }, unfinished: 0 })
  },
)

test('an upload of the same bytes leaves those alone that the bucket has', async () => {
  const { s3, upload, download } = await withItem()
  const [object] = [...s3.objects.keys()]
  expect((await upload(TEXT)).status).toBe(200)
  expect([...s3.objects.keys()]).toEqual([object])
  expect(await download()).toMatchObject({ status: 200, text: TEXT })
})

test('an upload of the same bytes is not acknowledged while nobody knows whether the bucket has them', async () => {
  const { s3, upload } = await withItem()
  s3.fault = () => 'busy'
  expect(await upload(TEXT)).toMatchObject({ status: 503 })
  s3.fault = undefined
  expect((await upload(TEXT)).status).toBe(200)
})
