import net from 'node:net'
import { expect, test } from 'vitest'

test('a test that tries to reach another host is refused before a packet leaves', () => {
  expect(() => net.connect(80, '192.0.2.1')).toThrow(/loopback only/)
})
