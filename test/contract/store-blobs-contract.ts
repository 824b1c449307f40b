import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Clock } from '../../src/lib/clock.ts'
import type { ReleaseWhile } from '../../src/lib/semaphore.ts'
import type { BlobOptions } from '../../src/store/bodies/bodies.ts'
import { openS3Blobs } from '../../src/store/s3/s3-blobs.ts'
import type { ScopedStore, Store } from '../../src/store/store.ts'
import { type S3Server, startS3Server } from '../fakes/s3-server.ts'
import { until } from '../lib/until.ts'
import { type MovableClock, movableClock } from './store-contract.ts'
import { deleteAccount } from './store-deletion-contract.ts'
import { claimOne, sampleAccount, sampleItem, sampleUpload, sha256 } from './store-samples.ts'

/** Opens one database, as many processes do. */
export type OpenDatabase = (bodies?: BlobOptions) => Promise<Store>

const HOUR_MS = 3_600_000
const LEAST_BYTES = 1_000
const LIMITS = { tries: 1 }
const ref = (itemId: string) => ({ itemId, sourceType: 'text' }) as const
/** Longer than what stays in the database. */
const long = (text: string) => text.padEnd(LEAST_BYTES, '.')

async function moved(store: Store, to: 'storage' | 'database'): Promise<{ items: number; bytes: number }> {
  const sum = { items: 0, bytes: 0 }
  for await (const { items, bytes } of store.bodies.move(to)) {
    sum.items += items
    sum.bytes += bytes
  }
  return sum
}

