import { createWriteStream, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { describe, expect, test } from 'vitest'
import yazl from 'yazl'
import { messengerExports } from '../../../connectors/local/messenger-exports.ts'
import { telegramChats } from '../../../connectors/local/telegram-export.ts'
import { whatsappChat } from '../../../connectors/local/whatsapp-export.ts'
import { renderDocument } from '../../../src/connector/document.ts'
import { describeConnectorContract } from '../../contract/connector-contract.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'
import { parsed, turns } from '../../unit/pipeline/parse/parse-source-file.ts'
import { readMessengers } from './read-messengers.ts'

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

async function writeArchive(path: string, name: string, text: string): Promise<void> {
  const zip = new yazl.ZipFile()
  zip.addBuffer(Buffer.from('x'), 'IMG-20260304-WA0001.jpg')
  zip.addBuffer(Buffer.from(text), name)
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(path))
}

describeConnectorContract('Messenger exports', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'WhatsApp Chat with Priya.txt')
  const lines = ['03/04/26, 10:12 - Priya: One', '13/04/26, 10:12 - Priya: Two', '14/04/26, 10:12 - Ada: Three']
  write(file, lines.join('\n'))
  const idOf = async (day: string) => {
    const { items } = await readMessengers(folder)
    return items.find(({ itemId }) => itemId.endsWith(`day=${day}`))?.itemId ?? ''
  }
  return {
    connector: messengerExports,
    config: { name: 'me', paths: [folder] },
    async add() {
      lines.push('15/04/26, 10:12 - Ada: Four')
      write(file, lines.join('\n'))
      return idOf('2026-04-15')
    },
    async edit() {
      lines.splice(2, 0, '13/04/26, 10:15 - Priya: Two and a half')
      write(file, lines.join('\n'))
      return idOf('2026-04-13')
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
})

