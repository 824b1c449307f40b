import { email } from '../../../connectors/google/gmail.ts'
import { accountPart, sourceItemId } from '../../../src/connector/source-item-id.ts'
import { describeConnectorContract } from '../../contract/connector-contract.ts'
import { GoogleMail } from '../../fakes/google/google-mail.ts'

describeConnectorContract('Gmail', async () => {
  const mail = await GoogleMail.start()
  const idOf = (threadId: string) => sourceItemId('gmail', accountPart(mail.address), 't', threadId)
  const [first, second] = [1, 2, 3, 4].map((day) =>
    mail.deliver({ text: `Day ${day}`, at: `2026-02-0${day}T09:00:00Z` }),
  )
  if (first === undefined || second === undefined) throw new Error('nothing was delivered')
  const long = mail.deliver({ subject: 'Long', at: '2026-01-01T09:00:00Z' })
  for (let at = 0; at < 44; at += 1) mail.deliver({ threadId: long, at: `2026-01-02T09:${10 + at}:00Z` })
  return {
    connector: email,
    config: mail.config,
    async add() {
      return idOf(mail.deliver({ subject: 'New' }))
    },
    async edit() {
      mail.deliver({ threadId: first, text: 'A reply' })
      return idOf(first)
    },
    async remove() {
      mail.trash(second)
      return idOf(second)
    },
    [Symbol.asyncDispose]: () => mail[Symbol.asyncDispose](),
  }
})
