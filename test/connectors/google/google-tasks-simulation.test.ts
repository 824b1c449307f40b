import { tasks } from '../../../connectors/google/tasks.ts'
import { describeConnectorSimulation } from '../../contract/connector-simulation.ts'
import { failAtRandom, refusing } from '../../fakes/google/google-faults.ts'
import { GoogleTasks } from '../../fakes/google/google-tasks.ts'
import { oneOf } from '../../lib/seeded-random.ts'

const LISTS = ['MDAwMQ', 'MDAwMg']

describeConnectorSimulation('Google Tasks', async (clock) => {
  const world = await GoogleTasks.open()
  const { server } = world
  const toTheTime = () => {
    server.now = clock()
  }
  toTheTime()
  world.mostOnPage = 3
  world.addList('MDAwMg', 'Work')
  for (let number = 1; number <= 5; number++) world.add(`Task ${number}`, {}, LISTS[number % 2])
  return {
    // The hourly inventory would repair what the changes missed.
    connector: { ...tasks, manifest: { ...tasks.manifest, deletions: 'feed', inventoryEveryMs: 0 } },
    config: world.config,
    change(random) {
      toTheTime()
      const dice = random()
      const [list = '', other = ''] = random() < 0.5 ? LISTS : LISTS.toReversed()
      const all = world.lists.get(list)?.tasks ?? []
      const title = `Of ${server.now.toISOString()}, ${dice}`
      if (dice < 0.2 || all.length < 3) world.add(title, {}, list)
      else {
        const { id, deleted, parent } = oneOf(random, all)
        const roots = all.filter((each) => each.parent === undefined && each.id !== id)
        const isParent = all.some((each) => each.parent === id)
        if (dice < 0.35) world.change(id, { title }, list)
        else if (dice < 0.45) world.change(id, { status: 'completed', hidden: true }, list)
        else if (dice < 0.6) {
          for (const each of all)
            if (each.id === id || each.parent === id) world.change(each.id, { deleted: !deleted }, list)
        } else if (dice < 0.75 && !isParent) {
          if (parent === undefined) world.change(id, { parent: oneOf(random, roots).id }, list)
          else world.change(id, { parent: undefined }, list)
        } else if (!isParent && !deleted) {
          if (world.lists.get(other)?.tasks.some((each) => each.id === id)) world.take(id, other)
          world.move(id, list, other, { updated: server.now.toISOString(), parent: undefined })
          // As Google tells of what was deleted; what it says nothing of is for the inventory.
          world.add(title, { id, deleted: true }, list)
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
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
})
