import { msOutlook } from '../../../connectors/microsoft/ms-outlook.ts'
import { describeConnectorSimulation } from '../../contract/connector-simulation.ts'
import { GraphMail } from '../../fakes/microsoft/graph-mail.ts'
import { GraphServer, graphError } from '../../fakes/microsoft/graph-server.ts'
import { oneOf } from '../../lib/seeded-random.ts'

const FOLDERS = ['F-inbox=', 'F-sentitems=', 'F-archive=', 'F-Projects']

describeConnectorSimulation('Outlook', async (clock) => {
  const server = await GraphServer.start()
  const mail = new GraphMail(server)
  mail.addFolder('Projects')
  const toTheTime = () => {
    mail.now = new Date(Math.max(clock().getTime(), mail.now.getTime()))
  }
  mail.now = clock()
  const first = mail.receive({ subject: 'Long' })
  for (let number = 0; number < 19; number++) {
    mail.receive({ conversation: mail.conversationOf(first), folder: FOLDERS[number % 2] ?? '' })
  }
  return {
    connector: msOutlook,
    config: server.settings,
    change(random) {
      toTheTime()
      const dice = random()
      const id = oneOf(random, [...mail.messages.keys()])
      const folder = oneOf(random, FOLDERS)
      const conversation = mail.conversationOf(id)
      if (dice < 0.15) mail.receive({ folder })
      else if (dice < 0.35) mail.receive({ conversation, folder })
      else if (dice < 0.4) mail.receive({ conversation, folder: 'F-drafts=', isDraft: true })
      else if (dice < 0.5) mail.edit(id, { isRead: true })
      else if (dice < 0.65) mail.move(id, folder)
      else if (dice < 0.7)
        mail.folders.edit('F-Projects', { parentFolderId: oneOf(random, ['F-deleteditems=', 'root']) })
      else if (mail.messages.size > 12) {
        if (dice < 0.85) mail.delete(id)
        else mail.purge(id)
      }
    },
    disturb(random) {
      const fault = oneOf(random, [
        graphError(500, 'ErrorInternalServerError'),
        { ...graphError(429, 'ApplicationThrottled'), headers: { 'retry-after': '30' } },
        graphError(410, 'SyncStateNotFound'),
      ])
      const on = oneOf(random, [
        /messages\/delta/,
        /deltatoken/,
        /skiptoken/,
        /conversationId eq/,
        /receivedDateTime ge/,
        /mailFolders\/delta/,
      ])
      server.fail({ on, ...fault, times: 1 + Math.floor(random() * 2) })
    },
    calm() {
      server.heal()
      toTheTime()
    },
    loseCursors() {
      for (const folder of FOLDERS) mail.expire(folder)
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
})
