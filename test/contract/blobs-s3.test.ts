import { randomBytes } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Blobs, StoredBlob } from '../../src/store/bodies/bodies.ts'
import { openS3Blobs, type S3Limits } from '../../src/store/s3/s3-blobs.ts'
import { type S3Fault, type S3Server, startS3Server } from '../fakes/s3-server.ts'
import { blobOf, describeBlobsContract } from './blobs-contract.ts'

const SHORT = { connectMs: 300, idleMs: 200, requestMs: 300, callMs: 20_000, tries: 3 }

async function start(limits: Partial<S3Limits> = SHORT): Promise<{ server: S3Server; blobs: ReturnType<typeof open> }> {
  const server = await startS3Server()
  onTestFinished(() => server[Symbol.asyncDispose]())
  return { server, blobs: open(server.url('recalld'), limits) }
}

function open(url: string, limits: Partial<S3Limits> = {}) {
  const blobs = openS3Blobs(url, limits)
  onTestFinished(() => blobs.close())
  return blobs
}

describeBlobsContract('a server on loopback', async () => (await start({})).blobs)

/** Such as `s3://key:secret@bucket/prefix?endpoint=http://127.0.0.1:7480`. */
const REAL = process.env.RECALLD_TEST_BLOB_URL
if (REAL !== undefined) describeBlobsContract('the server of RECALLD_TEST_BLOB_URL', async () => open(REAL))

const body = randomBytes(40_000)
const blob = blobOf('account/one', body)

/** The first so many requests go wrong. */
function first(count: number, fault: S3Fault): S3Server['fault'] {
  let left = count
  return () => (left-- > 0 ? fault : undefined)
}

async function pagesOf(blobs: Blobs): Promise<(readonly StoredBlob[])[]> {
  const pages: (readonly StoredBlob[])[] = []
  for await (const page of blobs.list('')) pages.push(page)
  return pages
}

describe('a storage of objects that is not well', () => {
  test.each(['busy', 'reset', 'answer lost', 'silent'] as const)('is asked again when it is %s', async (fault) => {
    const { server, blobs } = await start()
    server.fault = first(2, fault)
    await blobs.put(blob, body)
    server.fault = first(2, fault)
    expect(await blobs.get(blob)).toHaveLength(body.length)
    server.fault = first(2, fault)
    await blobs.remove([blob.key])
    expect(server.objects.size).toBe(0)
  })

  test.each(['cut off', 'stalled', 'damaged'] as const)('is asked again when an object is %s', async (fault) => {
    const { server, blobs } = await start()
    await blobs.put(blob, body)
    server.fault = first(2, fault)
    expect(await blobs.get(blob)).toHaveLength(body.length)
  })

  test.each([
    ['busy', 'it is overloaded'],
    ['reset', 'the connection was lost'],
    ['silent', "it didn't respond in time"],
    ['denied', 'this key lacks permissions'],
  ] as const)('and stays %s is unavailable, and says why', async (fault, why) => {
    // On a busy machine, short limits could end before a fault shows.
    const { server, blobs } = await start(fault === 'silent' ? SHORT : { tries: SHORT.tries })
    server.fault = () => fault
    const sentence = { code: 'unavailable', message: `The object storage can't be used: ${why}` }
    const calls = [blobs.put(blob, body), blobs.get(blob), blobs.remove([blob.key]), blobs.check(), pagesOf(blobs)]
    // At once: each waits before it asks again.
    await Promise.all(calls.map((call) => expect(call).rejects.toMatchObject(sentence)))
  })

  test.each(['cut off', 'stalled'] as const)('and leaves every object %s is unavailable', async (fault) => {
    const { server, blobs } = await start()
    await blobs.put(blob, body)
    server.fault = () => fault
    await expect(blobs.get(blob)).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('is unavailable while it is away, and works again when it is back', async () => {
    const { server, blobs } = await start()
    await server.goAway()
    await expect(blobs.put(blob, body)).rejects.toMatchObject({
      message: "The object storage can't be used: it can't be reached",
    })
    await server.back()
    await blobs.put(blob, body)
    expect(await blobs.get(blob)).toHaveLength(body.length)
  })

  test('keeps nobody waiting who does not want to wait any more', async () => {
    const { server, blobs } = await start({ ...SHORT, requestMs: 60_000, idleMs: 60_000, callMs: 60_000 })
    server.fault = () => 'silent'
    const stopping = new AbortController()
    const read = blobs.get(blob, stopping.signal)
    stopping.abort()
    await expect(read).rejects.toMatchObject({ code: 'unavailable' })
  })

  test.each([
    ['a wrong secret', (url: string) => url.replace('secret', 'other'), 'it rejected the secret of the key'],
    ['an unknown key', (url: string) => url.replace('AKIAEXAMPLE', 'AKIAOTHER'), "it doesn't know the key"],
    ['an unknown bucket', (url: string) => url.replace('@uploads', '@downloads'), 'there is no bucket with this name'],
  ])('says that of %s, and nothing secret', async (_, change, why) => {
    const { server } = await start()
    const blobs = open(change(server.url()), SHORT)
    const failure = await blobs.check().catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'unavailable', message: `The object storage can't be used: ${why}` })
    expect(blobs.place).toMatch(/^s3:\/\/(up|down)loads\/ at 127\.0\.0\.1:\d+$/)
    const told = JSON.stringify([failure, (failure as Error).stack, (failure as Error).cause, blobs.place])
    for (const secret of ['AKIA', 'secret+', 'other']) expect(told).not.toContain(secret)
  })
})

