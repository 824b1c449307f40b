import { describe, onTestFinished } from 'vitest'
import { type Clock, systemClock } from '../../src/lib/clock.ts'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { postgresServer } from '../lib/postgres-server.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { describeLedgerContract } from './ledger-contract.ts'
import { describeStoreContract } from './store-contract.ts'
import { describeGrantsContract } from './store-grants-contract.ts'

const server = await postgresServer()

async function open(clock: Clock = systemClock) {
  const store = await openPostgresStore({ url: await server.clearedDatabase(), log: recordingLog().log, clock })
  onTestFinished(() => store.close())
  return store
}

describeStoreContract('PostgreSQL', open)
describeLedgerContract('PostgreSQL', open)
describe('PostgreSQL: grants', () => describeGrantsContract('PostgreSQL', open))
