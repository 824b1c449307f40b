import { join } from 'node:path'
import { expect, test } from 'vitest'
import { restoreBackup } from '../../../src/administration/restore-backup.ts'
import { homeFiles, prepareHome } from '../../../src/config/home-folder.ts'
import { loadConfig } from '../../../src/config.ts'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { sampleAccount } from '../../contract/store-samples.ts'
import { recordingLog } from '../../lib/recording-log.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

test('a backup brings people back, but neither sessions nor links that work once: they may have ended since', async () => {
  const home = temporaryFolder()
  const files = homeFiles(home)
  const { log } = recordingLog()
  prepareHome(home)
  const expiresAt = new Date(Date.now() + 3_600_000)
  const [firstHash, invitedHash, sessionHash] = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte))
  const backup = join(home, 'backup.db')
  {
    await using opened = await disposable(openSqliteStore({ file: files.database, log }))
    const { admin, people } = opened.store
    await admin.createAccount(sampleAccount('a'))
    const link = { accountId: 'a', role: 'owner', expiresAt } as const
    await people.links.add({ ...link, linkId: 'first', hash: firstHash!, purpose: 'first' })
    const person = { personId: 'ada', name: 'Ada', login: 'ada' }
    await people.links.use(firstHash!, { type: 'new_person', person })
    await people.links.add({ ...link, linkId: 'invited', hash: invitedHash!, purpose: 'invitation' })
    const session = { hash: sessionHash!, sessionId: 's', personId: 'ada', data: '{}', device: 'Firefox', expiresAt }
    await people.sessions.add(session)
    await opened.store.backup(backup)
  }
  await restoreBackup(loadConfig({ home, file: files.config, env: {} }), backup, { log, pid: process.pid })
  await using restored = await disposable(openSqliteStore({ file: files.database, log }))
  const { people } = restored.store
  expect(await people.list()).toMatchObject([{ personId: 'ada', isAdmin: true }])
  expect(await people.sessions.find(sessionHash!)).toBeUndefined()
  expect(await people.links.find(invitedHash!)).toBeUndefined()
})

async function disposable(opening: ReturnType<typeof openSqliteStore>) {
  const store = await opening
  return { store, [Symbol.asyncDispose]: () => store.close() }
}
