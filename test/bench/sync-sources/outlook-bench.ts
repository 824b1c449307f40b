import { GraphMail } from '../../fakes/microsoft/graph-mail.ts'
import { GraphServer } from '../../fakes/microsoft/graph-server.ts'
import { createCorpus } from '../corpus.ts'
import type { BenchSource } from './bench-source.ts'
import { ReplayedServer } from './replayed-server.ts'

const MAILS = 5_000
/** Heads of mails in an answer of the delta, and mails with their texts in one of a folder. */
const HEADS_PER_PAGE = 200
const TEXTS_PER_PAGE = 100
const HOUR_MS = 3_600_000
const PEOPLE = ['Bruno Braun', 'Chiara Conti', 'Dmitri Orlov', 'Elif Kaya']

/** Conversations of one to three mails in the inbox. */
export async function outlookBench(share: number): Promise<BenchSource> {
  const corpus = createCorpus()
  const count = Math.round(MAILS * share)
  const server = await GraphServer.start()
  const mail = new GraphMail(server)
  const begin = Date.now() - count * HOUR_MS
  let conversations = 0
  for (let number = 0; number < count; conversations++) {
    let conversation: string | undefined
    for (let answer = 0; answer <= conversations % 3 && number < count; answer++, number++) {
      const id = mail.receive({
        subject: corpus.text(conversations, 45).trim(),
        text: corpus.text(number, 500),
        from: PEOPLE[number % PEOPLE.length] ?? '',
        at: new Date(begin + number * HOUR_MS),
        ...(conversation !== undefined && { conversation }),
      })
      conversation ??= mail.conversationOf(id)
    }
  }
  const asked = new ReplayedServer(server.url)
  return {
    connector: 'ms-outlook',
    config: server.settings,
    noun: `mails in ${conversations.toLocaleString('en')} conversations`,
    count,
    fewestRequests: Math.ceil(count / HEADS_PER_PAGE) + Math.ceil(count / TEXTS_PER_PAGE),
    // Whose mailbox it is and its folders aside, one for each conversation.
    oneByOne: Math.ceil(count / HEADS_PER_PAGE) + conversations,
    replay: () => asked.replay(),
    async close() {
      asked.close()
      await server[Symbol.asyncDispose]()
    },
  }
}
