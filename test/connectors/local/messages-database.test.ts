import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { contactNames } from '../../../connectors/local/address-book.ts'
import { attributedText } from '../../../connectors/local/attributed-text.ts'
import { messengerExports } from '../../../connectors/local/messenger-exports.ts'
import { describeConnectorContract } from '../../contract/connector-contract.ts'
import { archivedText, MessagesDatabaseFile, writeAddressBook } from '../../lib/messages-database.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'
import { readMessengers } from './read-messengers.ts'

const PRIYA = '+491511234567'
const BOB = 'bob@acme.test'

describeConnectorContract('The database of Messages', async () => {
  const folder = temporaryFolder()
  const messages = new MessagesDatabaseFile(folder)
  const said = (day: string, text: string) =>
    messages.add({ chat: PRIYA, from: PRIYA, at: `2026-03-${day}T10:12:00Z`, archive: archivedText(text) })
  const [, second] = ['03', '04', '05'].map((day) => said(day, `Said on ${day}`))
  const idOf = async (day: string) => {
    const { items } = await readMessengers(folder)
    return items.find(({ itemId }) => itemId.endsWith(`day=2026-03-${day}`))?.itemId ?? ''
  }
  return {
    connector: messengerExports,
    config: { name: 'me', paths: [folder] },
    async add() {
      said('06', 'Something new')
      return idOf('06')
    },
    async edit() {
      messages.edit(second ?? 0, 'Something else')
      return idOf('04')
    },
    async [Symbol.asyncDispose]() {
      messages[Symbol.dispose]()
    },
  }
})

describe('an archived text', () => {
  test.each(['Hi', 'Grüße 🎉', 'a'.repeat(127), 'b'.repeat(128), 'c'.repeat(40_000), ''])(
    'is read back: %#',
    (text) => {
      expect(attributedText(archivedText(text))).toBe(text)
      expect(attributedText(archivedText(text, false))).toBe(text)
    },
  )

  test('is not made up from other or damaged bytes', () => {
    const whole = archivedText('On Friday at ten, then')
    expect(attributedText(whole.subarray(0, 140))).toBeUndefined()
    expect(attributedText(Buffer.from('bplist00 NSString'))).toBeUndefined()
    expect(attributedText(new Uint8Array())).toBeUndefined()
  })
})

describe('the chats of Messages', () => {
  test('have what people wrote, with their names, and what was attached', async () => {
    const folder = temporaryFolder()
    using messages = new MessagesDatabaseFile(join(folder, 'Messages'))
    writeAddressBook(join(folder, 'AddressBook/Sources/4F2A'), [['Priya', 'Raman', '0151 / 123 45 67']])
    messages.add({ chat: PRIYA, from: PRIYA, at: '2026-03-04T10:12:00Z', archive: archivedText('On Friday?') })
    messages.add({ chat: PRIYA, at: '2026-03-04T10:13:00Z', text: 'Yes, at ten', subject: 'Tent' })
    messages.add({ chat: PRIYA, service: 'SMS', from: PRIYA, at: '2026-03-04T10:14:00Z', text: 'By text message' })
    messages.add({
      chat: PRIYA,
      from: PRIYA,
      at: '2026-03-04T10:15:00Z',
      archive: archivedText('\ufffc'),
      files: ['plan.pdf'],
    })
    messages.add({ chat: PRIYA, from: PRIYA, at: '2026-03-04T10:16:00Z', text: 'Loved “Yes”', associatedType: 2000 })
    messages.add({ chat: PRIYA, from: PRIYA, at: '2026-03-04T10:17:00Z', itemType: 3 })
    const { items, partitions, failures, warned } = await readMessengers(folder, {}, 'Ada Lovelace')
    expect([partitions, failures, warned]).toEqual([['iMessage'], [], []])
    expect(items.map(({ title, people, parents }) => [title, people, parents])).toEqual([
      ['Priya Raman on 2026-03-04', ['Priya Raman', 'Ada Lovelace'], ['iMessage', 'Priya Raman']],
    ])
    expect(String(items[0]?.body)).toBe(
      [
        'Priya Raman [2026-03-04 10:12 UTC]: On Friday?',
        'Ada Lovelace [2026-03-04 10:13 UTC]: Tent\nYes, at ten',
        'Priya Raman [2026-03-04 10:14 UTC]: By text message',
        'Priya Raman [2026-03-04 10:15 UTC]: [file: plan.pdf]',
      ].join('\n\n'),
    )
  })

  test('of a group have its name, else those of its members', async () => {
    const folder = temporaryFolder()
    using messages = new MessagesDatabaseFile(folder)
    messages.add({
      chat: 'chat42',
      group: 'Camping',
      from: PRIYA,
      at: '2026-03-04T10:12:00Z',
      text: 'Who has the tent?',
    })
    messages.add({ chat: 'chat43', from: PRIYA, at: '2026-03-04T10:12:00Z', text: 'Hello' })
    messages.add({ chat: 'chat43', from: BOB, at: '2026-03-04T10:13:00Z', text: 'Hello both' })
    const { items } = await readMessengers(folder)
    expect(items.map(({ title }) => title).sort()).toEqual([`${PRIYA}, ${BOB} on 2026-03-04`, 'Camping on 2026-03-04'])
  })

  test('are read while the app has them open, with times in seconds too, and are not changed', async () => {
    const folder = temporaryFolder()
    using messages = new MessagesDatabaseFile(folder)
    messages.add({ chat: BOB, from: BOB, at: '2015-03-04T10:12:00Z', text: 'Years ago', inSeconds: true })
    const before = ['chat.db', 'chat.db-wal'].map((name) => readFileSync(join(folder, name)))
    const { items } = await readMessengers(folder)
    expect(items.map(({ title }) => title)).toEqual([`${BOB} on 2015-03-04`])
    expect(['chat.db', 'chat.db-wal'].map((name) => readFileSync(join(folder, name)))).toEqual(before)
  })

  test('say how many messages have an unknown form, and that names are missing', async () => {
    const folder = temporaryFolder()
    using messages = new MessagesDatabaseFile(folder)
    writeFileSync(join(folder, 'AddressBook-v22.abcddb'), 'damaged')
    messages.add({ chat: BOB, from: BOB, at: '2026-03-04T10:12:00Z', text: 'Readable' })
    messages.add({ chat: BOB, from: BOB, at: '2026-03-04T10:13:00Z', archive: Buffer.from('something new') })
    const { items, failures, warned } = await readMessengers(folder)
    expect([items.length, failures]).toEqual([1, []])
    expect(warned).toEqual([
      expect.stringContaining('its people are shown by their numbers'),
      expect.stringContaining("has messages in a form that recalld doesn't know (1)"),
    ])
  })
})

describe('the people of a phone number', () => {
  const of = contactNames([
    { handle: '0151 / 123 45 67', name: 'Priya' },
    { handle: '+1 (555) 000-1111', name: 'Carl' },
    { handle: '555 000 2222', name: 'Dora' },
    { handle: '0555 0002222', name: 'Emil' },
    { handle: '12345', name: 'Bank' },
    { handle: 'bob@acme.test', name: 'Bob' },
  ])
  test.each([
    ['+491511234567', 'Priya'],
    ['+15550001111', 'Carl'],
    ['Bob@acme.test', 'Bob'],
    ['+445550001111', undefined],
    ['+15550002222', undefined],
    ['+49151112345', undefined],
    ['eve@acme.test', undefined],
  ])('%s is of %s', (handle, name) => {
    expect(of(handle)).toBe(name)
  })
})
