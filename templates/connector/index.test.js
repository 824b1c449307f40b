import { connectorContext, describeConnectorContract } from 'recalld/connector/testing'
import { expect, test } from 'vitest'
import { startFakeServer } from './fake-server.js'
import { connectors } from './index.js'

const [connector] = connectors

async function open() {
  const server = await startFakeServer()
  return {
    connector,
    config: { name: 'me', token: 'secret', api_url: server.url },
    add: async () =>
      itemId(server.write('bike', { title: 'Bike', text: 'The bike is at the workshop in Elm Street.' })),
    edit: async () => itemId(server.write('tea', { text: 'The green tea is on the top shelf.' })),
    remove: async () => itemId(server.write('keys', { deleted: true })),
    server,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

const itemId = (id) => `example:${id}`

describeConnectorContract('Example', open)

test('reports a rejected token, so that nothing is forgotten', async () => {
  await using fake = await open()
  await expect(connectorContext(connector, { ...fake.config, token: 'old' })).rejects.toMatchObject({
    remedy: 'reauthorize',
  })
})

test('asks for a full scan when the server no longer has the changes', async () => {
  await using fake = await open()
  const context = await connectorContext(connector, fake.config)
  fake.server.forgetChanges()
  const changes = connector.changes({ id: 'n1', title: 'Household' }, { version: 1 }, context)
  await expect(changes[Symbol.asyncIterator]().next()).rejects.toMatchObject({ remedy: 'restart' })
})
