import { contacts } from '../../../connectors/google/contacts.ts'
import { describeConnectorSimulation } from '../../contract/connector-simulation.ts'
import { failAtRandom, refusing } from '../../fakes/google/google-faults.ts'
import { GooglePeople, type MadePerson } from '../../fakes/google/google-people.ts'
import { oneOf } from '../../lib/seeded-random.ts'

const EXPIRED = { path: /connections$/, status: 400, reason: 'EXPIRED_SYNC_TOKEN' }

describeConnectorSimulation('Google Contacts', async (clock) => {
  const world = await GooglePeople.open()
  const { server } = world
  const toTheTime = () => {
    server.now = clock()
  }
  toTheTime()
  world.mostOnPage = 3
  const inTheBin: MadePerson[] = []
  for (let number = 1; number <= 7; number++) world.add(`Person ${number}`)
  world.add('Somebody', {}, 'otherContacts')
  return {
    connector: contacts,
    config: { ...world.config, other_contacts: true },
    change(random) {
      toTheTime()
      const dice = random()
      const person = oneOf(random, [...world.people.values()])
      const { resourceName } = person
      const other = oneOf(random, [...world.people.keys()])
      const value = `${server.now.toISOString()}, ${dice}`
      const isContact = resourceName.startsWith('people/')
      if (dice < 0.25) world.add(`Of ${value}`, {}, random() < 0.7 ? 'connections' : 'otherContacts')
      else if (dice < 0.45) world.change(resourceName, { biographies: [{ value }] })
      // A person of whom nothing is told is none.
      else if (dice < 0.5) world.change(resourceName, { names: [], biographies: [] })
      else if (dice < 0.65 && inTheBin.length > 0) world.restore(inTheBin.splice(0, 1)[0] ?? person)
      else if (
        dice < 0.75 &&
        world.people.size > 4 &&
        isContact &&
        other.startsWith('people/') &&
        other !== resourceName
      ) {
        world.remove(other)
        world.change(resourceName, { metadata: { previousResourceNames: [other] } })
      } else if (world.people.size > 4) {
        if (isContact) inTheBin.push(person)
        world.remove(resourceName)
      }
    },
    disturb(random) {
      const paths = [/connections$/, /otherContacts$/, /people\/me$/, /people\/c\d+$/]
      failAtRandom(server, random, { paths, own: [refusing(/people/), EXPIRED] })
    },
    calm() {
      server.faults.length = 0
      toTheTime()
    },
    loseCursors: () => world.endTokens(),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
})
