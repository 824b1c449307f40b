import { msOneDrive } from '../../../connectors/microsoft/ms-onedrive.ts'
import { describeConnectorSimulation } from '../../contract/connector-simulation.ts'
import { GraphDrive } from '../../fakes/microsoft/graph-drive.ts'
import { GraphServer, graphError } from '../../fakes/microsoft/graph-server.ts'
import { oneOf } from '../../lib/seeded-random.ts'

describeConnectorSimulation('OneDrive', async (clock) => {
  const server = await GraphServer.start()
  const drive = new GraphDrive(server)
  drive.tellsPaths = false
  const ids = Array.from({ length: 8 }, (_, at) => drive.add({ name: `${at}.md`, text: `Note ${at}.` }))
  return {
    connector: msOneDrive,
    config: { ...server.settings, exclude: ['Private'] },
    change(random) {
      drive.now = clock()
      const dice = random()
      const id = oneOf(random, ids)
      if (dice < 0.3) ids.push(drive.add({ name: `${ids.length}-${dice}.md`, text: `Of ${clock().toISOString()}` }))
      else if (dice < 0.6) drive.write(id, `Written at ${clock().toISOString()}`)
      else if (dice < 0.8) drive.move(id, oneOf(random, ['Private', 'Work', '']))
      else if (ids.length > 3) {
        drive.remove(id)
        ids.splice(ids.indexOf(id), 1)
      }
    },
    disturb(random) {
      const resync = { headers: { location: server.link('/me/drive/root/delta?token=new') } }
      const [on, reply] = oneOf(random, [
        [/drive|signed/, { ...graphError(429, 'TooManyRequests'), headers: { 'retry-after': '7' } }],
        [/drive|signed/, graphError(503, 'serviceNotAvailable')],
        [/drive|signed/, { cutOff: true }],
        [/delta/, { ...graphError(410, 'resyncRequired'), ...resync }],
      ] as const)
      server.fail({ on, after: Math.floor(random() * 3), times: 2, ...reply })
      drive.isSignedExpired = random() < 0.2
    },
    calm() {
      server.heal()
      drive.isSignedExpired = false
    },
    loseCursors: () => drive.delta.expire(),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
})
