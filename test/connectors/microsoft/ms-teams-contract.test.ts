import { msTeams } from '../../../connectors/microsoft/ms-teams.ts'
import { sourceItemId } from '../../../src/connector/source-item-id.ts'
import { describeConnectorContract } from '../../contract/connector-contract.ts'
import { GraphServer } from '../../fakes/microsoft/graph-server.ts'
import { GraphTeams } from '../../fakes/microsoft/graph-teams.ts'

describeConnectorContract('Teams', async () => {
  const server = await GraphServer.start()
  const teams = new GraphTeams(server)
  const channel = teams.addChannel()
  const chat = teams.addChat()
  const threadId = (root: string) => sourceItemId('teams', 'team-1', 'ch', channel, root)
  for (let at = 0; at < 6; at++) teams.post(channel, `Message ${at}`)
  const root = teams.post(channel, 'Who makes coffee?')
  for (let at = 0; at < 6; at++) teams.reply(channel, root, `Reply ${at}`)
  const removed = teams.post(channel, 'Never mind')
  for (let day = 1; day <= 9; day++) teams.say(chat, `Of day ${day}`, { at: new Date(Date.UTC(2026, 10, day)) })
  teams.now = new Date('2026-11-20T12:00:00Z')
  return {
    connector: msTeams,
    config: { ...server.settings, direct_messages: true },
    options: { clock: () => teams.now },
    add: async () => threadId(teams.post(channel, 'Lunch?')),
    async edit() {
      teams.edit(channel, root, root, 'Who makes tea?')
      return threadId(root)
    },
    async remove() {
      teams.remove(channel, removed, removed)
      return threadId(removed)
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
})
