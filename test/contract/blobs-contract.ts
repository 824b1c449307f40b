import { randomBytes, randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import type { BlobRef, Blobs, StoredBlob } from '../../src/store/bodies/bodies.ts'
import { sha256 } from './store-samples.ts'

export function blobOf(key: string, body: Uint8Array): BlobRef {
  return { key, sha256: sha256(body).toString('hex'), bytes: body.byteLength }
}

/** What every storage of objects promises. */
export function describeBlobsContract(name: string, open: () => Promise<Blobs>): void {
  describe(`${name}: objects`, () => {
    let blobs: Blobs
    let account: string
    beforeEach(async () => {
      blobs = await open()
      account = randomUUID()
    })

    async function listed(prefix: string): Promise<StoredBlob[]> {
      const all: StoredBlob[] = []
      for await (const page of blobs.list(prefix)) all.push(...page)
      return all
    }

    test.each([0, 1, 70_000, 5_000_001])('one of %d bytes comes back as it was put', async (length) => {
      const body = randomBytes(length)
      const blob = blobOf(`${account}/one`, body)
      await blobs.put(blob, body)
      const read = await blobs.get(blob)
      expect(read && Buffer.compare(read, body)).toBe(0)
    })

    test('one that was never put, or was removed, is absent', async () => {
      const body = randomBytes(100)
      const blob = blobOf(`${account}/one`, body)
      expect(await blobs.get(blob)).toBeUndefined()
      await blobs.put(blob, body)
      await blobs.remove([blob.key])
      expect(await blobs.get(blob)).toBeUndefined()
    })

    test('removing what is not there is no failure', async () => {
      await blobs.remove([`${account}/none`, `${account}/neither`])
      await blobs.remove([])
    })

    test('one that holds something else than was put is damaged', async () => {
      const blob = blobOf(`${account}/one`, randomBytes(100))
      const other = randomBytes(100)
      await blobs.put(blobOf(blob.key, other), other)
      await expect(blobs.get(blob)).rejects.toMatchObject({ code: 'damaged' })
      const longer = randomBytes(101)
      await blobs.put(blobOf(blob.key, longer), longer)
      await expect(blobs.get(blob)).rejects.toMatchObject({ code: 'damaged' })
    })

    test('bytes that are not what their hash says are refused', async () => {
      const blob = blobOf(`${account}/one`, randomBytes(100))
      await expect(blobs.put(blob, randomBytes(100))).rejects.toMatchObject({ code: 'unavailable' })
      expect(await blobs.get(blob)).toBeUndefined()
    })

    test('they are listed by prefix, in the order of their keys, with their sizes', async () => {
      const before = Date.now() - 60_000
      for (const [key, length] of [
        ['b', 2],
        ['a', 1],
        ['c', 3],
      ] as const) {
        const body = randomBytes(length)
        await blobs.put(blobOf(`${account}/${key}`, body), body)
      }
      const all = await listed(`${account}/`)
      expect(all.map(({ key, bytes }) => [key, bytes])).toEqual([
        [`${account}/a`, 1],
        [`${account}/b`, 2],
        [`${account}/c`, 3],
      ])
      for (const { at } of all) expect(at.getTime()).toBeGreaterThan(before)
      expect(await listed(`${account}/b`)).toHaveLength(1)
      expect(await listed(`${randomUUID()}/`)).toEqual([])
      await blobs.remove(all.map(({ key }) => key))
      expect(await listed(`${account}/`)).toEqual([])
    })

    test('a check leaves nothing behind', async () => {
      await blobs.check()
      expect(await listed('check/')).toEqual([])
    })
  })
}
