import { msOneDrive } from '../../../connectors/microsoft/ms-onedrive.ts'
import { sourceItemId } from '../../../src/connector/source-item-id.ts'
import { describeConnectorContract } from '../../contract/connector-contract.ts'
import { GraphDrive } from '../../fakes/microsoft/graph-drive.ts'
import { GraphServer } from '../../fakes/microsoft/graph-server.ts'

describeConnectorContract('OneDrive', async () => {
  const server = await GraphServer.start()
  const drive = new GraphDrive(server)
  const idOf = (id: string) => sourceItemId('msdrive', drive.id, id)
  for (let at = 0; at < 12; at++) drive.add({ name: `note-${at}.md`, text: `Note ${at}.`, folder: 'Notes & more' })
  const edited = drive.add({ name: 'plan.md', text: 'The plan.' })
  const removed = drive.add({ name: 'old.txt', text: 'Old.' })
  return {
    connector: msOneDrive,
    config: server.settings,
    options: { clock: () => drive.now },
    add: async () => idOf(drive.add({ name: 'new.md', text: 'New.' })),
    async edit() {
      drive.write(edited, 'Another plan.')
      return idOf(edited)
    },
    async remove() {
      drive.remove(removed)
      return idOf(removed)
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
})
