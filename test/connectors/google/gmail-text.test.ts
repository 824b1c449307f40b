import { describe, expect, test } from 'vitest'
import { email } from '../../../connectors/google/gmail.ts'
import type { GmailConfig } from '../../../connectors/google/gmail-config.ts'
import type { SourceItem } from '../../../src/connector/connector.ts'
import { renderDocument } from '../../../src/connector/document.ts'
import { SourceError } from '../../../src/connector/source-error.ts'
import { GoogleMail, type MailDraft, textPart } from '../../fakes/google/google-mail.ts'
import { connectorContext, type TestContext } from '../../lib/connector-context.ts'
import { parsed, turns } from '../../unit/pipeline/parse/parse-source-file.ts'

/** What is told of the mailbox, newest thread first. */
async function documents(mail: GoogleMail, config: Record<string, unknown> = {}): Promise<string[]> {
  const context = (await connectorContext(email, { ...mail.config, ...config })) as TestContext<GmailConfig>
  const items: SourceItem[] = []
  for await (const partition of email.partitions(context)) {
    for await (const change of email.changes(partition, undefined, context)) {
      if (change.type === 'item') items.push(change.item)
    }
  }
  const texts: string[] = []
  for (const item of items) {
    const body = typeof item.body === 'function' ? await item.body() : item.body
    if (body !== undefined) texts.push(Buffer.from(renderDocument(item, body).bytes).toString())
  }
  return texts
}

async function told(...drafts: readonly MailDraft[]): Promise<string> {
  await using mail = await GoogleMail.start()
  const [first = {}, ...replies] = drafts
  const threadId = mail.deliver(first)
  for (const reply of replies) mail.deliver({ ...reply, threadId })
  return (await documents(mail))[0] ?? ''
}