describe('a chat of WhatsApp', () => {
  const read = (text: string, label = 'WhatsApp Chat with Priya') => whatsappChat(text, label, 'Europe/Berlin')
  const told = (text: string) => read(text)?.messages.map(({ at, from, text: said }) => [at.toISOString(), from, said])

  test.each([
    ['[04.03.26, 10:12:33] Priya: Hi', '2026-03-04T09:12:33.000Z'],
    ['\u200e[04/03/2026, 22:12:33] Priya: Hi', '2026-03-04T21:12:33.000Z'],
    ['3/14/26, 10:12\u202fPM - Priya: Hi', '2026-03-14T21:12:00.000Z'],
    ['4.3.2026, 10:12 - Priya: Hi', '2026-03-04T09:12:00.000Z'],
    ['2026-03-04 10:12 - Priya: Hi', '2026-03-04T09:12:00.000Z'],
    ['2026/03/04, 10:12 - Priya: Hi', '2026-03-04T09:12:00.000Z'],
    ['14/3/26, 10:12 a. m. - Priya: Hi', '2026-03-14T09:12:00.000Z'],
    ['14/3/26 12:05 am - Priya: Hi', '2026-03-13T23:05:00.000Z'],
    ['04-03-2026 10:12 - Priya: Hi', '2026-03-04T09:12:00.000Z'],
    ['[2026/03/04 午後3:01:10] Priya: Hi', '2026-03-04T14:01:10.000Z'],
    ['2026/3/4 上午9:01 - Priya: Hi', '2026-03-04T08:01:00.000Z'],
    ['2026. 3. 4. 오후 3:07 - Priya: Hi', '2026-03-04T14:07:00.000Z'],
  ])('reads %s', (line, at) => {
    expect(told(line)).toEqual([[at, 'Priya', 'Hi']])
  })

  test('finds the order of day and month by the other messages', () => {
    const days = (...dates: string[]) =>
      read(dates.map((date) => `${date}, 10:12 - Priya: Hi`).join('\n'))?.messages.map(({ at }) =>
        at.toISOString().slice(0, 10),
      )
    expect(days('3/4/26', '3/14/26')).toEqual(['2026-03-04', '2026-03-14'])
    expect(days('3/4/26', '14/4/26')).toEqual(['2026-04-03', '2026-04-14'])
    expect(days('11/1/26', '12/1/26', '1/2/26')).toEqual(['2026-01-11', '2026-01-12', '2026-02-01'])
    expect(days('1/11/26', '1/12/26', '2/1/26')).toEqual(['2026-01-11', '2026-01-12', '2026-02-01'])
  })

  test('has messages of several lines, files by name, and nothing that the program wrote', () => {
    const text = [
      '04.03.26, 10:10 - Nachrichten und Anrufe sind Ende-zu-Ende-verschlüsselt.',
      '04.03.26, 10:11 - Priya hat Bob hinzugefügt',
      '04.03.26, 10:12 - Priya: Plan:',
      '',
      '1. Deploy at 10:30 - carefully',
      '04.03.26, 10:13 - Bob: <Medien ausgeschlossen>',
      '04.03.26, 10:14 - Bob: IMG-20260304-WA0001.jpg (Datei angehängt)',
      'The board',
      '04.03.26, 10:15 - Bob: Diese Nachricht wurde gelöscht',
      '04.03.26, 10:16 - +49 151 123: Call me: today',
      '31.02.26, 10:17 - Bob: On no day',
    ].join('\r\n')
    expect(told(text)?.map(([, from, said]) => [from, said])).toEqual([
      ['Priya', 'Plan:\n\n1. Deploy at 10:30 - carefully'],
      ['Bob', '[file: IMG-20260304-WA0001.jpg]\nThe board'],
      ['+49 151 123', 'Call me: today'],
    ])
    const iphone = [
      '[04.03.26, 10:12:33] Team: \u200eNachrichten sind verschlüsselt.',
      '\u200e[04.03.26, 10:12:34] Bob: \u200eBild weggelassen',
      '\u200e[04.03.26, 10:12:35] Bob: \u200e<Anhang: 00002-PHOTO.jpg>',
      '[04.03.26, 10:12:36] ~ Carl: Fixed \u200e<Diese Nachricht wurde bearbeitet.>',
    ].join('\n')
    expect(told(iphone)?.map(([, from, said]) => [from, said])).toEqual([
      ['Bob', '[file: 00002-PHOTO.jpg]'],
      ['Carl', 'Fixed'],
    ])
  })

  test.each([
    ['English', 'You created group "Trip: Lisbon"', 'This message was deleted', '<This message was edited>'],
    ['French', 'Zoé a créé le groupe « Trip : Rome »', 'Ce message a été supprimé', '<Ce message a été modifié>'],
    [
      'German',
      'Bob hat „A“ in „Trip: Rom“ umbenannt',
      'Diese Nachricht wurde gelöscht.',
      '<Diese Nachricht wurde bearbeitet.>',
    ],
    [
      'Japanese',
      '田中がグループ名を「旅行: 京都」に変更しました',
      'このメッセージは削除されました',
      '<このメッセージは編集されました>',
    ],
  ])('has no words of the program in %s', (_, system, deleted, edited) => {
    const lines = [system, `Priya: ${deleted}`, `Priya: On Friday ${edited}`, 'Bob: Missed voice call']
    const text = lines.map((line) => `2026-03-04 10:12 - ${line}`).join('\n')
    expect(told(text)?.map(([, from, said]) => [from, said])).toEqual([['Priya', 'On Friday']])
  })

  test('has a sender with a nickname in quotation marks', () => {
    expect(told('2026-03-04 10:12 - Robert "Bob" Ross: Hi')?.map(([, from]) => from)).toEqual(['Robert "Bob" Ross'])
  })

  test('has polls, places and documents of both kinds of phones, and captions without a mark of the picture', () => {
    const android = [
      '2026-03-04 10:12 - Bob: POLL:',
      'Which day?',
      'OPTION: Monday (2 votes)',
      'OPTION: Tuesday (0 votes)',
      '',
      '2026-03-04 10:13 - Bob: <Media omitted>',
      'The receipt',
      '2026-03-04 10:14 - \u202a+49 151 123\u202c: @\u2068Priya\u2069 see location: https://maps.google.com/?q=1,2',
    ].join('\n')
    expect(told(android)?.map(([, from, said]) => [from, said])).toEqual([
      ['Bob', 'Poll: Which day?\n- Monday (2 votes)\n- Tuesday (0 votes)'],
      ['Bob', 'The receipt'],
      ['+49 151 123', '@Priya see location: https://maps.google.com/?q=1,2'],
    ])
    const iphone = [
      '\u200e[04.03.26, 10:12:01] Bob: \u200eUMFRAGE:',
      'Welcher Tag?',
      '\u200eOPTION: Montag (2 Stimmen)',
      '',
      '\u200e[04.03.26, 10:12:02] Bob: \u200eStandort: https://maps.google.com/?q=1,2',
      '\u200e[04.03.26, 10:12:03] Bob: Plan.pdf • \u200e3 Seiten \u200eDokument weggelassen',
      '\u200e[04.03.26, 10:12:04] Bob: \u200ePlan B.pdf • \u200e3 Seiten \u200e<Anhang: 00000012-Plan B.pdf>',
      '\u200e[04.03.26, 10:12:05] Bob: \u200eVerpasster Sprachanruf',
    ].join('\n')
    expect(told(iphone)?.map(([, , said]) => said)).toEqual([
      'Poll: Welcher Tag?\n- Montag (2 Stimmen)',
      'Standort: https://maps.google.com/?q=1,2',
      '[file: Plan.pdf]',
      '[file: Plan B.pdf]',
    ])
  })

  test.each([
    'WhatsApp Chat with Priya',
    'WhatsApp Chat - Priya (2)',
    'WhatsApp-Chat mit Priya',
    'Chat de WhatsApp con Priya',
    'Discussion WhatsApp avec Priya',
    'Conversa do WhatsApp com Priya',
    'WhatsApp-chat met Priya',
    'Priya',
  ])('is the same by the name %s', (label) => {
    const chat = read('04.03.26, 10:12 - Priya: Hi', label)
    expect([chat?.name, chat?.key]).toEqual(['Priya', read('04.03.26, 10:12 - Priya: Hi')?.key])
  })
})

