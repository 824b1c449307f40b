import { gdocs } from '../../../connectors/google/gdocs.ts'
import { describeConnectorSimulation } from '../../contract/connector-simulation.ts'
import { FOLDER, GoogleDrive } from '../../fakes/google/google-drive.ts'
import { failAtRandom } from '../../fakes/google/google-faults.ts'
import { oneOf } from '../../lib/seeded-random.ts'

const PATHS = [/changes$/, /startPageToken$/, /files$/, /files\/[^/]+$/, /comments$/, /documents/, /drives$/]
/** As for a token that is too old. */
const INVALID = { path: /changes$/, status: 400, reason: 'invalid' }

describeConnectorSimulation('Google Drive', async (clock) => {
  const drive = await GoogleDrive.start()
  const { server } = drive
  const toTheTime = () => {
    server.now = clock()
  }
  toTheTime()
  drive.most = 3
  drive.addDrive('0Ateam', 'Team')
  const [work, secret, minutes] = [drive.folder('Work'), drive.folder('Private'), drive.folder('Minutes', '0Ateam')]
  drive.folder('Deep', work.id)
  const all = (isFolder: boolean) =>
    [...drive.files.values()].filter(
      ({ id, mimeType }) => !/^(root|0Ateam)$/.test(id) && (mimeType === FOLDER) === isFolder,
    )
  for (const folder of [work, secret, minutes, work, minutes]) drive.document(`In ${folder.name}`, 'Text.', folder.id)
  drive.shared('Of Bob', { viewedByMeTime: server.now.toISOString() })
  return {
    // The weekly inventory would repair what the changes missed.
    connector: { ...gdocs, manifest: { ...gdocs.manifest, deletions: 'feed', inventoryEveryMs: 0 } },
    config: { ...drive.config, exclude: ['Private'] },
    change(random) {
      toTheTime()
      const dice = random()
      const file = oneOf(random, all(false))
      const folder = oneOf(random, all(true))
      const text = `Of ${server.now.toISOString()}, ${dice}`
      if (dice < 0.15) drive.document(text, text, folder.id)
      else if (dice < 0.3) drive.write(file, text)
      else if (dice < 0.35) drive.comment(file, { content: text })
      else if (dice < 0.5) drive.move(file, oneOf(random, ['root', '0Ateam', folder.id]))
      else if (dice < 0.6) file.trashed ? drive.restore(file) : drive.trash(file)
      else if (dice < 0.7) drive.touch(file, { isLost: !file.isLost })
      else if (dice < 0.8) folder.trashed ? drive.restore(folder) : drive.trash(folder)
      else if (dice < 0.85) drive.touch(folder, { name: text })
      else if (dice < 0.95) drive.drives.set('0Ateam', { name: 'Team', isMember: random() < 0.5 })
      else drive.shortcut(file)
    },
    disturb(random) {
      failAtRandom(server, random, { paths: PATHS, own: [INVALID] })
      drive.isIncomplete = random() < 0.1
      if (random() < 0.2) drive.listings++
    },
    calm() {
      server.faults.length = 0
      drive.isIncomplete = false
      toTheTime()
    },
    loseCursors() {
      drive.expireTokens()
      drive.listings++
    },
    [Symbol.asyncDispose]: () => drive[Symbol.asyncDispose](),
  }
})
