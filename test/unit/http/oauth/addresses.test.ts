import { expect, test } from 'vitest'
import { oauthAddresses, oauthUnavailableReason } from '../../../../src/http/oauth/addresses.ts'

const asked = (baseUrl: string | undefined, host: string, localPort = 7411) =>
  oauthAddresses(baseUrl)({ headers: { host }, socket: { localPort } })

test('behind a proxy, the address of the setting counts, whatever the request says', () => {
  for (const host of ['memory.test', '127.0.0.1:7411', 'evil.test'])
    expect(asked('https://memory.test', host)).toEqual({
      issuer: 'https://memory.test',
      resource: 'https://memory.test/mcp',
      resources: ['https://memory.test/mcp'],
    })
  expect(asked('https://memory.test:8443/', 'x')?.issuer).toBe('https://memory.test:8443')
})

test('on this machine, each client is told the address that it uses', () => {
  for (const host of ['127.0.0.1:7411', 'localhost:7411', '[::1]:7411'])
    expect(asked(undefined, host)).toEqual({
      issuer: 'http://127.0.0.1:7411',
      resource: `http://${host}/mcp`,
      resources: ['http://127.0.0.1:7411/mcp', 'http://localhost:7411/mcp', 'http://[::1]:7411/mcp'],
    })
  expect(asked('http://localhost:8080', 'localhost:8080')?.issuer).toBe('http://127.0.0.1:8080')
})

test.each([
  ['a client from the network', undefined, '192.168.1.5:7411'],
  ['another port than the one that answers', undefined, '127.0.0.1:9000'],
  ['a name that only begins like this machine', undefined, '127.0.0.1.evil.test:7411'],
  ['no host', undefined, ''],
  ['an address over http', 'http://memory.test', 'memory.test'],
  ['an address with a path', 'https://memory.test/recalld', 'memory.test'],
])('it is not offered to %s', (_, baseUrl, host) => {
  expect(asked(baseUrl, host)).toBeUndefined()
})

test('the person who set it up is told what to change', () => {
  expect(oauthUnavailableReason(undefined)).toContain('Set base_url to the https address')
  expect(oauthUnavailableReason('https://memory.test/recalld')).toContain('base_url has a path')
})
