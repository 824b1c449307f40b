import { describe, expect, it } from 'vitest'
import { parsed, turns } from './parse-source-file.ts'

const MARK = '\u200e'

const exported = (lines: readonly string[]) => lines.join('\n')

describe('a chat exported from an iPhone', () => {
  const text = exported([
    `[12/11/2026, 19:02:10] Choir: ${MARK}Messages and calls are end-to-end encrypted. Only people in this chat can read them.`,
    `[12/11/2026, 19:02:10] Ann: ${MARK}Ann created this group`,
    '[12/11/2026, 19:05:44] Ann: The concert is on 6 March',
    `${MARK}[12/11/2026, 19:06:00] Ben: ${MARK}<attached: 00000012-PHOTO-2026-11-12-19-06-00.jpg>`,
    `[12/11/2026, 19:07:00] Ben: I bring the chairs ${MARK}<This message was edited>`,
    `${MARK}[12/11/2026, 19:08:00] Ben: ${MARK}<attached: 00000014-Programme of March.pdf>`,
    `[12/11/2026, 19:09:00] Ann: ${MARK}Missed voice call`,
  ])

  it('has only what people wrote and the documents they sent', async () => {
    expect(turns(await parsed(text)).map(([speaker, , said]) => [speaker, said])).toEqual([
      ['Ann', 'The concert is on 6 March'],
      ['Ben', 'I bring the chairs'],
      ['Ben', `${MARK}<attached: 00000014-Programme of March.pdf>`],
    ])
  })

  it('counts what the program wrote as skipped', async () => {
    const { skips } = await parsed(text)
    expect(skips).toEqual([{ reason: 'boilerplate', count: 4, detail: '4 messages of the chat program' }])
  })

  it('keeps polls and places', async () => {
    const poll = exported([
      '[12/11/2026, 19:05:44] Ann: When do we rehearse?',
      `[12/11/2026, 19:06:00] Ben: ${MARK}POLL:`,
      'Which day',
      `${MARK}OPTION: Monday (3 votes)`,
      `[12/11/2026, 19:07:00] Ann: ${MARK}Location: https://maps.example/?q=55.6,12.5`,
    ])
    expect(turns(await parsed(poll)).map(([speaker]) => speaker)).toEqual(['Ann', 'Ben', 'Ann'])
  })
})

describe('what somebody wrote behind the mark of WhatsApp', () => {
  it.each([
    `[12/11/2026, 19:06:00] Ben: ${MARK}+44 7700 900123`,
    `[12/11/2026, 19:06:00] Ben: ${MARK}OK see you at 8 at Rosa's`,
    `[12/11/2026, 19:06:00] Ben: ${MARK}I left the keys at Rosa's`,
    `${MARK}[12/11/2026, 19:06:00] Ben: ${MARK}<attached: 00000012-PHOTO-2026-11-12-19-06-00.jpg> Receipt of the tent, 240 euros`,
  ])('stays: %s', async (line) => {
    const chat = exported([
      '[12/11/2026, 19:05:44] Ann: Where are you?',
      line,
      '[12/11/2026, 19:07:44] Ann: The concert is on 6 March',
    ])
    expect(turns(await parsed(chat)).map(([, , said]) => said)).toEqual([
      'Where are you?',
      line.slice(line.indexOf('Ben: ') + 'Ben: '.length),
      'The concert is on 6 March',
    ])
  })

  it.each([
    `${MARK}[12/11/2026, 19:06:00] Ben: ${MARK}Onbekend bericht van de groep`,
    `[12/11/2026, 19:06:00] Ben: ${MARK}Bild weggelassen`,
    `[12/11/2026, 19:06:00] Ben: ${MARK}Ben hat die Gruppe „Chor“ erstellt`,
    `[12/11/2026, 19:06:00] Ben: ${MARK}You added Cleo`,
    `[12/11/2026, 19:06:00] ${MARK}Cleo se fue`,
  ])('is nothing if it is a message of the program: %s', async (line) => {
    const chat = exported([
      '[12/11/2026, 19:05:44] Ann: Where are you?',
      line,
      '[12/11/2026, 19:07:44] Ann: The concert is on 6 March',
      '[12/11/2026, 19:08:44] Ben: At eight',
    ])
    expect(turns(await parsed(chat)).map(([, , said]) => said)).toEqual([
      'Where are you?',
      'The concert is on 6 March',
      'At eight',
    ])
  })
})

describe('a line with a time in brackets and no name', () => {
  it.each(['Paid the deposit of 200 pounds', 'Left the keys at the desk', 'Ann added the garlic'])(
    'is kept if somebody wrote it: %s',
    async (words) => {
      const log = exported([
        '[12/03/26, 10:00] Ann: We move on Monday',
        `[12/03/26, 11:00] ${words}`,
        '[12/03/26, 12:00] Ben: I bring the van',
        '[12/03/26, 12:30] Ann: The boxes are in the hall',
        '[12/03/26, 12:40] Ben: All twelve?',
      ])
      const { text, blocks, skips } = await parsed(log)
      expect(blocks.map(({ start, end }) => text.slice(start, end)).join('\n')).toContain(words)
      expect(skips).toEqual([])
    },
  )
})

describe('a chat export with system messages in brackets', () => {
  it('has no turn or note of them', async () => {
    const { text, blocks } = await parsed(
      exported([
        '[08/11/2026, 07:52:10] Messages and calls are end-to-end encrypted.',
        '[08/11/2026, 07:52:10] Ann created group "Sunday Ride"',
        '[08/11/2026, 07:53:44] Ann: Who is in today?',
        '[08/11/2026, 07:54:02] Ben: Me, but only until one',
      ]),
    )
    expect(blocks.map(({ start, end }) => text.slice(start, end))).toEqual([
      'Who is in today?',
      'Me, but only until one',
    ])
  })
})
