import { expect, test } from 'vitest'
import { fetchMetadataDocument, publicLookup } from '../../../../src/http/oauth/metadata-document.ts'

test.each([
  ['over http', 'http://agents.test/client.json', 'only https'],
  ['on this machine', 'https://127.0.0.1/client.json', 'not an IP address'],
  ['in IPv6 brackets', 'https://[::1]/client.json', 'not an IP address'],
  ['in IPv4 within IPv6', 'https://[::ffff:10.0.0.1]/client.json', 'not an IP address'],
  ['as one number', 'https://2130706433/client.json', 'not an IP address'],
  ['in hexadecimal', 'https://0x7f000001/client.json', 'not an IP address'],
  ['under a name of this machine', 'https://localhost/client.json', 'has a private address'],
])('a document %s is not fetched', async (_, url, why) => {
  await expect(fetchMetadataDocument(url)).rejects.toThrow(why)
})

test('a name is checked when it is connected to, so that it cannot be pointed elsewhere in between', async () => {
  const asked: string[] = []
  const refusing: typeof publicLookup = (name, _options, callback) => {
    asked.push(name)
    callback(new Error('not on the internet'), '')
  }
  await expect(fetchMetadataDocument('https://agents.test/client.json', refusing)).rejects.toThrow(
    'not on the internet',
  )
  expect(asked).toEqual(['agents.test'])
})

test('a name of this machine does not resolve, for one address and for all', async () => {
  for (const all of [true, false]) {
    const { promise, resolve } = Promise.withResolvers<Error | null>()
    publicLookup('localhost', { all }, (error) => resolve(error))
    expect((await promise)?.message).toContain('has a private address')
  }
})
