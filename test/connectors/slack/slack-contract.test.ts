import { slack } from '../../../connectors/slack/slack.ts'
import { describeConnectorContract } from '../../contract/connector-contract.ts'
import { dayId, GENERAL, SlackSimulation, threadId } from '../../fakes/slack/slack-simulation.ts'

describeConnectorContract('Slack', async () => {
  const simulation = await SlackSimulation.open()
  const { fake, server } = simulation
  simulation.post('Good morning', 2)
  const root = simulation.post('Who makes coffee?', 2)
  simulation.reply(root, 'I do', 2)
  simulation.post('The old mill is for sale', 30)
  const gone = simulation.post('Never mind', 1)
  const shared = fake.addChannel('C0SHARED', 'partners', { isShared: true, kind: 'private_channel' })
  fake.post(shared, { user: 'U0ADA', text: 'Hello partners', at: simulation.ago(5) })
  return {
    connector: slack,
    config: { name: 'acme', token: server.token, api_url: server.url },
    options: { clock: () => simulation.now },
    async add() {
      const ts = simulation.post('Lunch?')
      simulation.reply(ts, 'Yes')
      return threadId(ts)
    },
    async edit() {
      fake.edit(GENERAL, root, 'Who makes tea?', simulation.now)
      return threadId(root)
    },
    async remove() {
      fake.delete(GENERAL, gone)
      return dayId('2026-10-31')
    },
    [Symbol.asyncDispose]: () => simulation[Symbol.asyncDispose](),
  }
})
