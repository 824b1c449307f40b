import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openS3Blobs } from '../../src/store/s3/s3-blobs.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { startS3Server } from '../fakes/s3-server.ts'
import { emptySqlite } from '../lib/empty-sqlite.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { temporaryFolder } from '../lib/temporary-folder.ts'
import { describeStoreBlobsContract, type OpenDatabase } from './store-blobs-contract.ts'
import { describeStoreContract } from './store-contract.ts'

const { log } = recordingLog()

function database(clock: () => Date): OpenDatabase {
  const file = emptySqlite(join(temporaryFolder(), 'recalld.db'))
  return async (bodies) => {
    const store = await openSqliteStore({ file, log, clock, ...(bodies && { bodies }) })
    onTestFinished(() => store.close())
    return store
  }
}

describeStoreBlobsContract('SQLite', async (clock) => database(clock))

/**
 * Every upload with a byte lies there. Of the contract what reads, replaces or removes bytes: a library shows what the
 * database holds of an item, people, spaces and the ledger have none.
 */
describeStoreContract(
  'SQLite with S3',
  async (clock) => {
    const s3 = await startS3Server()
    onTestFinished(() => s3[Symbol.asyncDispose]())
    return database(clock)({ blobs: openS3Blobs(s3.url()), leastBytes: 1 })
  },
  ['items', 'queue', 'deletions of accounts'],
)
