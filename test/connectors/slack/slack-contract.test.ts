import { slack } from '../../../connectors/slack/slack.ts'
import { describeConnectorContract } from '../../contract/connector-contract.ts'
import { dayId, GENERAL, SlackOffice, threadId } from '../../fakes/slack/slack-simulation.ts'

describeConnectorContract('Slack', async () => {
  const office = await SlackOffice.open()
  const { world, server } = office
  office.post('Good morning', 2)
  const root = office.post('Who makes coffee?', 2)
  office.reply(root, 'I do', 2)
  office.post('The old mill is for sale', 30)
  const gone = office.post('Never mind', 1)
  const shared = world.addChannel('C0SHARED', 'partners', { isShared: true, kind: 'private_channel' })
  world.post(shared, { user: 'U0ADA', text: 'Hello partners', at: office.ago(5) })
  return {
    connector: slack,
    config: { name: 'office', token: server.token, api_url: server.url },
    options: { clock: () => office.now },
    async add() {
      const ts = office.post('Lunch?')
      office.reply(ts, 'Yes')
      return threadId(ts)
    },
    async edit() {
      world.edit(GENERAL, root, 'Who makes tea?', office.now)
      return threadId(root)
    },
    async remove() {
      world.delete(GENERAL, gone)
      return dayId('2026-10-31')
    },
    [Symbol.asyncDispose]: () => office[Symbol.asyncDispose](),
  }
})