describe('a storage of objects that is well, and slow', () => {
  const answersMs = 250
  const patient = { connectMs: 400, idleMs: 5_000, requestMs: 5_000, callMs: 5_000, tries: 1 }

  test('takes what waits for its turn longer than a connection may', async () => {
    const { server, blobs } = await start(patient)
    server.slowMs = answersMs
    const all = Array.from({ length: 48 }, (_, n) => blobOf(`account/${n}`, body))
    await Promise.all(all.map((one) => blobs.put(one, body)))
    expect(server.objects.size).toBe(48)
    expect(await Promise.all(all.map(async (one) => (await blobs.get(one))?.length))).toEqual(all.map(() => 40_000))
    expect(server.requests).toHaveLength(96)
  })

  test('removes many, though it takes longer than one call may', async () => {
    const { server, blobs } = await start({ ...patient, callMs: 600 })
    server.slowMs = answersMs
    const keys = Array.from({ length: 48 }, (_, n) => `account/${n}`)
    for (const key of keys) server.objects.set(`recalld/${key}`, { bytes: body, at: new Date() })
    await blobs.remove(keys)
    expect(server.objects.size).toBe(0)
  })

  test('is overloaded for whoever waits too long for a permit, of whom nothing is sent', async () => {
    const { server, blobs } = await start({ ...patient, queueMs: 100 })
    server.slowMs = answersMs
    const all = Array.from({ length: 20 }, (_, n) => blobs.put(blobOf(`account/${n}`, body), body))
    const outcomes = await Promise.allSettled(all)
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? outcome.reason : []))
    expect(refused).toHaveLength(4)
    expect(refused[0]).toMatchObject({
      code: 'unavailable',
      message: "The object storage can't be used: it is overloaded",
    })
    expect(server.requests).toHaveLength(16)
  })
})

test('pages of a long list follow each other', async () => {
  const { server, blobs } = await start({})
  for (let n = 0; n < 2_500; n++) {
    server.objects.set(`recalld/a/${String(n).padStart(5, '0')}`, { bytes: Buffer.alloc(n % 7), at: new Date() })
  }
  server.objects.set('elsewhere/a/1', { bytes: Buffer.alloc(1), at: new Date() })
  const pages = await pagesOf(blobs)
  const keys = new Set(pages.flatMap((page) => page.map(({ key }) => key)))
  expect(pages.map(({ length }) => length)).toEqual([1_000, 1_000, 500])
  expect(keys.size).toBe(2_500)
  expect(keys.has('a/02499')).toBe(true)
})
