import { msCalendar } from '../../../connectors/microsoft/ms-calendar.ts'
import { describeConnectorContract } from '../../contract/connector-contract.ts'
import { GraphCalendar } from '../../fakes/microsoft/graph-calendar.ts'
import { eventItemId } from '../../fakes/microsoft/graph-ids.ts'
import { GraphServer } from '../../fakes/microsoft/graph-server.ts'

describeConnectorContract('Outlook Calendar', async () => {
  const server = await GraphServer.start()
  const calendar = new GraphCalendar(server)
  const edited = calendar.addSeries({ subject: 'Weekly' })
  calendar.except(edited, 2, { subject: 'Weekly, but later' })
  calendar.cancelOccurrence(edited, 1)
  const removed = calendar.add({ subject: 'Spam' })
  for (let number = 1; number <= 14; number++)
    calendar.add({ start: new Date(`2026-${String((number % 12) + 1).padStart(2, '0')}-05T10:00:00Z`) })
  calendar.add({ subject: 'Long ago', start: new Date('2019-03-04T10:00:00Z') })
  calendar.add({ subject: 'Dentist', calendar: 'C-home=' })
  return {
    connector: msCalendar,
    config: server.settings,
    options: { clock: () => calendar.now },
    async add() {
      return eventItemId(server, calendar.add({ subject: 'Another' }))
    },
    async edit() {
      calendar.edit(edited, { subject: 'Weekly planning' })
      return eventItemId(server, edited)
    },
    async remove() {
      calendar.remove(removed)
      return eventItemId(server, removed)
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
})
