import { msOutlook } from '../../../connectors/microsoft/ms-outlook.ts'
import { describeConnectorContract } from '../../contract/connector-contract.ts'
import { conversationItemId } from '../../fakes/microsoft/graph-ids.ts'
import { GraphMail } from '../../fakes/microsoft/graph-mail.ts'
import { GraphServer } from '../../fakes/microsoft/graph-server.ts'

describeConnectorContract('Outlook', async () => {
  const server = await GraphServer.start()
  const mail = new GraphMail(server)
  const edited = mail.receive({ subject: 'Invoice' })
  for (let number = 1; number <= 45; number++) {
    mail.receive({
      subject: 'RE: Invoice',
      conversation: mail.conversationOf(edited),
      folder: number % 2 ? 'F-sentitems=' : 'F-inbox=',
    })
  }
  const removed = mail.receive({ subject: 'Spam' })
  for (let number = 1; number <= 20; number++) mail.receive({ attachments: ['offer.pdf'] })
  mail.receive({ isDraft: true, folder: 'F-drafts=' })
  return {
    connector: msOutlook,
    config: server.settings,
    options: { clock: () => mail.now },
    async add() {
      return conversationItemId(server, mail.conversationOf(mail.receive()))
    },
    async edit() {
      mail.edit(edited, { body: { contentType: 'text', content: 'It costs less now.' } })
      return conversationItemId(server, mail.conversationOf(edited))
    },
    async remove() {
      const id = conversationItemId(server, mail.conversationOf(removed))
      mail.delete(removed)
      return id
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
})
