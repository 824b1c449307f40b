import { describe, expect, test } from 'vitest'
import type { SourceFile } from '../../../../src/domain/document.ts'
import { parse } from '../../../../src/pipeline/parse/parse.ts'
import { quoteWriter } from '../../../../src/pipeline/parse/quoted-mails.ts'

const HEAD =
  'From: Vera Holm <v@holm.example>\nTo: Ada Berg <ada@berg.example>\nSubject: Re: Window\nDate: Wed, 18 Mar 2026 16:40:00 +0000\nMessage-ID: <w2@holm.example>\n\n'

async function parsed(body: string, file: Partial<SourceFile> = {}) {
  const document = await parse.run({
    fileName: 'window.eml',
    contentType: 'message/rfc822',
    sourceType: 'email',
    itemId: 'window',
    userName: 'Ada Berg',
    timeZone: 'UTC',
    uploadedAt: new Date('2026-03-20T00:00:00Z'),
    body: Buffer.from(`${HEAD}${body}`),
    ...file,
  })
  const quotes = document.blocks.flatMap(({ role, speaker, at, start, end }) =>
    role === 'quoted' ? [{ speaker, at: at?.toISOString(), text: document.text.slice(start, end) }] : [],
  )
  return { quotes, skips: document.skips }
}

const INTRODUCTION = 'On Tue, 17 Mar 2026 at 10:02, Ada Berg <ada@berg.example> wrote:'

describe('what a single mail quotes', () => {
  test('is kept as the words of its writer, with their time', async () => {
    const { quotes, skips } = await parsed(
      `It moves to Monday.\n\n${INTRODUCTION}\n> Thursday works, Jonas lets him in.\n`,
    )
    expect(quotes).toEqual([
      { speaker: 'Ada Berg', at: '2026-03-17T10:02:00.000Z', text: 'Thursday works, Jonas lets him in.' },
    ])
    expect(skips).toEqual([])
  })

  test('is kept below a writer whose day comes last', async () => {
    const { quotes } = await parsed(
      'It moves to Monday.\n\nVera\n\nAda Berg wrote on Tuesday 17 March:\n> Thursday works, Jonas lets him in.\n',
    )
    expect(quotes.map(({ speaker, text }) => [speaker, text])).toEqual([
      ['Ada Berg', 'Thursday works, Jonas lets him in.'],
    ])
  })

  test('is kept without marks below the block of Outlook', async () => {
    const block =
      '-----Original Message-----\nFrom: Ada Berg <ada@berg.example>\nSent: 17 March 2026 10:02\nTo: Vera Holm\nSubject: Window\n\n'
    expect((await parsed(`It moves to Monday.\n\n${block}Thursday works, Jonas lets him in.`)).quotes).toEqual([
      { speaker: 'Ada Berg', at: '2026-03-17T10:02:00.000Z', text: 'Thursday works, Jonas lets him in.' },
    ])
  })

  test('has each of the mails that are quoted in it, by their own writers', async () => {
    const nested = `${INTRODUCTION}\n> Thursday works.\n>\n> On Mon, 16 Mar 2026 at 09:00, Vera Holm wrote:\n>> Does Thursday work for the glazier?\n`
    expect(
      (await parsed(`It moves to Monday.\n\n${nested}`)).quotes.map(({ speaker, text }) => [speaker, text]),
    ).toEqual([
      ['Ada Berg', 'Thursday works.'],
      ['Vera Holm', 'Does Thursday work for the glazier?'],
    ])
  })

  test.each([
    ['repeats what it says itself', `The window is 90 cm wide.\n\n${INTRODUCTION}\n> The window is 90 cm wide.\n`],
    ['has no writer', 'It moves to Monday.\n\n> Thursday works, Jonas lets him in.\n'],
  ])('is left out and counted if it %s', async (_, body) => {
    const { quotes, skips } = await parsed(body)
    expect(quotes).toEqual([])
    expect(skips).toEqual([{ reason: 'quoted_reply', count: 1, detail: '1 quoted reply' }])
  })

  test('is left out of the mails of a mailbox, which has the quoted ones too', async () => {
    const body = `It moves to Monday.\n\n${INTRODUCTION}\n> Thursday works.\n`
    expect((await parsed(body, { fileName: 'mail.eml' })).quotes).toEqual([])
  })
})

describe('the writer of a quote', () => {
  test.each([
    ['On Tue, 17 Mar 2026 at 10:02, Ada Berg wrote:', 'Ada Berg'],
    ['Ada Berg wrote on Tuesday 17 March:', 'Ada Berg'],
    ['On Tue, 17 Mar 2026 at 10:02 Ada Berg <ada@berg.example> wrote:', 'Ada Berg'],
    ['On Mar 17, 2026, at 10:02 AM, Ada Berg <ada@berg.example> wrote:', 'Ada Berg'],
    ['Am Di., 17. März 2026 um 10:02 Uhr schrieb Ada Berg <ada@berg.example>:', 'Ada Berg'],
    ['Le mar. 17 mars 2026 à 10:02, Ada Berg <ada@berg.example> a écrit :', 'Ada Berg'],
    ['El mar, 17 mar 2026 a las 10:02, Ada Berg (<ada@berg.example>) escribió:', 'Ada Berg'],
    ['On Tue, 17 Mar 2026 at 10:02, <ada@berg.example> wrote:', 'ada@berg.example'],
    ['Ada Berg wrote:', 'Ada Berg'],
    ['On Monday Ada Berg wrote:', 'Ada Berg'],
    ['From: Ada Berg <ada@berg.example>\nSent: Tuesday\nTo: Vera', 'Ada Berg'],
  ])('is found in %j', (introduction, writer) => {
    expect(quoteWriter(introduction)).toBe(writer)
  })

  test('is unknown without an introduction', () => {
    expect(quoteWriter('')).toBeUndefined()
  })
})
