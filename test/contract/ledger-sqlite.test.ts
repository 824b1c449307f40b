import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { emptySqlite } from '../lib/empty-sqlite.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { describeLedgerContract } from './ledger-contract.ts'

describeLedgerContract('SQLite', async (clock) => {
  const { log } = recordingLog()
  const store = await openSqliteStore({ file: emptySqlite(join(temporaryFolder(), 'recalld.db')), log, clock })
  onTestFinished(() => store.close())
  return store
})
