import type { Block, DocumentMeta } from '../../domain/document.ts'
import { readMail } from './mail.ts'
import type { Draft, ParseContext } from './parse-context.ts'

/** Maximum mails read; a larger mailbox must be uploaded in parts. */
const MAX_MAILS = 2_000
/** The line above each mail of an mbox file (RFC 4155), with its time, and the name of its first field. */
const FROM_LINE =
  /(?<=^|\n\r?\n)From \S[^\n]{0,200}\s(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ \d]\d \d\d:\d\d:\d\d (?:[A-Z+-][A-Z\d]{2,4} )?\d{4}(?: [+-]\d{4})?[ \t]*\r?\n(?=[!-9;-~]{1,76}:)/g
const ESCAPED = /^>(?=>*From )/gm

/** One mail, or an mbox file: the mails in their order, each of its sender and time. */
export async function readMails(bytes: Uint8Array, context: ParseContext): Promise<Draft> {
  const mails = splitMailbox(bytes)
  const [only, ...others] = mails
  if (only === undefined || others.length === 0) return readMail(only ?? bytes, context)
  context.skip('limit', mails.length - MAX_MAILS, 'mail', ` beyond the first ${MAX_MAILS}`)
  const drafts: Draft[] = []
  for (const mail of mails.slice(0, MAX_MAILS)) drafts.push(await readMail(mail, context))
  const titles = new Set(drafts.map(({ meta }) => meta.title))
  const isThread = titles.size === 1
  let text = ''
  const blocks: Block[] = []
  const append = (words: string): number => {
    if (text !== '') text += '\n\n'
    const start = text.length
    text += words
    return start
  }
  let before: string | undefined
  for (const draft of drafts) {
    const { title, when, author: speaker, participants } = draft.meta
    if (!isThread && title !== undefined && title !== before) {
      const start = append(title)
      blocks.push({ type: 'heading', level: 1, start, end: start + title.length })
    }
    before = title
    const shift = append(draft.text)
    const label = {
      ...(speaker !== undefined && { speaker }),
      ...(participants && { participants }),
      ...(when && { at: when.start }),
    }
    blocks.push(...draft.blocks.map((block) => ofMail(block, shift, label)))
  }
  return { kind: 'email', text, blocks, meta: mailboxMeta(drafts, isThread) }
}

function ofMail(block: Block, shift: number, label: Pick<Block, 'speaker' | 'participants' | 'at'>): Block {
  const isProse = block.type === 'paragraph' || block.type === 'list' || block.type === 'heading'
  const type = isProse ? 'turn' : block.type
  return { ...label, ...block, type, start: block.start + shift, end: block.end + shift }
}

/** Of mails about several subjects, nobody takes part in all. */
function mailboxMeta(drafts: readonly Draft[], isThread: boolean): DocumentMeta {
  const addresses = new Map(drafts.flatMap(({ meta }) => [...(meta.addresses ?? [])]))
  const [first] = drafts
  if (!isThread || first === undefined) return { addresses }
  const participants = [...new Set(drafts.flatMap(({ meta }) => meta.participants ?? []))]
  return { ...(first.meta.title !== undefined && { title: first.meta.title }), participants, addresses }
}

function splitMailbox(bytes: Uint8Array): Uint8Array[] {
  if (bytes[0] !== F || !Buffer.from(bytes.subarray(0, 5)).equals(FROM)) return [bytes]
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  const starts = [...text.matchAll(FROM_LINE)].map((match) => [match.index, match.index + match[0].length] as const)
  if (starts.length < 2 || starts[0]![0] > 0) return [bytes]
  return starts.map(([, from], i) =>
    Buffer.from(text.slice(from, starts[i + 1]?.[0] ?? text.length).replace(ESCAPED, ''), 'latin1'),
  )
}
const FROM = Buffer.from('From ')
const F = FROM[0]
