import { asana } from '../../../connectors/asana/asana.ts'
import { describeConnectorContract } from '../../contract/connector-contract.ts'
import { asanaServer } from '../../fakes/asana/asana-server.ts'
import { AsanaWorld } from '../../fakes/asana/fake-asana.ts'

describeConnectorContract('Asana', async () => {
  const world = new AsanaWorld()
  const server = await asanaServer(world)
  const launch = world.addProject('Launch')
  const shop = world.addProject('Shop')
  const draft = world.addTask('Draft the plan', { projects: [launch], assignee: world.bob })
  world.addTask('Ask for money', { projects: [launch, shop], assignee: world.ada })
  world.addTask('Buy milk', { assignee: world.ada })
  const gone = world.addTask('Never mind', { projects: [shop] })
  world.addTask('Part of it', { parent: draft })
  world.comment(draft, 'Looks good')
  world.addStatus(launch, 'All is well')
  world.pass(1)
  return {
    connector: asana,
    config: { name: 'acme', token: 'pat-made-up', api_url: server.url },
    options: { clock: () => world.now },
    add: async () => `asana:${world.addTask('Another', { projects: [shop] })}`,
    async edit() {
      world.editTask(draft, { html_notes: '<body>With a text</body>' })
      return `asana:${draft}`
    },
    async remove() {
      world.deleteTask(gone)
      return `asana:${gone}`
    },
    [Symbol.asyncDispose]: () => Promise.resolve(server[Symbol.asyncDispose]()),
  }
})