/** What a store with the bytes of large uploads in a storage of objects promises. */
export function describeStoreBlobsContract(
  name: string,
  acceptDatabase: (clock: Clock) => Promise<OpenDatabase>,
): void {
  let clock: MovableClock
  let s3: S3Server
  let openDatabase: OpenDatabase
  let store: Store
  let a: ScopedStore

  const open = () => openDatabase({ blobs: openS3Blobs(s3.url('recalld'), LIMITS), leastBytes: LEAST_BYTES })
  const textOf = async (itemId: string) => {
    const body = await a.readBody(ref(itemId))
    return body && Buffer.from(body).toString()
  }
  const put = (itemId: string, text: string, onConflict: 'reject' | 'replace' = 'reject') =>
    a.putItem(sampleUpload(itemId, text, { onConflict }))
  const isSwept = () => until(async () => s3.objects.size === 0 && (await store.bodies.stats()).garbage === 0)
  const claim = (limit = 10) => store.queue.claim({ owner: 'test', limit, leaseMs: 60_000 })

  beforeEach(async () => {
    clock = movableClock()
    s3 = await startS3Server()
    onTestFinished(() => s3[Symbol.asyncDispose]())
    openDatabase = await acceptDatabase(clock)
    store = await open()
    await store.admin.createAccount(sampleAccount('a'))
    a = store.scoped({ accountId: 'a', sources: 'all' })
  })

  describe(`${name}: bytes in a storage of objects`, () => {
    test('are those of large uploads; a worker gets them with its claims, and small ones from the database', async () => {
      await put('large', long('many words'))
      await put('small', 'few words')
      expect(await textOf('large')).toBe(long('many words'))
      expect(await textOf('small')).toBe('few words')
      expect([...s3.objects.values()].map(({ bytes }) => bytes.toString())).toEqual([long('many words')])
      const claims = await claim()
      expect(claims.map(({ body }) => Buffer.from(body).toString())).toEqual([long('many words'), 'few words'])
      expect(await store.bodies.stats()).toEqual({
        inDatabase: { items: 1, bytes: 9 },
        inStorage: { items: 1, bytes: LEAST_BYTES },
        unfinished: 0,
        garbage: 0,
      })
    })

    test('are sent without holding a permit for commits; small ones are not', async () => {
      const sent: number[] = []
      const releaseWhile: ReleaseWhile = async (work) => {
        const before = s3.objects.size
        const done = await work()
        sent.push(s3.objects.size - before)
        return done
      }
      await a.putItem(sampleUpload('large', long('many words')), releaseWhile)
      await a.putItem(sampleUpload('small', 'few words'), releaseWhile)
      expect(sent).toEqual([1])
    })

    test('lie under the account, and their keys tell nothing else', async () => {
      await put('large', long('words'))
      expect([...s3.objects.keys()]).toEqual([expect.stringMatching(/^recalld\/a\/[0-9a-f]{8}(-[0-9a-f]{4,12}){4}$/)])
    })

    test('are removed from it when their item is deleted or replaced', async () => {
      await put('one', long('first'))
      await put('two', long('second'))
      await put('one', long('third'), 'replace')
      await until(async () => s3.objects.size === 2)
      expect(await textOf('one')).toBe(long('third'))
      await put('two', 'short', 'replace')
      await a.deleteItem(ref('one'))
      await isSwept()
      expect(await textOf('two')).toBe('short')
    })

    test('are not sent for an upload that is refused or changes nothing', async () => {
      await put('note', long('words'))
      const writes = () => s3.requests.filter(({ method }) => method !== 'GET').length
      const before = writes()
      expect(await put('note', long('others'))).toMatchObject({ outcome: 'conflict' })
      expect(await put('note', long('words'), 'replace')).toMatchObject({ outcome: 'unchanged' })
      expect(writes()).toBe(before)
    })

    test('of two uploads of one item at a time, the one that lost leaves nothing', async () => {
      const outcomes = await Promise.all([put('note', long('one')), put('note', long('two'))])
      expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['conflict', 'created'])
      // The sweep is due to whoever comes next.
      await put('other', long('x'))
      await a.deleteItem(ref('other'))
      await until(async () => s3.objects.size === 1)
    })

    test('are read again where they are when their item is replaced meanwhile', async () => {
      await put('note', long('old'))
      let replacing: Promise<unknown> | undefined
      s3.fault = ({ method }) => {
        if (method !== 'GET' || replacing !== undefined) return undefined
        replacing = put('note', long('new'), 'replace')
        return 'busy'
      }
      await a.readBody(ref('note')).catch(() => undefined)
      await replacing
      await until(async () => s3.objects.size === 1)
      expect(await textOf('note')).toBe(long('new'))
    })
  })

  describe(`${name}: a storage of objects that is away`, () => {
    test('takes no large upload, and nothing of it is left', async () => {
      await s3.goAway()
      await expect(put('large', long('words'))).rejects.toMatchObject({ code: 'unavailable' })
      expect(await a.findItem(ref('large'))).toBeUndefined()
      expect(await a.holdings()).toMatchObject({ items: 0, bytes: 0 })
      expect(await put('small', 'words')).toMatchObject({ outcome: 'created' })
      await s3.back()
      expect(await put('large', long('words'))).toMatchObject({ outcome: 'created' })
    })

    test('keeps no deleted item: it is gone at once, and its bytes when the storage is back', async () => {
      await put('note', long('words'))
      await s3.goAway()
      expect(await a.deleteItem(ref('note'))).toBeDefined()
      expect(await textOf('note')).toBeUndefined()
      expect(await store.bodies.stats()).toMatchObject({ garbage: 1, inStorage: { items: 0 } })
      await s3.back()
      expect(s3.objects.size).toBe(1)
      const next = await open()
      await next.queue.claim({ owner: 'next', limit: 1, leaseMs: 60_000 })
      await isSwept()
    })

    test('makes downloads of large items unavailable, and only those', async () => {
      await put('large', long('words'))
      await put('small', 'words')
      await s3.goAway()
      await expect(a.readBody(ref('large'))).rejects.toMatchObject({ code: 'unavailable' })
      expect(await textOf('small')).toBe('words')
      await store.check()
    })

    test('makes items wait without an attempt; others are worked on, and it is asked again later', async () => {
      for (let n = 0; n < 12; n++) await put(`large ${n}`, long(`words ${n}`))
      await put('small', 'words')
      await s3.goAway()
      expect((await claim(4)).map(({ itemId }) => itemId)).toEqual(['small'])
      expect(await a.findItem(ref('large 0'))).toMatchObject({
        status: 'queued',
        error: expect.stringMatching(/^The object storage can't be used: /),
      })
      expect(await claim(4)).toEqual([])
      const asked = s3.requests.length
      await s3.back()
      expect(s3.requests).toHaveLength(asked)
      clock.advance(HOUR_MS)
      const again = await open()
      const claims = await again.queue.claim({ owner: 'next', limit: 20, leaseMs: 60_000 })
      const large = claims.filter(({ itemId }) => itemId !== 'small')
      expect(large).toHaveLength(12)
      for (const { attempt } of large) expect(attempt).toBe(1)
      await again.queue.complete(large[0]!, sampleItem(['words']))
      expect(await a.findItem(ref(large[0]!.itemId))).toMatchObject({ status: 'ready', error: undefined })
    })

    test('keeps no worker that stops waiting', async () => {
      await put('large', long('words'))
      const stopping = new AbortController()
      s3.fault = () => {
        stopping.abort()
        return 'silent'
      }
      const claims = await store.queue.claim({ owner: 'test', limit: 1, leaseMs: 60_000, signal: stopping.signal })
      expect(claims).toEqual([])
      s3.fault = undefined
      expect(await claimOne(store)).toMatchObject({ itemId: 'large', attempt: 1 })
    })

    test('ends no deletion of an account before it is back and has nothing of it', async () => {
      await put('note', long('words'))
      await put('small', 'words')
      await s3.goAway()
      await store.deletions.begin('a', { type: 'server' })
      const goOn = async () => {
        for (;;) {
          const { receipt } = await store.deletions.goOn('a')
          if (receipt !== undefined) return receipt
        }
      }
      await expect(goOn()).rejects.toMatchObject({ code: 'unavailable' })
      expect(await store.deletions.pending()).toEqual(['a'])
      await s3.back()
      const receipt = await goOn()
      expect(receipt).toMatchObject({ items: 2, remaining: { body: 0, blob_garbage: 0, blob_write: 0 } })
      expect(s3.objects.size).toBe(0)
    })
  })

  describe(`${name}: objects that went wrong`, () => {
    test('whose upload was cut off are removed by the sweep, once nobody can be writing them', async () => {
      s3.fault = ({ method }) => (method === 'PUT' ? 'answer lost' : undefined)
      await expect(put('note', long('words'))).rejects.toMatchObject({ code: 'unavailable' })
      s3.fault = undefined
      expect(s3.objects.size).toBe(1)
      expect(await store.bodies.stats()).toMatchObject({ unfinished: 1, garbage: 0 })
      await (await open()).queue.claim({ owner: 'early', limit: 1, leaseMs: 60_000 })
      clock.advance(HOUR_MS)
      expect(s3.objects.size).toBe(1)
      await (await open()).queue.claim({ owner: 'late', limit: 1, leaseMs: 60_000 })
      await isSwept()
      expect(await store.bodies.stats()).toMatchObject({ unfinished: 0 })
    })

    test('that a sweep gave up while they were written are not referred to', async () => {
      let sweeping: Promise<unknown> | undefined
      s3.fault = ({ method }) => {
        if (method !== 'PUT' || sweeping !== undefined) return undefined
        clock.advance(HOUR_MS)
        sweeping = open().then((other) => other.queue.claim({ owner: 'other', limit: 1, leaseMs: 60_000 }))
        return undefined
      }
      const blobs = openS3Blobs(s3.url('recalld'), LIMITS)
      const slow = {
        ...{ place: blobs.place, get: blobs.get.bind(blobs), remove: blobs.remove.bind(blobs) },
        ...{ list: blobs.list.bind(blobs), check: blobs.check.bind(blobs), close: () => blobs.close() },
        put: async (...parameters: Parameters<typeof blobs.put>) => {
          await blobs.put(...parameters)
          await sweeping
          await until(async () => (await store.bodies.stats()).unfinished === 0)
        },
      }
      const late = await openDatabase({ blobs: slow, leastBytes: LEAST_BYTES })
      const upload = late.scoped({ accountId: 'a', sources: 'all' }).putItem(sampleUpload('note', long('words')))
      await expect(upload).rejects.toMatchObject({ code: 'unavailable', message: /took too long/ })
      expect(await a.findItem(ref('note'))).toBeUndefined()
      await (await open()).queue.claim({ owner: 'last', limit: 1, leaseMs: 60_000 })
      await isSwept()
    })

    test('that are lost fail their items with a reason, and the next upload heals them', async () => {
      await put('note', long('words'))
      s3.objects.clear()
      expect(await claim()).toEqual([])
      const lost = /missing from the object storage\. Upload it again/
      expect(await a.findItem(ref('note'))).toMatchObject({ status: 'failed', error: expect.stringMatching(lost) })
      await expect(a.readBody(ref('note'))).rejects.toMatchObject({ code: 'damaged', message: lost })
      await put('note', long('words'), 'replace')
      expect(await textOf('note')).toBe(long('words'))
      expect(await claimOne(store)).toMatchObject({ itemId: 'note' })
    })

    test('that are damaged fail their items with a reason, and are told of to whoever asks for them', async () => {
      await put('note', long('words'))
      s3.fault = ({ method }) => (method === 'GET' ? 'damaged' : undefined)
      expect(await claim()).toEqual([])
      const damaged = /damaged in the object storage\. Upload it again or delete it/
      expect(await a.findItem(ref('note'))).toMatchObject({ status: 'failed', error: expect.stringMatching(damaged) })
      await expect(a.readBody(ref('note'))).rejects.toMatchObject({ code: 'damaged', message: damaged })
    })

    test('are named by a comparison, and removed when somebody says so', async () => {
      for (const itemId of ['one', 'two', 'three']) await put(itemId, long(itemId))
      const [lost] = s3.objects.keys()
      s3.objects.delete(lost!)
      const stray = { bytes: randomBytes(10), at: new Date(clock().getTime() - 2 * HOUR_MS) }
      s3.objects.set('recalld/a/stray', stray)
      s3.objects.set('recalld/zzz/young', { ...stray, at: clock() })
      s3.objects.set('elsewhere/stray', stray)
      const comparison = await store.bodies.compare()
      expect(comparison).toMatchObject({ objects: 4, bytes: 2 * LEAST_BYTES + 20, stray: ['a/stray'] })
      expect(comparison.missing).toEqual([{ accountId: 'a', ...ref('one') }])
      await store.bodies.removeStray(comparison.stray)
      expect((await store.bodies.compare()).stray).toEqual([])
      expect(s3.objects.has('elsewhere/stray')).toBe(true)
    })
  })

  describe(`${name}: where bytes lie`, () => {
    test('changes when somebody moves them, and nobody sees it', async () => {
      const before = await openDatabase()
      const plain = before.scoped({ accountId: 'a', sources: 'all' })
      const texts = Array.from({ length: 45 }, (_, n) => long(`text ${n}`))
      for (const [n, text] of texts.entries()) await plain.putItem(sampleUpload(`item ${n}`, text))
      await plain.putItem(sampleUpload('small', 'words'))
      const bytes = texts.length * LEAST_BYTES
      expect(await moved(store, 'storage')).toEqual({ items: 45, bytes })
      expect(s3.objects.size).toBe(45)
      expect(await store.bodies.stats()).toMatchObject({
        inStorage: { items: 45, bytes },
        inDatabase: { items: 1, bytes: 5 },
        unfinished: 0,
      })
      expect(await moved(store, 'storage')).toEqual({ items: 0, bytes: 0 })
      for (const [n, text] of texts.entries()) expect(await textOf(`item ${n}`)).toBe(text)
      await expect(plain.readBody(ref('item 0'))).rejects.toMatchObject({
        code: 'unavailable',
        message: /RECALLD_BLOB_URL/,
      })
      expect(await moved(store, 'database')).toEqual({ items: 45, bytes })
      expect(s3.objects.size).toBe(0)
      expect(await store.bodies.stats()).toMatchObject({ inStorage: { items: 0 }, garbage: 0 })
      for (const [n, text] of texts.entries()) {
        expect(sha256((await plain.readBody(ref(`item ${n}`))) ?? '')).toEqual(sha256(text))
      }
    })

    test('is the database alone only when every object is gone', async () => {
      for (let n = 0; n < 5; n++) await put(`item ${n}`, long(`text ${n}`))
      s3.fault = ({ method }) => (method === 'DELETE' ? 'denied' : undefined)
      await expect(moved(store, 'database')).rejects.toMatchObject({ code: 'unavailable' })
      expect(await store.bodies.stats()).toMatchObject({ inStorage: { items: 0 }, garbage: 5 })
      s3.fault = undefined
      expect(await moved(store, 'database')).toEqual({ items: 0, bytes: 0 })
      expect(s3.objects.size).toBe(0)
      await store.close()
      const plain = await openDatabase()
      expect(await deleteAccount(plain, 'a')).toMatchObject({ items: 5 })
    })

    test('is moved on after a storage was away in between', async () => {
      const plain = (await openDatabase()).scoped({ accountId: 'a', sources: 'all' })
      for (let n = 0; n < 5; n++) await plain.putItem(sampleUpload(`item ${n}`, long(`text ${n}`)))
      let puts = 0
      s3.fault = ({ method }) => (method === 'PUT' && ++puts > 2 ? 'denied' : undefined)
      await expect(moved(store, 'storage')).rejects.toMatchObject({ code: 'unavailable' })
      s3.fault = undefined
      expect(await moved(store, 'storage')).toEqual({ items: 3, bytes: 3 * LEAST_BYTES })
      for (let n = 0; n < 5; n++) expect(await textOf(`item ${n}`)).toBe(long(`text ${n}`))
    })
  })
}
