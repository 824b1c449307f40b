import { ImapFlow } from 'imapflow'
import { imapSettings, mailText } from '../../connectors/imap/mail-texts.ts'
import { type MailServer, startDovecot } from '../../fakes/dovecot.ts'
import { createCorpus } from '../corpus.ts'
import { DelayedServer } from '../delayed-server.ts'
import type { BareSource } from './bare-source.ts'

const MAILS = 1_000
const LATENCY_MS = 80
const HOUR_MS = 3_600_000

/** Plain mails in the inbox of Dovecot, over a slow network. */
export async function imapBench(share: number): Promise<BareSource> {
  const count = Math.round(MAILS * share)
  const server = await startDovecot()
  await server.appendAll('INBOX', mails(count))
  const delayed = await DelayedServer.start(server.port, LATENCY_MS)
  return {
    connector: 'imap',
    config: { ...imapSettings(server), name: 'bench', port: delayed.port },
    noun: `mails at ${LATENCY_MS} ms a response`,
    count,
    against: 'one FETCH of all of them with imapflow',
    bare: () => fetchAll(server, delayed.port, count),
    roundTrips: () => delayed.roundTrips,
    async close() {
      await delayed[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}

function* mails(count: number): Generator<string> {
  const corpus = createCorpus()
  const begin = Date.now() - count * HOUR_MS
  for (let number = 0; number < count; number++) {
    yield mailText({
      id: String(number),
      subject: corpus.text(number, 45).trim(),
      text: corpus.text(number, 300 + (number % 5) * 300),
      date: new Date(begin + number * HOUR_MS).toUTCString(),
    })
  }
}

async function fetchAll({ user, password: pass }: MailServer, port: number, count: number): Promise<number> {
  const start = performance.now()
  const auth = { user, pass }
  const client = new ImapFlow({ host: '127.0.0.1', port, secure: false, doSTARTTLS: false, auth, logger: false })
  await client.connect()
  await client.mailboxOpen('INBOX', { readOnly: true })
  const found = await client.fetchAll('1:*', { uid: true, envelope: true, source: true })
  await client.logout()
  if (found.length !== count) throw new Error(`${found.length} of ${count} mails were fetched`)
  return performance.now() - start
}