describe('the chats of Telegram', () => {
  const chat = (more: object) => ({ name: 'Launch', type: 'private_group', id: 7, messages: [], ...more })
  const message = (more: object) => ({
    id: 1,
    type: 'message',
    date_unixtime: '1772611953',
    from: 'Priya',
    text: '',
    ...more,
  })

  test('have links, code, files, polls, places and what was forwarded, and no service messages', () => {
    const messages = [
      { id: 0, type: 'service', action: 'pin_message', date_unixtime: '1772611953', text: '' },
      message({
        text: [
          'See ',
          { type: 'text_link', text: 'the plan', href: 'https://acme.test' },
          { type: 'code', text: 'npm ci' },
        ],
      }),
      message({ file_name: 'plan.pdf', text: 'Here' }),
      message({ from: null, text: 'Hello', forwarded_from: 'Bob' }),
      message({ poll: { question: 'When?', answers: [{ text: 'Friday' }, { text: 'Monday' }] } }),
      message({ contact_information: { first_name: 'Carl', phone_number: '+49 1' } }),
      message({ place_name: 'Old Town', address: 'Hall 2' }),
      message({ media_type: 'sticker', sticker_emoji: '👍', file_name: 'sticker.webp' }),
      message({ text: [{ type: 'blockquote', text: 'On Friday?' }, 'No'] }),
      { odd: true },
    ]
    const [found] = telegramChats(JSON.stringify(chat({ messages }))) ?? []
    expect(found).toMatchObject({ name: 'Launch', key: '7' })
    expect(found?.messages.map(({ from, text }) => [from, text])).toEqual([
      ['Priya', 'See the plan (https://acme.test)`npm ci`'],
      ['Priya', 'Here\n[file: plan.pdf]'],
      ['Deleted account', 'Forwarded from Bob: Hello'],
      ['Priya', 'Poll: When?\n- Friday\n- Monday'],
      ['Priya', 'Contact: Carl +49 1'],
      ['Priya', 'Old Town, Hall 2'],
      ['Priya', '> On Friday?\nNo'],
    ])
    expect(found?.messages[0]?.at).toEqual(new Date('2026-03-04T08:12:33Z'))
  })

  test('are all of the account in a whole export', () => {
    const list = [chat({}), chat({ id: 8, name: null, type: 'saved_messages' }), { broken: 1 }]
    expect(telegramChats(JSON.stringify({ chats: { list } }))?.map(({ name }) => name)).toEqual([
      'Launch',
      'Saved messages',
    ])
    expect(telegramChats('{"about": "something else"}')).toBeUndefined()
  })
})

