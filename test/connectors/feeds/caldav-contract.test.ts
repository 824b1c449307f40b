import { caldav as caldavConnector } from '../../../connectors/feeds/caldav.ts'
import type { Connector } from '../../../src/connector/connector.ts'
import { describeConnectorContract } from '../../contract/connector-contract.ts'
import { hasRadicale, startRadicale } from '../../fakes/radicale.ts'
import { connectorContext } from '../../lib/connector-context.ts'
import { caldavSettings, eventText, skipWithoutRadicale } from './calendar-events.ts'

const caldav: Connector = caldavConnector

if (skipWithoutRadicale('The connector for CalDAV', hasRadicale)) {
  describeConnectorContract('CalDAV', async () => {
    const server = await startRadicale()
    await server.createCalendar('work', 'Work')
    await server.createCalendar('home', 'Home & garden')
    await server.put('work', 'one.ics', eventText({ uid: 'one' }))
    await server.put('work', 'two.ics', eventText({ uid: 'two', rule: 'FREQ=WEEKLY' }))
    await server.put('home', 'three.ics', eventText({ uid: 'three' }))
    const config = caldavSettings(server)
    const idOf = async (title: string): Promise<string> => {
      const context = await connectorContext(caldav, config)
      for await (const partition of caldav.partitions(context)) {
        for await (const change of caldav.changes(partition, undefined, context)) {
          if (change.type === 'item' && change.item.title === title) return change.item.itemId
        }
      }
      throw new Error(`There is no ${title}`)
    }
    return {
      connector: caldav,
      config,
      async add() {
        await server.put('work', 'four.ics', eventText({ uid: 'four' }))
        return idOf('Event four')
      },
      async edit() {
        await server.put('work', 'one.ics', eventText({ uid: 'one', title: 'Event one moved', day: '20260305' }))
        return idOf('Event one moved')
      },
      async remove() {
        const id = await idOf('Event three')
        await server.remove('home', 'three.ics')
        return id
      },
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    }
  })
}
