import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { signalChats } from '../../../connectors/local/signal-export.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'
import { readMessengers } from './read-messengers.ts'

const PRIYA = Buffer.alloc(16, 1).toString('base64')
const BOB = Buffer.alloc(16, 2).toString('base64')

/** As Signal writes it: one frame in a line, 64-bit numbers as texts, nothing that is empty or zero. */
function written(frames: readonly object[]): string {
  const info = { version: '1', backupTimeMs: '1772611953000', mediaRootBackupKey: 'AA==' }
  return [info, ...frames].map((frame) => `${JSON.stringify(frame)}\n`).join('')
}

/** @param first the id of the first recipient, which each export chooses anew */
function people(first = 1): object[] {
  const [self, priya, bob, group] = [0, 1, 2, 3].map((at) => String(first + at))
  return [
    { account: { givenName: 'Ada', familyName: 'Lovelace' } },
    { recipient: { id: self, self: {} } },
    {
      recipient: {
        id: priya,
        contact: { aci: PRIYA, e164: '491511234567', profileGivenName: 'P.', systemGivenName: 'Priya' },
      },
    },
    {
      recipient: { id: bob, contact: { aci: BOB, nickname: { given: 'Bob', family: 'Ross' }, profileGivenName: 'B' } },
    },
    { recipient: { id: group, group: { masterKey: 'a2V5', snapshot: { title: { title: 'Camping' } } } } },
    { recipient: { id: String(first + 4), releaseNotes: {} } },
    { chat: { id: '10', recipientId: priya } },
    { chat: { id: '11', recipientId: group } },
    { chat: { id: '12', recipientId: self } },
    { chat: { id: '13', recipientId: String(first + 4) } },
  ]
}

interface Said {
  readonly chat?: string
  readonly author?: string
  readonly at?: number
}

function item(content: object, { chat = '10', author = '2', at = 0 }: Said = {}): object {
  const dateSent = String(Date.UTC(2026, 2, 4, 10, 12) + at)
  return { chatItem: { chatId: chat, authorId: author, dateSent, incoming: { dateReceived: dateSent }, ...content } }
}

const say = (body: string, said?: Said) => item({ standardMessage: { text: { body } } }, said)

function told(...items: readonly object[]) {
  const { chats = [] } = signalChats(written([...people(), ...items]), 'Me') ?? {}
  return chats.map(({ name, messages }) => [name, messages.map(({ from, text }) => [from, text])])
}

describe('the chats of Signal', () => {
  test('have what people wrote in order, by the names that the person gave them', () => {
    const chats = told(
      say('Yes, at ten', { author: '1', at: 60_000 }),
      say('On Friday?'),
      say('Who has the tent?', { chat: '11', author: '3' }),
      say('Buy pegs', { chat: '12', author: '1' }),
      say('New in Signal', { chat: '13', author: '5' }),
    )
    expect(chats).toEqual([
      [
        'Priya',
        [
          ['Priya', 'On Friday?'],
          ['Ada Lovelace', 'Yes, at ten'],
        ],
      ],
      ['Camping', [['Bob Ross', 'Who has the tent?']]],
      ['Note to Self', [['Ada Lovelace', 'Buy pegs']]],
    ])
  })

  test('have mentions, files, polls, contacts and answers to stories', () => {
    const mention = {
      body: '\ufffc and \ufffc, see this',
      bodyRanges: [
        { length: 1, mentionAci: BOB },
        { start: 6, length: 1, mentionAci: 'x' },
      ],
    }
    const [[, messages] = []] = told(
      item({ standardMessage: { text: mention } }),
      item({
        standardMessage: {
          attachments: [{ pointer: { fileName: 'plan.pdf' } }, { pointer: { contentType: 'image/jpeg' } }],
        },
      }),
      item({ poll: { question: 'When?', options: [{ option: 'Friday' }, { option: 'Monday' }] } }),
      item({ contactMessage: { contact: { name: { givenName: 'Carl' }, number: [{ value: '+49 1' }] } } }),
      item({ directStoryReplyMessage: { textReply: { text: { body: 'Lovely' } } } }),
    )
    expect(messages).toEqual([
      ['Priya', '@Bob Ross and @somebody, see this'],
      ['Priya', '[file: plan.pdf]'],
      ['Priya', 'Poll: When?\n- Friday\n- Monday'],
      ['Priya', 'Contact: Carl +49 1'],
      ['Priya', 'Lovely'],
    ])
  })

  test('have nothing that disappears, was deleted, or was written by the app', () => {
    expect(
      told(
        item({ expiresInMs: '60000', standardMessage: { text: { body: 'Gone in a minute' } } }),
        item({ remoteDeletedMessage: {} }),
        item({ updateMessage: { simpleUpdate: { type: 'IDENTITY_UPDATE' } } }),
        item({ stickerMessage: { sticker: { emoji: '👍' } } }),
        say('Kept'),
      ),
    ).toEqual([['Priya', [['Priya', 'Kept']]]])
  })

  test('are the same in another export, which numbers its people anew', () => {
    const keys = (first: number, author: string) =>
      signalChats(written([...people(first), say('Hi', { author })]), 'Me')?.chats.map(({ key }) => key)
    expect(keys(1, '2')).toEqual(keys(31, '32'))
  })
})

describe('an export of Signal in a folder', () => {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }

  test('is read as far as it goes when it broke off, and says so', async () => {
    const folder = temporaryFolder()
    write(join(folder, 'signal/main.jsonl'), `${written([...people(), say('On Friday?')])}{"chatItem": {"chat`)
    write(join(folder, 'signal/files/ab/main.jsonl'), written([...people(), say('An attachment')]))
    const { items, partitions, failures, warned } = await readMessengers(folder)
    expect([partitions, failures]).toEqual([['Signal'], []])
    expect(items.map(({ title, body }) => [title, body])).toEqual([
      ['Priya on 2026-03-04', 'Priya [2026-03-04 10:12 UTC]: On Friday?'],
    ])
    expect(warned).toEqual([expect.stringContaining("in a form that recalld doesn't know (1)")])
  })

  test('is told from other files of that name', async () => {
    const folder = temporaryFolder()
    write(join(folder, 'main.jsonl'), '{"type": "message", "id": "1"}\nnot JSON\n')
    expect(await readMessengers(folder)).toMatchObject({ items: [], failures: [], warned: [] })
  })
})
