import { gdocs } from '../../../connectors/google/gdocs.ts'
import { describeConnectorContract } from '../../contract/connector-contract.ts'
import { GoogleDrive } from '../../fakes/google/google-drive.ts'

describeConnectorContract('Google Docs and Drive', async () => {
  const drive = await GoogleDrive.start()
  drive.most = 3
  const team = drive.addDrive('0ATeam', 'Team')
  const folder = drive.folder('Projects')
  const edited = drive.document('Plan', '# Plan\nFirst.', folder.id)
  const removed = drive.document('Old', 'Old.', team)
  for (let number = 1; number <= 8; number += 1) drive.document(`Note ${number}`, `Note ${number}.`, folder.id)
  drive.comment(drive.document('Discussed'), { content: 'Is this so?' })
  drive.file('notes.md', 'text/markdown', team, { bytes: Buffer.from('# Notes') })
  drive.shortcut(edited)
  return {
    connector: gdocs,
    config: drive.config,
    options: { clock: drive.clock },
    add: async () => `gdrive:${drive.document('New', 'New.', team).id}`,
    async edit() {
      drive.write(edited, '# Plan\nSecond.')
      return `gdrive:${edited.id}`
    },
    async remove() {
      drive.lose(removed)
      return `gdrive:${removed.id}`
    },
    [Symbol.asyncDispose]: () => drive[Symbol.asyncDispose](),
  }
})
