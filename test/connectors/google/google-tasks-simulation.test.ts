import { tasks } from '../../../connectors/google/tasks.ts'
import { describeConnectorSimulation } from '../../contract/connector-simulation.ts'
import { failAtRandom, refusing } from '../../fakes/google/google-faults.ts'
import { GoogleTasks } from '../../fakes/google/google-tasks.ts'
import { oneOf } from '../../lib/seeded-random.ts'

const LISTS = ['MDAwMQ', 'MDAwMg']

describeConnectorSimulation('Google Tasks', async (clock) => {
  const fake = await GoogleTasks.open()
  const { server } = fake
  const toTheTime = () => {
    server.now = clock()
  }
  toTheTime()
  fake.mostOnPage = 3
  fake.addList('MDAwMg', 'Work')
  for (let number = 1; number <= 5; number++) fake.add(`Task ${number}`, {}, LISTS[number % 2])
  return {
    // The hourly inventory would repair what the changes missed.
    connector: { ...tasks, manifest: { ...tasks.manifest, deletions: 'feed', inventoryEveryMs: 0 } },
    config: fake.config,
    change(random) {
      toTheTime()
      const dice = random()
      const [list = '', other = ''] = random() < 0.5 ? LISTS : LISTS.toReversed()
      const all = fake.lists.get(list)?.tasks ?? []
      const title = `Of ${server.now.toISOString()}, ${dice}`
      if (dice < 0.2 || all.length < 3) fake.add(title, {}, list)
      else {
        const { id, deleted, parent } = oneOf(random, all)
        const roots = all.filter((each) => each.parent === undefined && each.id !== id)
        const isParent = all.some((each) => each.parent === id)
        if (dice < 0.35) fake.change(id, { title }, list)
        else if (dice < 0.45) fake.change(id, { status: 'completed', hidden: true }, list)
        else if (dice < 0.6) {
          for (const each of all)
            if (each.id === id || each.parent === id) fake.change(each.id, { deleted: !deleted }, list)
        } else if (dice < 0.75 && !isParent) {
          if (parent === undefined) fake.change(id, { parent: oneOf(random, roots).id }, list)
          else fake.change(id, { parent: undefined }, list)
        } else if (!isParent && !deleted) {
          if (fake.lists.get(other)?.tasks.some((each) => each.id === id)) fake.take(id, other)
          fake.move(id, list, other, { updated: server.now.toISOString(), parent: undefined })
          // As Google tells of what was deleted; what it says nothing of is for the inventory.
          fake.add(title, { id, deleted: true }, list)
        }
      }
    },
    disturb(random) {
      failAtRandom(server, random, { paths: [/lists$/, /tasks$/, /@default/], own: [refusing(/tasks$/)] })
    },
    calm() {
      server.faults.length = 0
      toTheTime()
    },
    [Symbol.asyncDispose]: () => fake[Symbol.asyncDispose](),
  }
})