describe('exported chats in a folder', () => {
  test('become conversations of a day that the parser reads back, from archives and unpacked', async () => {
    const folder = temporaryFolder()
    await writeArchive(
      join(folder, 'WhatsApp Chat - Launch.zip'),
      '_chat.txt',
      '[04.03.26, 10:12:33] Priya: On Friday?\n[04.03.26, 10:13:00] Bob: Yes',
    )
    write(
      join(folder, 'ChatExport_2026-03-04/result.json'),
      JSON.stringify({
        name: 'Carl',
        type: 'personal_chat',
        id: 9,
        messages: [{ type: 'message', date_unixtime: '1772611953', from: 'Carl', text: 'Hi' }],
      }),
    )
    write(join(folder, 'WhatsApp notes.txt'), 'No messages')
    const { items, partitions, failures } = await readMessengers(folder)
    expect(partitions).toEqual(['Telegram', 'WhatsApp'])
    expect(failures).toEqual([expect.stringMatching(/^The file has no messages/)])
    const launch = items.find(({ where }) => where === 'Launch')
    expect(launch).toMatchObject({
      title: 'Launch on 2026-03-04',
      people: ['Priya', 'Bob'],
      parents: ['WhatsApp', 'Launch'],
    })
    if (typeof launch?.body !== 'string') throw new Error('There is no text')
    const file = { sourceType: 'stream', contentType: 'text/markdown', fileName: 'chat.md' } as const
    const document = await parsed(renderDocument(launch, launch.body).bytes, file)
    expect(turns(document).map(([speaker, , text]) => [speaker, text])).toEqual([
      ['Priya', 'On Friday?'],
      ['Bob', 'Yes'],
    ])
  })

  test('have of a day in several exports the one with most messages, and may be excluded or begin on a day', async () => {
    const folder = temporaryFolder()
    const whole = ['04.03.26, 10:12 - Priya: One', '04.03.26, 11:12 - Priya: Two', '05.03.26, 10:12 - Priya: Three']
    write(join(folder, 'old/WhatsApp Chat with Priya.txt'), whole.join('\n'))
    write(
      join(folder, 'new/WhatsApp Chat with Priya.txt'),
      [...whole.slice(1), '06.03.26, 10:12 - Priya: Four'].join('\n'),
    )
    write(join(folder, 'WhatsApp Chat with Family Berlin.txt'), '04.03.26, 10:12 - Mum: Hi')
    utimesSync(join(folder, 'old/WhatsApp Chat with Priya.txt'), 1_700_000_000, 1_700_000_000)
    const { items } = await readMessengers(folder, { exclude: ['Family*'] })
    expect(items.map(({ title, body }) => [title, String(body).includes('One')])).toEqual([
      ['Priya on 2026-03-04', true],
      ['Priya on 2026-03-05', false],
      ['Priya on 2026-03-06', false],
    ])
    const later = await readMessengers(folder, { exclude: ['Family*'], since: '2026-03-05' })
    expect(later.items.map(({ title }) => title)).toEqual(['Priya on 2026-03-05', 'Priya on 2026-03-06'])
  })
})
