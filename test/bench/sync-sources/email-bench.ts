import { GoogleMail } from '../../fakes/google/google-mail.ts'
import { createCorpus } from '../corpus.ts'
import type { BenchSource } from './bench-source.ts'
import { ReplayedServer } from './replayed-server.ts'

const THREADS = 3_000
const PAGE = 500
const HOUR_MS = 3_600_000
const PEOPLE = [
  'Ada Lovelace',
  'Bruno Braun',
  'Chiara Conti',
  'Dmitri Orlov',
  'Elif Kaya',
  'Farid Haddad',
  'Grete Lund',
]

/** Every third thread has two replies that quote what came before, so that there are 5,000 mails in 3,000 threads. */
export async function emailBench(share: number): Promise<BenchSource> {
  const threads = Math.round(THREADS * share)
  const mail = await GoogleMail.start()
  const count = fillMailbox(mail, threads)
  const { server, config } = mail
  const asked = new ReplayedServer(server.url)
  return {
    connector: 'email',
    config,
    noun: `messages in ${threads.toLocaleString('en')} threads`,
    count,
    // Whose mailbox it is, which also tells where its history is; then every page of threads, and every thread once.
    fewestRequests: 1 + Math.ceil(threads / PAGE) + threads,
    replay: () => asked.replay(),
    async close() {
      asked.close()
      await mail[Symbol.asyncDispose]()
    },
  }
}

/** How many mails there are. */
export function fillMailbox(mail: GoogleMail, threads: number): number {
  const corpus = createCorpus()
  const begin = Date.now() - threads * HOUR_MS
  let count = 0
  for (let thread = 0; thread < threads; thread++) {
    const subject = corpus.text(thread, 45).trim()
    let threadId: string | undefined
    let before = ''
    for (let reply = 0; reply < (thread % 3 === 0 ? 3 : 1); reply++) {
      const text = corpus.text(count++, 300 + (thread % 5) * 300)
      const writer = PEOPLE[(thread + reply) % PEOPLE.length] ?? ''
      const id = mail.deliver({
        ...(threadId !== undefined && { threadId }),
        from: `${writer} <${writer.split(' ', 1)[0]?.toLowerCase()}@acme.test>`,
        subject: reply === 0 ? subject : `Re: ${subject}`,
        at: new Date(begin + thread * HOUR_MS + reply * 60_000).toISOString(),
        ...writtenMail({ text, before, writer, number: thread }),
      })
      threadId ??= id
      before = text
    }
  }
  return count
}

/** A third is plain, a third has both forms, a third is HTML alone, as newsletters are. */
function writtenMail(mail: { text: string; before: string; writer: string; number: number }) {
  const { text, before, writer, number } = mail
  const said = 'On Wed, 4 Mar 2026 at 10:00, Bruno Braun <bruno@acme.test> wrote:'
  const quoted = before === '' ? '' : `\n\n${said}\n${before.replace(/^/gm, '> ')}`
  const plain = `${text}\n\n-- \n${writer}\nAcme, 1 Main Street${quoted}`
  if (number % 3 === 0) return { text: plain }
  const paragraphs = text.split('\n\n').map((paragraph) => `<tr><td style="padding:8px"><p>${paragraph}</p></td></tr>`)
  const html = `<html><head><style>td { font-family: sans-serif }</style></head><body><table>${paragraphs.join('')}</table>
<p><a href="https://acme.test/${number}">Read more</a> or <a href="https://acme.test/out">unsubscribe</a></p></body></html>`
  return number % 3 === 1 ? { text: plain, html } : { html }
}
