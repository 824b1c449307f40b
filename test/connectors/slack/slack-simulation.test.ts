import { slack } from '../../../connectors/slack/slack.ts'
import { describeConnectorSimulation } from '../../contract/connector-simulation.ts'
import { ADA, GENERAL, SlackSimulation } from '../../fakes/slack/slack-simulation.ts'
import { oneOf } from '../../lib/seeded-random.ts'

describeConnectorSimulation('Slack', async (clock) => {
  const simulation = await SlackSimulation.open()
  const { fake, server } = simulation
  simulation.now = clock()
  const roots: string[] = []
  for (let day = 1; day <= 5; day++) roots.push(simulation.post(`Message of ${day} days ago`, day))
  return {
    connector: slack,
    config: { name: 'acme', token: server.token, api_url: server.url },
    change(random) {
      simulation.now = clock()
      const dice = random()
      const ts = oneOf(random, roots)
      const said = { user: ADA, text: `It is ${clock().toISOString()}`, at: clock() }
      if (dice < 0.4) roots.push(fake.post(GENERAL, said))
      else if (dice < 0.6) fake.reply(GENERAL, ts, said)
      else if (dice < 0.8) fake.edit(GENERAL, ts, `Edited: ${said.text}`, clock())
      else if (roots.length > 3) {
        fake.delete(GENERAL, ts)
        roots.splice(roots.indexOf(ts), 1)
      }
    },
    noticedAfterMs: 8 * 86_400_000,
    disturb(random) {
      const method = oneOf(random, ['conversations.history', 'conversations.replies', 'users.conversations'])
      server.fault(method, random() < 0.5 ? { kind: 'limited', retryAfter: 20 } : { kind: 'status', status: 503 })
    },
    calm: () => server.calm(),
    [Symbol.asyncDispose]: () => simulation[Symbol.asyncDispose](),
  }
})
