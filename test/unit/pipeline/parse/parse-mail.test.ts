import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { trimMail } from '../../../../src/lib/trim-mail.ts'
import { blockTexts, parsed, turns } from './parse-source-file.ts'

const fixture = (name: string) => readFileSync(new URL(`../../../fixtures/documents/${name}`, import.meta.url))
const kept = (text: string, subject = 'Re: x') => trimMail(text, subject).parts.map((part) => part.text)

describe('e-mail', () => {
  test('the words of the sender remain, with subject, people and time as metadata', async () => {
    const document = await parsed(fixture('reply.eml'))
    expect(document.kind).toBe('email')
    expect(document.meta).toEqual({
      title: 'Umzug ins neue Büro',
      author: 'Anna Berg',
      when: { start: new Date('2026-03-04T09:12:00Z'), precision: 'minute' },
      participants: ['Anna Berg', 'Bob Stone', 'Carla Diaz'],
      addresses: new Map([
        ['Anna Berg', 'anna@example.com'],
        ['Bob Stone', 'bob@example.com'],
        ['Carla Diaz', 'carla@example.com'],
      ]),
    })
    expect(document.text).toBe(
      'Hi Bob,\n\nwe move on 12 May; the key is with Carla. Café is on the ground floor.\n\nBest,\nAnna\n\nWhen do we move?\nBob',
    )
    expect(document.blocks.at(-1)).toMatchObject({ role: 'quoted', type: 'quote' })
    expect(document.skips).toEqual([
      { reason: 'binary_part', count: 1, detail: '1 attachment' },
      { reason: 'signature', count: 1, detail: '1 signature' },
    ])
  })

  test('a mail that is HTML only is read', async () => {
    const document = await parsed(
      'From: a@example.com\nTo: b@example.com\nSubject: News\nDate: Wed, 4 Mar 2026 10:12:00 +0100\nContent-Type: text/html; charset=utf-8\n\n<html><body><p>Hello <b>Bob</b></p><blockquote type="cite">old</blockquote></body></html>',
    )
    expect(document.text).toBe('Hello **Bob**')
  })

  test('leaves out what a newsletter hides from its readers', async () => {
    const hidden = '<div style="display:none; max-height:0">Our best offers inside</div>'
    const { text } = await parsed(
      `From: a@example.com\nTo: b@example.com\nSubject: News\nDate: Wed, 4 Mar 2026 10:12:00 +0100\nContent-Type: text/html; charset=utf-8\n\n<html><body>${hidden}<p>Hello Bob</p></body></html>`,
    )
    expect(text).toContain('Hello Bob')
    expect(text).not.toContain('offers')
  })

  test('a mail in Latin-1 is read by its own declaration', async () => {
    const source =
      'From: a@example.com\nTo: b@example.com\nSubject: x\nDate: Wed, 4 Mar 2026 10:12:00 +0100\nContent-Type: text/plain; charset=iso-8859-1\n\nCaf\xe9'
    expect((await parsed(Buffer.from(source, 'latin1'))).text).toBe('Café')
  })

  test('a forwarded mail loses its header, and its words are those of the first sender', async () => {
    const document = await parsed(
      'From: a@example.com\nTo: b@example.com\nSubject: Fwd: Plan\nDate: Wed, 4 Mar 2026 10:12:00 +0100\n\nLook at this.\n\n---------- Forwarded message ---------\nFrom: Carla Diaz <c@example.com>\nDate: Tue, 3 Mar 2026\nSubject: Plan\nTo: <a@example.com>\n\nWe start in May.\n',
    )
    expect(blockTexts(document)[0]).toEqual(['paragraph', 'Look at this.'])
    expect(turns(document)).toEqual([['Carla Diaz', undefined, 'We start in May.']])
    expect(document.skips).toEqual([{ reason: 'boilerplate', count: 1, detail: '1 forwarded header' }])
  })

  test.each([
    'To do: buy milk\nSubject: biology\n\nwords',
    'From: the beginning\nwe knew.',
    'Date: 2026\nTo: me\n\nnote',
  ])('a note is no mail: %j', async (text) => {
    expect((await parsed(text)).kind).not.toBe('email')
  })
})

