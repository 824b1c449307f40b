import { msTeams } from '../../../connectors/microsoft/ms-teams.ts'
import { describeConnectorSimulation } from '../../contract/connector-simulation.ts'
import { GraphServer, graphError } from '../../fakes/microsoft/graph-server.ts'
import { GraphTeams } from '../../fakes/microsoft/graph-teams.ts'
import { oneOf } from '../../lib/seeded-random.ts'

describeConnectorSimulation('Teams', async (clock) => {
  const server = await GraphServer.start()
  const teams = new GraphTeams(server)
  teams.now = clock()
  const channel = teams.addChannel()
  const chat = teams.addChat()
  const threads = Array.from({ length: 4 }, (_, at) => ({ root: teams.post(channel, `Message ${at}`), replies: [''] }))
  const said = Array.from({ length: 4 }, (_, at) => teams.say(chat, `Said ${at}`))
  return {
    connector: msTeams,
    config: { ...server.settings, direct_messages: true },
    change(random) {
      teams.now = clock()
      const dice = random()
      const text = `At ${clock().toISOString()}`
      const { root, replies } = oneOf(random, threads)
      const message = oneOf(random, [root, ...replies.filter(Boolean)])
      if (dice < 0.2) threads.push({ root: teams.post(channel, text), replies: [] })
      else if (dice < 0.4) replies.push(teams.reply(channel, root, text))
      else if (dice < 0.5) teams.edit(channel, root, message, text)
      else if (dice < 0.57) teams.remove(channel, root, message)
      else if (dice < 0.6 && threads.length > 2) {
        teams.purge(channel, root)
        threads.splice(
          threads.findIndex((thread) => thread.root === root),
          1,
        )
      } else if (dice < 0.8) said.push(teams.say(chat, text))
      else teams.change(oneOf(random, said), dice < 0.9 ? text : undefined)
    },
    disturb(random) {
      const [on, reply] = oneOf(random, [
        [/teams|chats|messages/, { ...graphError(429, 'TooManyRequests'), headers: { 'retry-after': '7' } }],
        [/teams|chats|messages/, graphError(503, 'serviceNotAvailable')],
        [/messages/, { cutOff: true }],
        [/delta/, graphError(410, 'SyncStateNotFound')],
        [/messages|channels/, graphError(403, 'Forbidden')],
      ] as const)
      server.fail({ on, after: Math.floor(random() * 4), times: 2, ...reply })
    },
    calm: () => server.heal(),
    loseCursors: () => teams.channels.get(channel)?.delta.expire(),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
})
