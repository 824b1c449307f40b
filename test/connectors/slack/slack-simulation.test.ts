import { slack } from '../../../connectors/slack/slack.ts'
import { describeConnectorSimulation } from '../../contract/connector-simulation.ts'
import { ADA, GENERAL, SlackOffice } from '../../fakes/slack/slack-simulation.ts'
import { oneOf } from '../../lib/seeded-random.ts'

describeConnectorSimulation('Slack', async (clock) => {
  const office = await SlackOffice.open()
  const { world, server } = office
  office.now = clock()
  const roots: string[] = []
  for (let day = 1; day <= 5; day++) roots.push(office.post(`Message of ${day} days ago`, day))
  return {
    connector: slack,
    config: { name: 'office', token: server.token, api_url: server.url },
    change(random) {
      office.now = clock()
      const dice = random()
      const ts = oneOf(random, roots)
      const said = { user: ADA, text: `It is ${clock().toISOString()}`, at: clock() }
      if (dice < 0.4) roots.push(world.post(GENERAL, said))
      else if (dice < 0.6) world.reply(GENERAL, ts, said)
      else if (dice < 0.8) world.edit(GENERAL, ts, `Edited: ${said.text}`, clock())
      else if (roots.length > 3) {
        world.delete(GENERAL, ts)
        roots.splice(roots.indexOf(ts), 1)
      }
    },
    noticedAfterMs: 8 * 86_400_000,
    disturb(random) {
      const method = oneOf(random, ['conversations.history', 'conversations.replies', 'conversations.list'])
      server.fault(method, random() < 0.5 ? { kind: 'limited', retryAfter: 20 } : { kind: 'status', status: 503 })
    },
    calm: () => server.calm(),
    [Symbol.asyncDispose]: () => office[Symbol.asyncDispose](),
  }
})