describe('quoted text in mails', () => {
  test.each([
    ['English', 'On Tue, 3 Mar 2026 at 18:00, Bob <b@example.com> wrote:'],
    ['English over two lines', 'On Tue, 3 Mar 2026 at 18:00, Bob Stone\n<b@example.com> wrote:'],
    ['German', 'Am Di., 3. März 2026 um 18:00 Uhr schrieb Bob <b@example.com>:'],
    ['French', 'Le mar. 3 mars 2026 à 18:00, Bob <b@example.com> a écrit :'],
    ['Spanish', 'El mar, 3 mar 2026 a las 18:00, Bob (<b@example.com>) escribió:'],
    ['Outlook', '-----Original Message-----\nFrom: Bob\nSent: Tuesday\nTo: Anna\nSubject: x'],
    ['Outlook in German', 'Von: Bob <b@example.com>\nGesendet: Dienstag, 3. März 2026 18:00\nAn: Anna\nBetreff: x'],
    ['Outlook in French', 'De : Bob <b@example.com>\nEnvoyé : mardi\nÀ : Anna\nObjet : x'],
    ['Outlook with bold names', '**From:** Bob\n**Sent:** Tuesday\n**To:** Anna\n**Subject:** x'],
  ])('%s: all that follows the introduction goes when it is not marked', (_, introduction) => {
    expect(kept(`Yes, fine.\n\n${introduction}\n\nWhen do we move, and who has the key?`)).toEqual(['Yes, fine.'])
  })

  test('answers between marked quotes stay', () => {
    expect(kept('Hi,\n\nOn 3 March Bob <b@x.de> wrote:\n> When?\n\nOn 12 May.\n\n> Where?\n\nAt the office.')).toEqual([
      'Hi,\n\nOn 12 May.\n\nAt the office.',
    ])
  })

  test('signatures, greetings of phones and legal footers go', () => {
    expect(kept('Fine by me.\n\nSent from my iPhone')).toEqual(['Fine by me.'])
    expect(kept('Fine by me.\n\n-- \nBob\nExample Ltd')).toEqual(['Fine by me.'])
    expect(
      kept('Fine by me.\n\nThis e-mail is confidential. If you are not the intended recipient, please delete it.'),
    ).toEqual(['Fine by me.'])
  })

  test('a mail that is nearly nothing but quote keeps it', () => {
    const text = `ok\n\n> ${'a long explanation '.repeat(30)}`
    expect(trimMail(text, 'x')).toEqual({ parts: [{ text }], quotes: [], skips: [] })
  })

  test('sentences that look like introductions stay', () => {
    const text = 'On reflection, this is what the team wrote:\nship it.\n\nFrom: here to there is far.'
    expect(kept(text)).toEqual([text])
  })
})

describe('calendars', () => {
  test('events become headings with times, people, place and recurrence in words', async () => {
    const document = await parsed(fixture('team.ics'))
    expect(document.kind).toBe('calendar')
    expect(document.meta.title).toBe('Team')
    expect(blockTexts(document)).toEqual([
      ['heading', 'Planning of the release'],
      [
        'paragraph',
        'What: Planning of the release\nWhen: Wednesday, 4 March 2026, 10:00 to 11:00 (Europe/Berlin)\nRepeats every 2 weeks on Monday and Wednesday until Friday, 1 May 2026.\nWhere: Room 5, first floor\nOrganizer: Anna Berg\nWith: Anna Berg, Bob Stone and carla@example.com',
      ],
      ['paragraph', 'We decide what ships in May.'],
      ['paragraph', 'Bring the list of open issues.'],
      ['heading', 'Summer party'],
      [
        'paragraph',
        'What: Summer party\nThis event was cancelled.\nWhen: Saturday, 20 June 2026 to Sunday, 21 June 2026',
      ],
    ])
  })

  test('a single event gives the metadata of the document', async () => {
    const ics = (lines: string) =>
      `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Call\r\n${lines}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`
    const floating = await parsed(ics('DTSTART:20260304T100000\r\nDURATION:PT30M\r\nLOCATION:Phone'))
    expect(floating.meta).toEqual({
      title: 'Call',
      when: { start: new Date('2026-03-04T09:00:00Z'), end: new Date('2026-03-04T09:30:00Z'), precision: 'minute' },
      where: 'Phone',
    })
    const utc = await parsed(ics('DTSTART:20260304T100000Z'))
    expect(utc.meta.when).toEqual({ start: new Date('2026-03-04T10:00:00Z'), precision: 'minute' })
    const day = await parsed(ics('DTSTART;VALUE=DATE:20260304\r\nDTEND;VALUE=DATE:20260305'))
    expect(day.meta.when).toEqual({ start: new Date('2026-03-03T23:00:00Z'), precision: 'day' })
  })

  test('a zone of the file itself is used when its name is not known', async () => {
    const zone =
      'BEGIN:VTIMEZONE\nTZID:Office\nBEGIN:STANDARD\nDTSTART:19700101T000000\nTZOFFSETFROM:-0500\nTZOFFSETTO:-0500\nEND:STANDARD\nEND:VTIMEZONE'
    const { meta } = await parsed(
      `BEGIN:VCALENDAR\n${zone}\nBEGIN:VEVENT\nSUMMARY:x\nDTSTART;TZID=Office:20260304T100000\nEND:VEVENT\nEND:VCALENDAR`,
    )
    expect(meta.when?.start).toEqual(new Date('2026-03-04T15:00:00Z'))
  })

  test('a damaged calendar is refused with a remedy', async () => {
    await expect(parsed('BEGIN:VCALENDAR\nBEGIN:VEVENT\nbroken')).rejects.toMatchObject({
      code: 'unreadable',
      message: /export it again/,
    })
  })
})
