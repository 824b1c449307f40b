import { asana } from '../../../connectors/asana/asana.ts'
import { describeConnectorSimulation } from '../../contract/connector-simulation.ts'
import { asanaServer } from '../../fakes/asana/asana-server.ts'
import { AsanaWorld } from '../../fakes/asana/fake-asana.ts'
import { oneOf } from '../../lib/seeded-random.ts'

describeConnectorSimulation('Asana', async (clock) => {
  const world = new AsanaWorld()
  const toTheTime = () => {
    world.now = new Date(Math.max(clock().getTime(), world.now.getTime()))
  }
  toTheTime()
  const server = await asanaServer(world)
  const projects = ['Launch', 'Shop', 'Home'].map((name) => world.addProject(name))
  const tasks = projects.map((project, at) => world.addTask(`Task ${at}`, { projects: [project], assignee: world.ada }))
  const comments: [string, string][] = []
  return {
    connector: asana,
    config: { name: 'acme', token: 'pat-made-up', api_url: server.url },
    change(random) {
      toTheTime()
      const dice = random()
      const task = oneOf(random, tasks)
      const project = oneOf(random, projects)
      const inIt = world.task(task).projects.some(({ gid }) => gid === project)
      if (dice < 0.15) tasks.push(world.addTask(`Of ${world.now.toISOString()}`, { projects: [project] }))
      else if (dice < 0.25) tasks.push(world.addTask(`Mine of ${world.now.toISOString()}`, { assignee: world.ada }))
      else if (dice < 0.35) world.addTask(`Part of ${world.now.toISOString()}`, { parent: task })
      else if (dice < 0.45) comments.push([task, world.comment(task, `At ${world.now.toISOString()}`)])
      else if (dice < 0.6) world.editTask(task, { name: `Renamed at ${world.now.toISOString()}` })
      else if (dice < 0.65) world.addStatus(project, `At ${world.now.toISOString()}`)
      else if (dice < 0.7) for (const part of world.subtasks(task)) world.editTask(part.gid, { completed: true })
      else if (dice < 0.92) {
        if (inIt) world.removeFromProject(task, project)
        else world.addToProject(task, project)
      } else if (tasks.length > 3) {
        world.deleteTask(task)
        tasks.splice(tasks.indexOf(task), 1)
      }
    },
    disturb(random) {
      const status = oneOf(random, [500, 502, 429, 403])
      const path = oneOf(random, [/^tasks\?/, /^events/, /^projects/, /subtasks/, /stories/, /^workspaces/])
      server.fault(path, { status, headers: { 'retry-after': '30' } }, 1 + Math.floor(random() * 2))
    },
    calm() {
      server.heal()
      toTheTime()
    },
    loseCursors: () => server.expireSyncs(),
    [Symbol.asyncDispose]: () => Promise.resolve(server[Symbol.asyncDispose]()),
  }
})
