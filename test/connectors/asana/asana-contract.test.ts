import { asana } from '../../../connectors/asana/asana.ts'
import { describeConnectorContract } from '../../contract/connector-contract.ts'
import { asanaServer } from '../../fakes/asana/asana-server.ts'
import { FakeAsana } from '../../fakes/asana/fake-asana.ts'

describeConnectorContract('Asana', async () => {
  const fake = new FakeAsana()
  const server = await asanaServer(fake)
  const launch = fake.addProject('Launch')
  const shop = fake.addProject('Shop')
  const draft = fake.addTask('Draft the plan', { projects: [launch], assignee: fake.bob })
  fake.addTask('Ask for money', { projects: [launch, shop], assignee: fake.ada })
  fake.addTask('Buy milk', { assignee: fake.ada })
  const gone = fake.addTask('Never mind', { projects: [shop] })
  fake.addTask('Part of it', { parent: draft })
  fake.comment(draft, 'Looks good')
  fake.addStatus(launch, 'All is well')
  fake.pass(1)
  return {
    connector: asana,
    config: { name: 'acme', token: 'pat-made-up', api_url: server.url },
    options: { clock: () => fake.now },
    add: async () => `asana:${fake.addTask('Another', { projects: [shop] })}`,
    async edit() {
      fake.editTask(draft, { html_notes: '<body>With a text</body>' })
      return `asana:${draft}`
    },
    async remove() {
      fake.deleteTask(gone)
      return `asana:${gone}`
    },
    [Symbol.asyncDispose]: () => Promise.resolve(server[Symbol.asyncDispose]()),
  }
})
