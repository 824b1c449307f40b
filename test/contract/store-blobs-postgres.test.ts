import { onTestFinished } from 'vitest'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { postgresServer } from '../lib/postgres-server.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { describeStoreBlobsContract } from './store-blobs-contract.ts'

const server = await postgresServer()
const { log } = recordingLog()

describeStoreBlobsContract('PostgreSQL', async (clock) => {
  const url = await server.clearedDatabase()
  return async (bodies) => {
    const store = await openPostgresStore({ url, log, clock, ...(bodies && { bodies }) })
    onTestFinished(() => store.close())
    return store
  }
})
