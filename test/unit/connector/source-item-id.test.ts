import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { accountPart, sourceItemId } from '../../../src/connector/source-item-id.ts'
import { itemIdProblem } from '../../../src/domain/identifiers.ts'

/** Characters that have a meaning in an id, or none at all, more often than by chance. */
const value = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom(':', '=', '3', 'A', '.', '/', '!', '_', '-', '%', 'é', '=3A') }),
)
/** `slack:T0:C0:day=...`: the same names in the same order. */
const parts = fc.tuple(value, value, value)
const idOf = ([a, b, c]: readonly [string, string, string]) => sourceItemId('slack', a, { name: 'day', value: b }, c)

describe('the id of an item of a source', () => {
  test('is the same each time, and one that the specification allows', () => {
    fc.assert(
      fc.property(parts, (some) => {
        const id = idOf(some)
        expect(idOf(some)).toBe(id)
        expect(id).toMatch(/^slack(?::[A-Za-z0-9_=-]*){3}$/)
        expect(itemIdProblem(id)).toBeUndefined()
      }),
    )
  })

  test('differs when a part differs', () => {
    fc.assert(
      fc.property(parts, parts, (some, others) => {
        fc.pre(some.some((part, i) => part.toWellFormed() !== others[i]?.toWellFormed()))
        expect(idOf(some)).not.toBe(idOf(others))
      }),
      { numRuns: 500 },
    )
  })

  test('is at most 500 characters long, and still differs where it was cut', () => {
    const long = fc.string({ unit: 'binary', minLength: 400, maxLength: 2_000 })
    fc.assert(
      fc.property(long, long, (some, other) => {
        fc.pre(some.toWellFormed() !== other.toWellFormed())
        const ids = [some, other].flatMap((text) => [sourceItemId('file', text), sourceItemId('file', `${text}x`)])
        expect(new Set(ids).size).toBe(4)
        for (const id of ids) {
          expect(id.length).toBeLessThanOrEqual(500)
          expect(itemIdProblem(id)).toBeUndefined()
        }
      }),
    )
    expect(sourceItemId('file', 'a'.repeat(495))).toBe(`file:${'a'.repeat(495)}`)
    expect(sourceItemId('file', 'a'.repeat(496))).toMatch(/^file:a{435}:h=[A-Za-z0-9_-]{43}$/)
  })

  test('reads as its parts, with what has a meaning written in hexadecimal', () => {
    expect(sourceItemId('slack', 'T0', 'C0', '1700000000.000100')).toBe('slack:T0:C0:1700000000=2E000100')
    expect(sourceItemId('browser', 'ab', { name: 'day', value: '2026-11-20' }, { name: 'd', value: 'a.b' })).toBe(
      'browser:ab:day=2026-11-20:d=a=2Eb',
    )
    expect(sourceItemId('x', 'a:b', 'c=d', 'é', '😀')).toBe('x:a=3Ab:c=3Dd:=C3=A9:=F0=9F=98=80')
  })
})

test('accounts are told by ten digits of a hash', () => {
  expect(accountPart('T0123')).toMatch(/^[0-9a-f]{10}$/)
  expect(accountPart('T0123')).toBe(accountPart('T0123'))
  expect(accountPart('T0123')).not.toBe(accountPart('T0124'))
})
