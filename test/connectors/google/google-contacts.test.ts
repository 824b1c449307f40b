import { describe, expect, test } from 'vitest'
import { contacts } from '../../../connectors/google/contacts.ts'
import { personRef } from '../../../connectors/google/contacts-item.ts'
import { describeConnectorContract } from '../../contract/connector-contract.ts'
import { GooglePeople } from '../../fakes/google/google-people.ts'
import { connectorContext } from '../../lib/connector-context.ts'
import { connectorWalk, textOf } from '../../lib/connector-walk.ts'

const idOf = (resourceName: string) => personRef('people/1001', resourceName).itemId

describeConnectorContract('Google Contacts', async () => {
  const fake = await GooglePeople.open()
  const [edited, removed] = [fake.add('Bob Miller'), fake.add('Carl')]
  fake.add('Dora', { emailAddresses: [{ value: 'dora@acme.test', type: 'work' }] })
  fake.add('Someone', { emailAddresses: [{ value: 'someone@acme.test' }] }, 'otherContacts')
  return {
    connector: contacts,
    config: { ...fake.config, other_contacts: true },
    options: { clock: () => fake.server.now },
    add: async () => idOf(fake.add('Eve')),
    async edit() {
      fake.change(edited, { phoneNumbers: [{ value: '+49 30 123', type: 'mobile' }] })
      return idOf(edited)
    },
    async remove() {
      fake.remove(removed)
      return idOf(removed)
    },
    [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
  }
})

describe('Google Contacts', () => {
  test('tells what is known of a person, in the same order whatever that of Google is', async () => {
    await using fake = await GooglePeople.open()
    const emailAddresses = [
      { value: 'bob@home.test', formattedType: 'Home' },
      { value: 'bob@acme.test', formattedType: 'Work' },
    ]
    const bob = fake.add('Bob Miller', {
      nicknames: [{ value: 'Bobby' }],
      organizations: [{ name: 'Acme', title: 'Engineer', department: 'Rockets' }],
      emailAddresses,
      birthdays: [{ date: { month: 3, day: 4 } }],
      addresses: [{ formattedValue: 'Main Street 1\nBerlin', formattedType: 'Home' }],
      relations: [{ person: 'Dora', type: 'sister' }],
      biographies: [{ value: 'Met at the fair.\nLikes tea.' }],
      metadata: { sources: [{ type: 'CONTACT', updateTime: '2026-02-01T10:00:00Z' }] },
    })
    const first = await connectorWalk(contacts, fake.config)
    const item = first.items.get(idOf(bob))
    expect(item).toMatchObject({ title: 'Bob Miller', updatedAt: new Date('2026-02-01T10:00:00Z') })
    expect(await textOf(item)).toBe(
      `Contact: Bob Miller
Nickname: Bobby
Works as: Engineer at Rockets, Acme
Email (home): bob@home.test
Email (work): bob@acme.test
Address (home): Main Street 1, Berlin
Birthday: --03-04
sister: Dora
Notes: Met at the fair.
Likes tea.
`,
    )
    fake.change(bob, { emailAddresses: emailAddresses.toReversed(), etag: 'another' })
    const second = await connectorWalk(contacts, fake.config, { after: first })
    expect(second.items.get(idOf(bob))?.revision).toBe(item?.revision)
  })

  test('reads everything in pages, and afterwards only what was written', async () => {
    await using fake = await GooglePeople.open()
    for (let count = 0; count < 2_300; count += 1) fake.add(`Person ${count}`)
    const first = await connectorWalk(contacts, fake.config)
    expect(first.items.size).toBe(2_300)
    expect(fake.server.takeLog().filter((line) => line.endsWith('/connections'))).toHaveLength(3)
    fake.change('people/c7', { names: [{ displayName: 'Renamed' }] })
    fake.remove('people/c8')
    const second = await connectorWalk(contacts, fake.config, { after: first })
    expect([...second.items.values()].map(({ title }) => title)).toEqual(['Renamed'])
    expect(second.gone).toEqual([idOf('people/c8')])
  })

  test('takes back the former names of merged contacts, and whom nothing is known of any more', async () => {
    await using fake = await GooglePeople.open()
    const [kept, emptied] = [fake.add('Bob'), fake.add('Carl')]
    const first = await connectorWalk(contacts, fake.config)
    fake.change(kept, { metadata: { previousResourceNames: ['people/c77', kept] } })
    fake.change(emptied, { names: [] })
    const second = await connectorWalk(contacts, fake.config, { after: first })
    expect(second.gone).toEqual([idOf('people/c77'), idOf(emptied)])
    expect([...second.items.keys()]).toEqual([idOf(kept)])
  })

  test('asks for a new beginning when its token has ended, and a new beginning brings a token that is taken', async () => {
    await using fake = await GooglePeople.open()
    fake.add('Bob')
    const options = { clock: () => fake.server.now }
    const first = await connectorWalk(contacts, fake.config, options)
    fake.passDays(8)
    await expect(connectorWalk(contacts, fake.config, { ...options, after: first })).rejects.toMatchObject({
      remedy: 'restart',
    })
    const anew = await connectorWalk(contacts, fake.config, options)
    const next = await connectorWalk(contacts, fake.config, { ...options, after: anew })
    expect([next.items.size, next.gone]).toEqual([0, []])
  })

  test('begins anew when its token is not understood, and says so when nothing else is', async () => {
    await using fake = await GooglePeople.open()
    fake.add('Bob')
    const first = await connectorWalk(contacts, fake.config)
    const fault = { path: /connections$/, status: 400, reason: 'badRequest' }
    fake.server.faults.push(fault)
    await expect(connectorWalk(contacts, fake.config, { after: first })).rejects.toMatchObject({ remedy: 'restart' })
    fake.server.faults.push(fault)
    await expect(connectorWalk(contacts, fake.config)).rejects.toMatchObject({ remedy: 'skip' })
  })

  test('lists other people once for all that are read again, without the quota of a new beginning', async () => {
    await using fake = await GooglePeople.open()
    const names = ['Bob', 'Carl', 'Dora'].map((name) => fake.add(name, {}, 'otherContacts'))
    const config = { ...fake.config, other_contacts: true }
    const context = await connectorContext(contacts, config)
    const partition = { id: 'other', title: 'other contacts' }
    fake.server.takeLog()
    for (const locator of [...names, 'otherContacts/gone']) {
      const ref = { sourceType: 'contacts', itemId: idOf(locator), locator, partition } as const
      expect((await contacts.read(ref, context as never))?.itemId).toBe(
        locator.endsWith('gone') ? undefined : idOf(locator),
      )
    }
    expect(fake.server.takeLog()).toEqual(['GET /v1/otherContacts'])
  })

  test('asks for other people only when it is told to', async () => {
    await using fake = await GooglePeople.open()
    fake.add('Someone', {}, 'otherContacts')
    expect((await connectorWalk(contacts, fake.config)).items.size).toBe(0)
    expect(fake.server.log.join()).not.toContain('otherContacts')
    const { manifest } = contacts
    const scopes = (more: object) => manifest.grant?.scopes(manifest.config.parse({ ...fake.config, ...more }))
    expect(scopes({})).toEqual(['https://www.googleapis.com/auth/contacts.readonly'])
    expect(scopes({ other_contacts: true })).toContain('https://www.googleapis.com/auth/contacts.other.readonly')
  })

  test('waits when the quota of complete readings is used up', async () => {
    await using fake = await GooglePeople.open()
    fake.server.faults.push({ path: /connections$/, status: 429, reason: 'rateLimitExceeded' })
    await expect(connectorWalk(contacts, fake.config)).rejects.toMatchObject({ remedy: 'retry', limited: true })
  })
})
