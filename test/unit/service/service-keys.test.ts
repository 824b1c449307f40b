import { describe, expect, test } from 'vitest'
import { hashKey, looksLikeKey, newKeySecret, sameHash } from '../../../src/service/principal.ts'

describe('a new key', () => {
  test('begins with rk_ and carries 256 random bits', () => {
    const key = newKeySecret()
    expect(key).toMatch(/^rk_[A-Za-z0-9_-]{43}$/)
    expect(Buffer.from(key.slice(3), 'base64url')).toHaveLength(32)
  })

  test('is another one each time', () => {
    expect(new Set(Array.from({ length: 100 }, newKeySecret)).size).toBe(100)
  })

  test('looks like a key, and what was typed wrong does not', () => {
    const key = newKeySecret()
    expect(looksLikeKey(key)).toBe(true)
    for (const other of ['', 'rk_', ` ${key}`, `${key} `, `${key}\n`, `${key}, ${key}`, key.slice(1)]) {
      expect(looksLikeKey(other)).toBe(false)
    }
  })
})

describe('the hash of a key', () => {
  test('is its SHA-256', () => {
    expect(Buffer.from(hashKey('abc')).toString('hex')).toBe(
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    )
  })

  test('is equal to itself only', () => {
    expect(sameHash(hashKey('a'), hashKey('a'))).toBe(true)
    expect(sameHash(hashKey('a'), hashKey('b'))).toBe(false)
    expect(sameHash(hashKey('a'), hashKey('a').subarray(1))).toBe(false)
  })
})
