import { asana } from '../../../connectors/asana/asana.ts'
import { describeConnectorSimulation } from '../../contract/connector-simulation.ts'
import { asanaServer } from '../../fakes/asana/asana-server.ts'
import { FakeAsana } from '../../fakes/asana/fake-asana.ts'
import { oneOf } from '../../lib/seeded-random.ts'

describeConnectorSimulation('Asana', async (clock) => {
  const fake = new FakeAsana()
  const toTheTime = () => {
    fake.now = new Date(Math.max(clock().getTime(), fake.now.getTime()))
  }
  toTheTime()
  const server = await asanaServer(fake)
  const projects = ['Launch', 'Shop', 'Home'].map((name) => fake.addProject(name))
  const tasks = projects.map((project, at) => fake.addTask(`Task ${at}`, { projects: [project], assignee: fake.ada }))
  const comments: [string, string][] = []
  return {
    connector: asana,
    config: { name: 'acme', token: 'pat-made-up', api_url: server.url },
    change(random) {
      toTheTime()
      const dice = random()
      const task = oneOf(random, tasks)
      const project = oneOf(random, projects)
      const inIt = fake.task(task).projects.some(({ gid }) => gid === project)
      if (dice < 0.15) tasks.push(fake.addTask(`Of ${fake.now.toISOString()}`, { projects: [project] }))
      else if (dice < 0.25) tasks.push(fake.addTask(`Mine of ${fake.now.toISOString()}`, { assignee: fake.ada }))
      else if (dice < 0.35) fake.addTask(`Part of ${fake.now.toISOString()}`, { parent: task })
      else if (dice < 0.45) comments.push([task, fake.comment(task, `At ${fake.now.toISOString()}`)])
      else if (dice < 0.6) fake.editTask(task, { name: `Renamed at ${fake.now.toISOString()}` })
      else if (dice < 0.65) fake.addStatus(project, `At ${fake.now.toISOString()}`)
      else if (dice < 0.7) for (const part of fake.subtasks(task)) fake.editTask(part.gid, { completed: true })
      else if (dice < 0.92) {
        if (inIt) fake.removeFromProject(task, project)
        else fake.addToProject(task, project)
      } else if (tasks.length > 3) {
        fake.deleteTask(task)
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
