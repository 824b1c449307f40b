import { describe, expect, it } from 'vitest'
import { createPipeline } from '../../../../src/pipeline/pipeline.ts'
import { wordEmbedder } from '../../../lib/word-embedder.ts'
import { blockTexts, parsed, sourceFile } from './parse-source-file.ts'

const CARD = 'BEGIN:VCARD\nVERSION:3.0\nFN:Lena Hofer\nTEL;TYPE=CELL:+43 660 1234567\nEND:VCARD\n'
const EVENT = 'BEGIN:VEVENT\nSUMMARY:Elternabend 3b\nDTSTART:20261203T190000\nLOCATION:Raum 12\nEND:VEVENT\n'

const mail = (fields: string, text: string) => `${fields}\n\n${text}\n`
const FIRST = mail(
  'Message-ID: <a@example.org>\nFrom: Tom Price <tom@example.org>\nTo: Anna <anna@example.org>\nSubject: Boiler\nDate: Mon, 14 Sep 2026 09:12:00 +0200',
  'The inspection is on 22 September at 10:00.\n>From then on it is yearly.',
)
const SECOND = mail(
  'From: Karin Lund <lund@example.org>\nTo: Anna <anna@example.org>\nSubject: Cellar key\nDate: Wed, 16 Sep 2026 10:30:00 +0200\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable',
  'I leave the key with the caf=C3=A9 downstairs.',
)
const MAILBOX = `From tom@example.org Mon Sep 14 09:12:00 2026\n${FIRST}\nFrom lund@example.org Wed Sep 16 10:30:00 2026\n${SECOND}`

describe('a file whose name says nothing about its format', () => {
  it.each([
    ['is a contact', CARD],
    ['is a contact that was cut off', CARD.replace('END:VCARD\n', '')],
  ])('%s where it begins with one', async (_, text) => {
    const { meta, text: read } = await parsed(text, { fileName: 'kontakt.txt' })
    expect(meta.title).toBe('Lena Hofer')
    expect(read).toContain('+43 660 1234567')
    expect(read).not.toContain('VCARD')
  })

  it('is a contact with what somebody wrote below it', async () => {
    const { meta, blocks, text } = await parsed(`${CARD}\nHer door code is 4417.\n`, { fileName: 'kontakt.txt' })
    expect(meta.title).toBe('Lena Hofer')
    expect(text.slice(blocks.at(-1)?.start)).toBe('Her door code is 4417.')
  })

  it.each([
    ['a card that was cut off stands above prose', 'BEGIN:VCARD\nFN:Lena\n\nis how a contact begins. Ask Tom why.'],
    ['an event stands above prose', `${EVENT}\nBring the X-ray and ask about the crown.`],
    ['an event stands below prose', `BEGIN:VEVENT is what an export begins with.\n\n${EVENT}`],
    ['an event was cut off', EVENT.replace('END:VEVENT\n', '')],
    ['a day and a person stand above what was received', 'Received: 12 May 2026\nFrom: Anna Berg\n\nTwo chairs.'],
  ])('is a note where %s', async (_, written) => {
    const { kind, text } = await parsed(written, { fileName: 'note.txt' })
    expect({ kind, text: text.trim() }).toEqual({ kind: 'note', text: written.trim() })
  })

  it('is a note where a contact stands below other words', async () => {
    const { kind, text } = await parsed(`Here is the card of the new baker, who opens in May:\n\n${CARD}`)
    expect(kind).toBe('note')
    expect(text).toContain('Here is the card')
  })

  it.each([
    ['a calendar', `BEGIN:VCALENDAR\nVERSION:2.0\n${EVENT}END:VCALENDAR\n`],
    ['an event without its calendar', EVENT],
  ])('is %s by its first line', async (_, text) => {
    expect(await parsed(text, { fileName: 'event.md' })).toMatchObject({
      kind: 'calendar',
      meta: { title: 'Elternabend 3b', where: 'Raum 12' },
    })
  })

  it.each([
    ['below blank lines', `\n\n${FIRST}`],
    [
      'with what only servers write',
      mail(
        'Return-Path: <tom@example.org>\nReceived: from a.example\n by b.example\nFrom: Tom Price <tom@example.org>\nSubject: Boiler',
        'The inspection is on Monday.',
      ),
    ],
  ])('is a mail by its fields %s', async (_, text) => {
    const { kind, meta } = await parsed(text, { fileName: 'mail.txt' })
    expect(kind).toBe('email')
    expect(meta).toMatchObject({ title: 'Boiler', author: 'Tom Price' })
  })
})

