import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { chatExports } from '../../../connectors/local/chat-exports.ts'
import { messengerExports } from '../../../connectors/local/messenger-exports.ts'
import type { Connector } from '../../../src/connector/connector.ts'
import { connectorContext } from '../../lib/connector-context.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

const WHATSAPP = '03/04/26, 10:12 - Priya: One'
const CHATS = JSON.stringify([{ uuid: 'c1', name: 'A', chat_messages: [] }])

/** Sets the bit that says so in both headers of the only file in it. */
function locked(archive: Uint8Array): Uint8Array {
  const bytes = Buffer.from(archive)
  for (const [signature, at] of [
    [Buffer.from('PK\u0003\u0004'), 6],
    [Buffer.from('PK\u0001\u0002'), 8],
  ] as const) {
    const flags = bytes.indexOf(signature) + at
    bytes[flags] = (bytes[flags] ?? 0) | 1
  }
  return bytes
}

describe.each([
  ['messengers', messengerExports as Connector, 'WhatsApp Chat with Priya.txt', WHATSAPP],
  ['assistants', chatExports as Connector, 'conversations.json', CHATS],
])('checking exports of %s', (_, connector, name, text) => {
  const whole = zipSync({ [name]: strToU8(text) })

  async function warnings(archive: Uint8Array): Promise<readonly string[]> {
    const path = join(temporaryFolder(), 'export.zip')
    writeFileSync(path, archive)
    const context = await connectorContext(connector, { name: 'me', paths: [path] })
    for await (const _partition of connector.partitions(context));
    return (context.account.warnings ?? []).map((warning) => warning.replace(/^.*export\.zip/, 'it'))
  }

  test.each([
    ['has a password', locked(whole), 'it has a password, so it was not read. Unpack it'],
    [
      'holds another archive',
      zipSync({ 'export.zip': whole }),
      'it holds other ZIP files, so it was not read. Unpack it',
    ],
    ['is cut off', whole.slice(0, 40), 'it is damaged or incomplete. Download it again'],
    ['holds nothing known', zipSync({ 'a.txt': strToU8('a') }), 'it holds no export that recalld knows. Check paths'],
  ])('says what to do about one that %s', async (_case, archive, sentence) => {
    expect(await warnings(archive)).toEqual([expect.stringContaining(sentence)])
  })

  test('says nothing about one that can be read', async () => {
    expect(await warnings(whole)).toEqual([])
  })
})
