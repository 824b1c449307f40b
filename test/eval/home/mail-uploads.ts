import { renderDocument } from '../../../src/connector/document.ts'
import type { Upload } from '../../../src/domain/memory.ts'
import { homeTime } from './home-time.ts'
import type { Section } from './sections.ts'

/** Name and address. */
export type HomePerson = readonly [name: string, address: string]

interface Mail {
  readonly at: Date
  readonly from: HomePerson
  readonly to: readonly HomePerson[]
  /** Where the mail before stands: below the answer, above it, or nowhere. */
  readonly quoted: 'top' | 'bottom' | undefined
  readonly text: string
}

/**
 * `=== ID | subject | eml` makes each mail a file `ID-1`, `ID-2`; `thread` all of them one file, as the connector of mail does.
 * A mail begins with `-- 2025-10-06 09:12 From > To, To`, and `top` or `bottom` where its answer stands to what it quotes.
 */
export function mailUploads({ id, fields, lines }: Section, person: (alias: string) => HomePerson): Upload[] {
  const [subject, form] = fields as [string, string]
  const mails = lines
    .join('\n')
    .split(/^-- /m)
    .slice(1)
    .map((text) => readMail(text, person))
  if (form === 'thread') return [threadUpload(id, subject, mails)]
  return mails.map((mail, i) => {
    const before = mails[i - 1]
    return {
      itemId: `${id}-${i + 1}`,
      sourceType: 'email',
      userName: 'Mira Halvorsen',
      fileName: `${id}-${i + 1}.eml`,
      contentType: 'message/rfc822',
      body: new TextEncoder().encode(mailFile(id, i, before === undefined ? subject : `Re: ${subject}`, mail, before)),
    }
  })
}

function readMail(text: string, person: (alias: string) => HomePerson): Mail {
  const [head = '', ...body] = text.trim().split('\n')
  const [, at, from, to, quoted] = /^(\S+ \S+) (\w+) > ([\w, ]+?)(?: (top|bottom))?$/.exec(head) ?? []
  if (at === undefined) throw new Error(`Not the head of a mail: ${head}`)
  return {
    at: homeTime(at.replace(' ', 'T')),
    from: person(from!),
    to: to!.split(', ').map(person),
    quoted: quoted as Mail['quoted'],
    text: body.join('\n').trim(),
  }
}

function mailFile(thread: string, at: number, subject: string, mail: Mail, before: Mail | undefined): string {
  const head = [
    `Message-ID: <${thread}-${at + 1}@home.example>`,
    `Date: ${mail.at.toUTCString().replace('GMT', '+0000')}`,
    `From: ${address(mail.from)}`,
    `To: ${mail.to.map(address).join(', ')}`,
    `Subject: ${subject}`,
    ...(before === undefined ? [] : [`In-Reply-To: <${thread}-${at}@home.example>`]),
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
  ]
  return `${head.join('\n')}\n\n${mailText(mail, before)}\n`
}

function mailText({ text, quoted }: Mail, before: Mail | undefined): string {
  if (before === undefined || quoted === undefined) return text
  const day = before.at.toUTCString().slice(0, 16)
  const old = `On ${day}, ${address(before.from)} wrote:\n${before.text.replaceAll(/^/gm, '> ')}`
  return quoted === 'top' ? `${text}\n\n${old}` : `${old}\n\n${text}`
}

function address([name, mailbox]: HomePerson): string {
  return `${name} <${mailbox}>`
}

function threadUpload(id: string, title: string, mails: readonly Mail[]): Upload {
  const people = [...new Set(mails.flatMap(({ from, to }) => [from, ...to].map(address)))]
  const body = mails.map(({ from, at, text }) => `## Message by ${address(from)} at ${at.toISOString()}\n\n${text}`)
  const item = {
    sourceType: 'email',
    itemId: id,
    revision: '1',
    title,
    visibility: 'private',
    author: address(mails[0]!.from),
    people,
    createdAt: mails[0]!.at,
    body: `${body.join('\n\n')}\n`,
  } as const
  const { bytes, fileName, contentType } = renderDocument(item, item.body)
  return { itemId: id, sourceType: 'email', userName: 'Mira Halvorsen', fileName, contentType, body: bytes }
}