describe('a mail copied out of a program', () => {
  it.each([
    [
      'English',
      'From: Tom Price <tom@example.org>\nSent: Monday, 14 September 2026 09:12\nTo: Anna Berg\nSubject: Boiler',
    ],
    ['German', 'Von: Tom Price\nGesendet: Montag, 14. September 2026 09:12\nAn: Anna Berg\nBetreff: Boiler'],
    ['French', 'De : Tom Price\nEnvoyé : lundi 14 septembre 2026 09:12\nÀ : Anna Berg\nObjet : Boiler'],
  ])('is read by the fields above it: %s', async (_, head) => {
    const { kind, meta, text } = await parsed(`${head}\n\nThe inspection is on Monday.`)
    expect({ kind, text }).toEqual({ kind: 'email', text: 'The inspection is on Monday.' })
    expect(meta).toMatchObject({
      title: 'Boiler',
      author: 'Tom Price',
      when: { start: new Date('2026-09-14T07:12:00Z') },
    })
  })

  it('is no mail where other lines stand between the fields', async () => {
    const { kind } = await parsed(
      'From: the shop\nSubject: boiler\nSent: 14 September 2026\n- call Tom\n\nThe inspection is on Monday.',
    )
    expect(kind).not.toBe('email')
  })
})

describe('fields above a note', () => {
  it.each([
    ['a meeting', 'Von: 9:00\nAn: alle\nDatum: 3. Dezember 2026\nBetreff: Raum 4'],
    ['a trip', 'Von: Berlin\nAn: München\nDatum: 3. Dezember 2026 9:12\nBetreff: Messe'],
    ['a day', 'Von: Tom Price\nAn: alle\nDatum: 3. September 2026\nBetreff: Heizung'],
  ])('are those of %s and no mail', async (_, head) => {
    const { kind } = await parsed(`${head}\n\nBitte die Unterlagen mitbringen.`)
    expect(kind).toBe('note')
  })
})

describe('a mailbox', () => {
  it('has each mail with its subject, sender and time', async () => {
    const document = await parsed(MAILBOX, { fileName: 'archive.txt' })
    expect(document.kind).toBe('email')
    expect(blockTexts(document)).toEqual([
      ['heading', 'Boiler'],
      ['turn', 'The inspection is on 22 September at 10:00.\nFrom then on it is yearly.'],
      ['heading', 'Cellar key'],
      ['turn', 'I leave the key with the café downstairs.'],
    ])
    expect(document.blocks.at(-1)).toMatchObject({ speaker: 'Karin Lund', at: new Date('2026-09-16T08:30:00Z') })
  })

  it('has a memory of each mail, about its subject and with its people', async () => {
    const pipeline = createPipeline({ embedder: wordEmbedder() })
    const { memories } = await pipeline.run(sourceFile(MAILBOX, { fileName: 'archive.txt' }))
    expect(memories.map(({ content }) => content.narrative)).toEqual([
      expect.stringMatching(/^On 14 September 2026 Tom Price wrote to me about "Boiler"\./),
      expect.stringMatching(/^On 16 September 2026 Karin Lund wrote to me about "Cellar key"\./),
    ])
    expect(memories[1]?.content.participants).toEqual(['Karin Lund', 'Anna'])
  })

  it('has what I asked for from those whom I wrote to', async () => {
    const mine = mail(
      'From: Anna <anna@example.org>\nTo: Karin Lund <lund@example.org>\nSubject: Hall\nDate: Thu, 17 Sep 2026 10:30:00 +0200',
      'Please book the hall.',
    )
    const pipeline = createPipeline({ embedder: wordEmbedder() })
    const { memories } = await pipeline.run(
      sourceFile(
        `From tom@example.org Mon Sep 14 09:12:00 2026\n${FIRST}\nFrom anna@example.org Thu Sep 17 10:30:00 2026\n${mine}`,
        { fileName: 'archive.txt' },
      ),
    )
    expect(memories[1]?.content.narrative).toBe(
      'On 17 September 2026 I wrote to Karin Lund about "Hall". I asked Karin Lund to book the hall.',
    )
  })

  it('names the recipient of each mail about one subject', async () => {
    const mine = mail(
      'From: Anna <anna@example.org>\nTo: Karin Lund <lund@example.org>\nSubject: Re: Boiler\nDate: Tue, 15 Sep 2026 10:30:00 +0200',
      'Please book the hall.',
    )
    const pipeline = createPipeline({ embedder: wordEmbedder() })
    const { memories } = await pipeline.run(
      sourceFile(
        `From tom@example.org Mon Sep 14 09:12:00 2026\n${FIRST}\nFrom anna@example.org Tue Sep 15 10:30:00 2026\n${mine}`,
        { fileName: 'archive.txt' },
      ),
    )
    expect(memories[0]?.content.narrative).not.toContain('asked Tom')
  })

  it('keeps lines of a mail that begin like the line above another', async () => {
    const closed = 'From Monday 2026 on we are closed\nNote: bring the key.'
    const { text } = await parsed(MAILBOX.replace('yearly.\n', `yearly.\n\n${closed}\n`), { fileName: 'archive.txt' })
    expect(text).toContain(closed)
  })

  it('of one mail is that mail', async () => {
    const { meta } = await parsed(`From tom@example.org Mon Sep 14 09:12:00 2026\n${FIRST}`)
    expect(meta).toMatchObject({ title: 'Boiler', author: 'Tom Price' })
  })
})