const bodyOf = (document: string) => document.split(/^## [^\n]+\n\n/m)[1]?.trim()
const from = (name: string, value: string) => ({ name, value })

describe('a thread of Gmail', () => {
  test('is told by its messages, with who wrote them when', async () => {
    const text = await told(
      {
        from: 'Bob Builder <bob@acme.test>',
        to: 'Ada Lovelace <ada@acme.test>',
        cc: '"Carol, from Sales" <carol@acme.test>, bob@acme.test',
        subject: 'The offer: final',
        text: 'It costs 300.\n\n-- \nBob Builder\nAcme Ltd',
        at: '2026-03-01T10:00:00Z',
        files: ['Offer 3.pdf', 'plan.xlsx'],
      },
      {
        from: 'Ada Lovelace <ada@acme.test>',
        subject: 'Re: The offer: final',
        text: 'Agreed.\n\nOn Sun, 1 Mar 2026 at 10:00, Bob Builder <bob@acme.test> wrote:\n> It costs 300.',
        at: '2026-03-01T11:00:00Z',
      },
    )
    expect(text.replace(/#all\/\w+/, '#all/ID').split('\n')).toEqual([
      '---',
      'title: "The offer: final"',
      'url: https://mail.google.com/mail/?authuser=ada%40acme.test#all/ID',
      'when: 2026-03-01T10:00:00.000Z',
      'author: Bob Builder <bob@acme.test>',
      'participants:',
      '  - Bob Builder <bob@acme.test>',
      '  - Ada Lovelace <ada@acme.test>',
      '  - Carol, from Sales <carol@acme.test>',
      '---',
      '',
      '## Message by Bob Builder <bob@acme.test> at 2026-03-01T10:00:00.000Z',
      '',
      'It costs 300.',
      '',
      'Attached: Offer 3.pdf, plan.xlsx',
      '',
      '## Message by Ada Lovelace <ada@acme.test> at 2026-03-01T11:00:00.000Z',
      '',
      'Agreed.',
      '',
    ])
    const document = await parsed(text, { sourceType: 'email', contentType: 'text/markdown', fileName: 'offer.md' })
    expect(document.kind).toBe('email')
    expect(turns(document).map(([speaker, at]) => [speaker, at])).toEqual([
      ['Bob Builder <bob@acme.test>', '2026-03-01T10:00:00.000Z'],
      ['Ada Lovelace <ada@acme.test>', '2026-03-01T11:00:00.000Z'],
    ])
  })

  test.each([
    ['UTF-8 as it is announced', textPart('text/plain', 'Grüße, 東京'), 'Grüße, 東京'],
    ['ISO-8859-1', textPart('text/plain', Buffer.from('Grüße', 'latin1'), 'ISO-8859-1'), 'Grüße'],
    ['UTF-8 that is announced as something else', textPart('text/plain', 'Grüße', 'iso-8859-1'), 'Grüße'],
    ['bytes of Windows under an unknown name', textPart('text/plain', Buffer.from([0x80, 0x35]), 'x-unknown'), '€5'],
    ['Shift_JIS', textPart('text/plain', Buffer.from([0x93, 0x8c, 0x8b, 0x9e]), 'Shift_JIS'), '東京'],
    ['ISO-2022-JP', textPart('text/plain', '\x1b$BEl5~\x1b(B', 'ISO-2022-JP'), '東京'],
  ])('is decoded from %s', async (_, payload, text) => {
    expect(bodyOf(await told({ payload }))).toBe(text)
  })

  test('is the plain text of a mail, or else its HTML without pictures', async () => {
    const html = '<p>Hello <b>Ada</b><img src="https://track.test/1.gif" alt=""></p>'
    expect(bodyOf(await told({ text: 'Plain', html }))).toBe('Plain')
    expect(bodyOf(await told({ text: ' \n ', html }))).toBe('Hello **Ada**')
    expect(bodyOf(await told({ html }))).toBe('Hello **Ada**')
  })

  test('names its files, not the pictures within its text nor what lies in them', async () => {
    const logo = [from('Content-Disposition', 'inline; filename="logo.png"')]
    const payload = {
      mimeType: 'multipart/mixed',
      headers: [from('From', 'bob@acme.test'), from('Subject', 'Files')],
      parts: [
        textPart('text/plain', 'See below'),
        { mimeType: 'image/png', filename: 'logo.png', headers: logo, body: { attachmentId: 'A1', size: 9 } },
        {
          mimeType: 'text/plain',
          filename: 'notes.txt',
          body: { data: Buffer.from('In the file').toString('base64url') },
        },
        { mimeType: 'text/plain', filename: '', body: { attachmentId: 'A2', size: 99_000_000 } },
        { mimeType: 'message/rfc822', filename: 'mail.eml', parts: [textPart('text/plain', 'In the mail')] },
      ],
    }
    expect(bodyOf(await told({ payload }))).toBe('See below\n\nAttached: notes.txt, mail.eml')
  })

  test('says whose words a mail without a name is that is attached', async () => {
    const words = { ...textPart('text/plain', 'My words.'), headers: [from('From', 'Carol\r\n <carol@x.test>')] }
    const payload = {
      mimeType: 'multipart/mixed',
      headers: [from('From', 'bob@acme.test'), from('Subject', 'See')],
      parts: [textPart('text/plain', 'See what she wrote.'), { mimeType: 'message/rfc822', parts: [words] }],
    }
    expect(bodyOf(await told({ payload }))).toBe(
      'See what she wrote.\n\nAttached mail from Carol <carol@x.test>:\n\nMy words.',
    )
  })

  test('has also a text that Gmail leaves out of its answer because it is long', async () => {
    await using mail = await GoogleMail.start()
    const apart = (mimeType: string, attachmentId: string, size = 300_000) => ({
      ...textPart(mimeType, ''),
      body: { attachmentId, size },
    })
    mail.attachments.set('A1', Buffer.from('Minutes of the whole day').toString('base64url'))
    mail.attachments.set('A2', Buffer.from('<p>Minutes</p>').toString('base64url'))
    const alternative = (...parts: readonly unknown[]) => ({ mimeType: 'multipart/alternative', parts })
    const both = alternative(apart('text/plain', 'A1'), apart('text/html', 'A2'))
    mail.deliver({ payload: { mimeType: 'multipart/mixed', parts: [both, apart('text/plain', 'A3', 99_000_000)] } })
    mail.deliver({ payload: alternative(textPart('text/plain', 'Short'), apart('text/html', 'A2')) })
    mail.deliver({ payload: alternative(textPart('text/plain', ' '), apart('text/html', 'A2')) })
    const texts = (await documents(mail)).map(bodyOf)
    expect(texts).toEqual(['Minutes', 'Short', 'Minutes of the whole day'])
    expect(mail.server.log.filter((request) => request.includes('/attachments/'))).toHaveLength(2)
  })

  test('has a speaker that can be read back, whatever people call themselves', async () => {
    const speakers: (string | undefined)[] = []
    for (const name of ['Nora at Acme', 'x'.repeat(90), '"Ada\\" <script>"', 'a@b.test', '=?UTF-8?Q?J=C3=BCrgen?=']) {
      const text = await told({ from: name.includes('@') ? name : `${name} <n@acme.test>` })
      const document = await parsed(text, { sourceType: 'email', fileName: 'mail.md' })
      speakers.push(turns(document)[0]?.[0])
    }
    expect(speakers).toEqual([
      'n@acme.test',
      'n@acme.test',
      'Ada" script <n@acme.test>',
      'a@b.test',
      'Jürgen <n@acme.test>',
    ])
  })

  test('cannot put words into the mouth of others', async () => {
    const text = await told({
      text: 'Hi\n\n## Message by Ada <ada@acme.test> at 2026-03-01T10:00:00Z\n\nI owe Bob 300.',
    })
    const document = await parsed(text, { sourceType: 'email', fileName: 'mail.md' })
    expect(new Set(turns(document).map(([speaker]) => speaker))).toEqual(new Set(['Bob Builder <bob@acme.test>']))
  })

  test('stays readable when a message lacks everything that is optional', async () => {
    expect(await told({ payload: {} })).toMatch(/title: Mail without a subject[\s\S]*## Message by somebody at /)
  })
})

describe('what is taken of Gmail', () => {
  const titles = async (mail: GoogleMail, config: Record<string, unknown> = {}) =>
    (await documents(mail, config)).map((text) => /^title: (.*)$/m.exec(text)?.[1]).sort()

  test('are conversations, not drafts, spam, trash and chats, nor what is nothing but advertising or social', async () => {
    await using mail = await GoogleMail.start()
    for (const label of [
      'INBOX',
      'DRAFT',
      'SPAM',
      'TRASH',
      'CHAT',
      'CATEGORY_PROMOTIONS',
      'CATEGORY_SOCIAL',
      'CATEGORY_UPDATES',
    ])
      mail.deliver({ subject: label, labels: [label] })
    const answered = mail.deliver({ subject: 'An offer I answered', labels: ['CATEGORY_PROMOTIONS'] })
    mail.deliver({ threadId: answered, labels: ['SENT'] })
    expect(await titles(mail)).toEqual(['An offer I answered', 'CATEGORY_UPDATES', 'INBOX'])
    expect(await titles(mail, { exclude_categories: [] })).toHaveLength(5)
  })

  test('are those with a label, and none with a label that is excluded', async () => {
    await using mail = await GoogleMail.start()
    const [family, work, secret] = ['Family', 'Work/Plans', 'Secret'].map((name) => mail.addLabel(name))
    mail.deliver({ subject: 'Neither' })
    mail.deliver({ subject: 'Dinner', labels: [family!] })
    const both = mail.deliver({ subject: 'Plan', labels: [work!] })
    mail.deliver({ threadId: both, labels: ['SENT', family!] })
    const hidden = mail.deliver({ subject: 'Hidden', labels: [work!] })
    mail.deliver({ threadId: hidden, labels: [secret!] })
    expect([...new Set(await titles(mail, { labels: ['family', 'Work/Plans'] }))]).toEqual(['Dinner', 'Hidden', 'Plan'])
    const config = { labels: ['Family', 'Work/Plans'], exclude_labels: ['Secret'] }
    expect([...new Set(await titles(mail, config))]).toEqual(['Dinner', 'Plan'])
    expect(await titles(mail, { exclude_labels: ['Secret'] })).toEqual(['Dinner', 'Neither', 'Plan'])
  })

  test('are also those of which one message has the label and another is more than advertising', async () => {
    await using mail = await GoogleMail.start()
    const family = mail.addLabel('Family')
    const offer = mail.deliver({ subject: 'Offer', labels: ['CATEGORY_PROMOTIONS', family] })
    mail.deliver({ threadId: offer, labels: ['SENT'] })
    expect(await titles(mail, { labels: ['Family'] })).toEqual(['Offer'])
  })

  test('needs labels that exist', async () => {
    await using mail = await GoogleMail.start()
    const refused = await documents(mail, { labels: ['Familie'] }).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(SourceError)
    expect(refused).toMatchObject({ remedy: 'reconfigure', message: expect.stringContaining('no label "Familie"') })
  })

  test('begins with a day, also within a thread', async () => {
    await using mail = await GoogleMail.start()
    mail.deliver({ subject: 'Old', at: '2025-12-31T23:59:59Z' })
    const thread = mail.deliver({ subject: 'Begun', text: 'Before', at: '2025-12-31T09:00:00Z' })
    mail.deliver({ threadId: thread, subject: 'Re: Begun', text: 'After', at: '2026-01-01T00:00:00Z' })
    const [only = '', ...others] = await documents(mail, { since: '2026-01-01' })
    expect(others).toEqual([])
    expect(only).toMatch(/title: "Re: Begun"[\s\S]*After\n$/)
    expect(only).not.toContain('Before')
  })
})
