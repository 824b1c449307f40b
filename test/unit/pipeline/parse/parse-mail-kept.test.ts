import { describe, expect, it } from 'vitest'
import { extract } from '../../../../src/pipeline/extract/extract.ts'
import { segment } from '../../../../src/pipeline/segment/segment.ts'
import { parsed, sourceFile } from './parse-source-file.ts'

async function memoriesOf(body: string | Uint8Array, file: Parameters<typeof parsed>[1] = {}) {
  const document = await parsed(body, file)
  const chunks = await segment.run(document)
  const { memories } = await extract.run({ file: sourceFile(body, file), document, chunks })
  return { document, chunks, narratives: memories.map(({ content }) => content.narrative).join('\n') }
}

const HEAD = [
  'From: Bob <bob@acme.test>',
  'To: Anna <anna@acme.test>',
  'Subject: Re: dinner',
  'Date: Wed, 4 Mar 2026 10:00:00 +0100',
]
const mail = (...lines: readonly string[]) => [...HEAD, '', ...lines, ''].join('\n')
const QUOTE =
  '> Shall we meet for dinner on Friday, at the place near the station where we had the good pasta last year?'
const ANSWER = 'Yes, Friday suits me well.'

describe('an answer below what it answers', () => {
  it.each([
    ['a marked quote', ['On Tue, 3 Mar 2026, Anna wrote:', QUOTE, '', ANSWER]],
    ['a quote of many lines, right below it', [...Array<string>(20).fill(QUOTE), ANSWER]],
    ['a quote with blanks before its marks', ['Anna Berg wrote:', ` ${QUOTE}`, ` ${QUOTE}`, '', ANSWER]],
    ['two introductions', ['On Tue, 3 Mar 2026 at 09:00, Anna wrote:', '', 'Anna wrote:', QUOTE, '', ANSWER]],
    [
      'a header of Outlook',
      ['-----Original Message-----', 'From: Anna', 'Sent: Tuesday', 'To: Bob', '', QUOTE, '', ANSWER],
    ],
  ])('is a chunk and a memory: %s', async (_, lines) => {
    const { chunks, narratives } = await memoriesOf(mail(...lines))
    expect(chunks.flatMap(({ role, text }) => (role === 'quoted' ? [] : [text]))).toEqual([ANSWER])
    expect(narratives).toMatch(/Friday \(6 March 2026\) suits me well/)
    expect(narratives).not.toContain('pasta')
  })

  it('is a memory however short it is', async () => {
    const { narratives } = await memoriesOf(mail(...Array<string>(9).fill(QUOTE), 'Fri is OK'))
    expect(narratives).toContain('is OK')
  })

  it('is not part of the quote in a comment', async () => {
    const body = `## Comment by bob at 2026-03-04T10:12:00Z\n\n${Array(15).fill(QUOTE).join('\n')}\n${ANSWER}\n`
    const { narratives } = await memoriesOf(body, { sourceType: 'github' })
    expect(narratives).toMatch(/Friday \(6 March 2026\) suits me well/)
  })
})

describe('a mail without a sender', () => {
  const body = [
    'To: Anna <anna@acme.test>',
    'Subject: The boiler',
    'Content-Type: text/plain',
    '',
    'It leaks again.',
    '',
  ]

  it('is a mail that nobody is named for', async () => {
    const { document, narratives } = await memoriesOf(body.join('\n'))
    expect(document).toMatchObject({ kind: 'email', text: 'It leaks again.', meta: { title: 'The boiler' } })
    expect(narratives).toBe('Somebody wrote to me about "The boiler". Somebody wrote: "It leaks again."')
  })

  it.each([{ fileName: 'draft.eml' }, { contentType: 'message/rfc822' }])(
    'needs two fields when it is declared: %j',
    async (file) => {
      expect((await parsed(body.slice(1).join('\n'), file)).kind).toBe('email')
    },
  )

  it('is no note with a subject and a date', async () => {
    expect((await parsed('Subject: The boiler\nDate: 4 March 2026\n\nIt leaks again.')).kind).toBe('note')
  })
})

describe('a mail that is not UTF-8', () => {
  const latin = (...lines: readonly string[]) =>
    Buffer.from([...lines, '', 'Ich käme gern.', ''].join('\r\n'), 'latin1')
  const sender = [
    'From: Jörg <joerg@acme.test>',
    'To: anna@acme.test',
    'Subject: Grüße',
    'Date: Wed, 4 Mar 2026 10:00:00 +0100',
  ]

  it.each([
    [
      'its body declares it',
      [...sender, 'Content-Type: text/plain; charset=iso-8859-1', 'Content-Transfer-Encoding: 8bit'],
    ],
    ['its body declares it in a line below', [...sender, 'Content-Type: text/plain;', ' charset="ISO-8859-15"']],
    ['nothing declares it', sender],
    ['what it declares is unknown', [...sender, 'Content-Type: text/plain; charset=x-user-defined-8']],
  ])('is decoded: %s', async (_, lines) => {
    const { text, meta } = await parsed(latin(...lines))
    expect(text).toBe('Ich käme gern.')
    expect(meta).toMatchObject({ title: 'Grüße', author: 'Jörg' })
  })

  it('is decoded without a sender', async () => {
    const { text, meta } = await parsed(latin(...sender.slice(1), 'Content-Type: text/plain; charset=windows-1252'))
    expect(text).toBe('Ich käme gern.')
    expect(meta.title).toBe('Grüße')
  })

  it('is decoded by a charset of another alphabet', async () => {
    const head = Buffer.from([...HEAD, 'Content-Type: text/plain; charset=koi8-r', '', ''].join('\r\n'), 'latin1')
    const { text } = await parsed(Buffer.concat([head, Buffer.from('f0d2c9d7c5d42c20cbc1cb20c4c5ccc13f', 'hex')]))
    expect(text).toBe('Привет, как дела?')
  })
})
