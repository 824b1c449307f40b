import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { chatExports } from '../../../connectors/local/chat-exports.ts'
import { messengerExports } from '../../../connectors/local/messenger-exports.ts'
import type { Connector } from '../../../src/connector/connector.ts'
import { connectorContext } from '../../lib/connector-context.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

/** Linux lets not even root read it. */
const WRITE_ONLY = '/sys/bus/cpu/drivers_probe'
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
    return warningsAt(path)
  }

  async function warningsAt(path: string): Promise<readonly string[]> {
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

  test('says that it is a folder, where a folder is named like an archive', async () => {
    const path = join(temporaryFolder(), 'export.zip')
    mkdirSync(path)
    expect(await warningsAt(path)).toEqual([expect.stringContaining('it is a folder, not a ZIP file')])
    writeFileSync(join(path, name), text)
    expect(await warningsAt(path)).toEqual([])
  })

  test('says to allow access, where the file may not be read', async (task) => {
    const path = join(temporaryFolder(), 'export.zip')
    if (process.getuid?.() !== 0) writeFileSync(path, whole, { mode: 0 })
    else if (existsSync(WRITE_ONLY)) symlinkSync(WRITE_ONLY, path)
    else {
      console.warn('an export that may not be read is not tested: root may read every file here')
      return task.skip()
    }
    expect(await warningsAt(path)).toEqual(["it can't be read (EACCES). Allow recalld to read it."])
  })

  test('says nothing about one that can be read', async () => {
    expect(await warnings(whole)).toEqual([])
  })
})
