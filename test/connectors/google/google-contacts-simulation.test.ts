import { contacts } from '../../../connectors/google/contacts.ts'
import { describeConnectorSimulation } from '../../contract/connector-simulation.ts'
import { failAtRandom, refusing } from '../../fakes/google/google-faults.ts'
import { GooglePeople, type MadePerson } from '../../fakes/google/google-people.ts'
import { oneOf } from '../../lib/seeded-random.ts'

const EXPIRED = { path: /connections$/, status: 400, reason: 'EXPIRED_SYNC_TOKEN' }

describeConnectorSimulation('Google Contacts', async (clock) => {
  const fake = await GooglePeople.open()
  const { server } = fake
  const toTheTime = () => {
    server.now = clock()
  }
  toTheTime()
  fake.mostOnPage = 3
  const inTheBin: MadePerson[] = []
  for (let number = 1; number <= 7; number++) fake.add(`Person ${number}`)
  fake.add('Somebody', {}, 'otherContacts')
  return {
    connector: contacts,
    config: { ...fake.config, other_contacts: true },
    change(random) {
      toTheTime()
      const dice = random()
      const person = oneOf(random, [...fake.people.values()])
      const { resourceName } = person
      const other = oneOf(random, [...fake.people.keys()])
      const value = `${server.now.toISOString()}, ${dice}`
      const isContact = resourceName.startsWith('people/')
      if (dice < 0.25) fake.add(`Of ${value}`, {}, random() < 0.7 ? 'connections' : 'otherContacts')
      else if (dice < 0.45) fake.change(resourceName, { biographies: [{ value }] })
      // A person of whom nothing is told is none.
      else if (dice < 0.5) fake.change(resourceName, { names: [], biographies: [] })
      else if (dice < 0.65 && inTheBin.length > 0) fake.restore(inTheBin.splice(0, 1)[0] ?? person)
      else if (
        dice < 0.75 &&
        fake.people.size > 4 &&
        isContact &&
        other.startsWith('people/') &&
        other !== resourceName
      ) {
        fake.remove(other)
        fake.change(resourceName, { metadata: { previousResourceNames: [other] } })
      } else if (fake.people.size > 4) {
        if (isContact) inTheBin.push(person)
        fake.remove(resourceName)
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
    loseCursors: () => fake.endTokens(),
    [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
  }
})
