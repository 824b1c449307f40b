import { expect, test } from 'vitest'
import { LockQueue } from '../../../src/store/postgres/write-locks.ts'

const LONG_MS = 10_000

/** Takes turns and notes who has one; `end` ends a turn and waits until those it lets in have begun. */
function noted() {
  const turns = new LockQueue()
  const had: string[] = []
  const ends = new Map<string, () => void>()
  return {
    had,
    take(name: string, locks: readonly bigint[], withinMs = LONG_MS): Promise<void> {
      return turns
        .take(locks, withinMs, () => new Error(`${name} is late`))
        .then((end) => {
          had.push(name)
          ends.set(name, end)
        })
    },
    async end(name: string): Promise<void> {
      ends.get(name)?.()
      await new Promise(setImmediate)
    },
  }
}

test('who needs the same lock has it in the order of coming, one at a time', async () => {
  const { had, take, end } = noted()
  const all = ['one', 'two', 'three'].map((name) => take(name, [1n]))
  await all[0]
  expect(had).toEqual(['one'])
  await end('one')
  expect(had).toEqual(['one', 'two'])
  await end('two')
  await Promise.all(all)
  expect(had).toEqual(['one', 'two', 'three'])
})

test('who needs another lock, or none, does not wait', async () => {
  const { had, take } = noted()
  await take('one', [1n])
  await Promise.all([take('other', [2n]), take('free', [])])
  expect(had).toEqual(['one', 'other', 'free'])
})

test('who needs several locks waits for all of them, and nobody who came later is served before', async () => {
  const { had, take, end } = noted()
  await Promise.all([take('one', [1n]), take('two', [2n])])
  const both = take('both', [1n, 2n])
  const later = [take('later one', [1n]), take('later two', [2n])]
  await end('one')
  expect(had).toEqual(['one', 'two'])
  await end('two')
  await both
  expect(had).toEqual(['one', 'two', 'both'])
  await end('both')
  await Promise.all(later)
  expect(had.slice(3).sort()).toEqual(['later one', 'later two'])
})

test('locks that are named in different orders never make two wait for each other', async () => {
  const { had, take, end } = noted()
  const all = [take('a', [1n, 2n, 3n]), take('b', [3n, 1n]), take('c', [2n, 3n]), take('d', [1n])]
  for (const [at, name] of ['a', 'b', 'c'].entries()) {
    await all[at]
    await end(name)
  }
  await Promise.all(all)
  expect(had).toEqual(['a', 'b', 'c', 'd'])
})

test('who waited too long gives up its place, and those behind it come sooner', async () => {
  const { had, take, end } = noted()
  await take('one', [1n])
  const impatient = take('impatient', [1n, 2n], 1)
  const behind = take('behind', [2n])
  await expect(impatient).rejects.toThrow('impatient is late')
  await behind
  expect(had).toEqual(['one', 'behind'])
  const next = take('next', [1n])
  await end('one')
  await next
})
