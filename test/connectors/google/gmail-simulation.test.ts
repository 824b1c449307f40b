import { email } from '../../../connectors/google/gmail.ts'
import { describeConnectorSimulation } from '../../contract/connector-simulation.ts'
import { failAtRandom } from '../../fakes/google/google-faults.ts'
import { GoogleMail } from '../../fakes/google/google-mail.ts'
import { oneOf } from '../../lib/seeded-random.ts'

const PATHS = [/profile$/, /labels$/, /threads$/, /threads\/\w+$/, /messages$/, /history$/]
/** As for a history that is too old, and for a token of a page that has ended. */
const OWN = [
  { path: /history$/, status: 404, reason: 'notFound' },
  { path: /threads$/, status: 400, reason: 'invalidArgument' },
]

describeConnectorSimulation('Gmail', async (clock) => {
  const mail = await GoogleMail.start()
  const { server } = mail
  const toTheTime = () => {
    server.now = clock()
  }
  toTheTime()
  mail.mostOnPage = 12
  const secret = mail.addLabel('Secret')
  const threads: string[] = []
  const begin = (labels?: string[]) =>
    threads.push(mail.deliver({ text: `At ${clock().toISOString()}`, ...(labels && { labels }) }))
  // More than are told between two checkpoints.
  for (let number = 0; number < 27; number++) begin()
  const [long = ''] = threads
  // Two documents.
  for (let number = 0; number < 21; number++) mail.deliver({ threadId: long })
  return {
    connector: email,
    config: { ...mail.config, exclude_labels: ['Secret'] },
    change(random) {
      toTheTime()
      const dice = random()
      const threadId = random() < 0.5 ? long : oneOf(random, threads)
      const messages = mail.messagesOf(threadId)
      const message = messages[Math.floor(random() * messages.length)]
      const label = oneOf(random, ['TRASH', 'SPAM', 'CATEGORY_SOCIAL', 'STARRED', secret])
      if (dice < 0.1) begin(random() < 0.3 ? ['INBOX', 'CATEGORY_SOCIAL'] : undefined)
      else if (message === undefined || dice < 0.35) mail.deliver({ threadId, text: `Re: ${dice}` })
      else if (dice < 0.4) mail.saveDraft({ threadId })
      else if (dice < 0.6) mail.label(message, { add: [label] })
      else if (dice < 0.8) mail.label(message, { remove: [label] })
      else if (dice < 0.85) for (const each of messages) mail.trash(each)
      else if (dice < 0.93) for (const each of messages) mail.untrash(each)
      else if (dice < 0.975) {
        const remove = random() < 0.5
        for (const each of threads) {
          const [first] = mail.messagesOf(each)
          if (first !== undefined) mail.label(first, remove ? { remove: [secret] } : { add: [secret] })
        }
      } else mail.delete(message)
    },
    disturb(random) {
      failAtRandom(server, random, { paths: PATHS, own: OWN })
    },
    calm() {
      server.faults.length = 0
      toTheTime()
    },
    loseCursors() {
      mail.loseHistory()
      mail.losePageTokens()
    },
    [Symbol.asyncDispose]: () => mail[Symbol.asyncDispose](),
  }
})
