import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest'
import { type Clock, systemClock } from '../../src/lib/clock.ts'
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts'
import { distribute, OwnCitus } from '../lib/own-citus.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { describeLedgerContract } from './ledger-contract.ts'
import { describeStoreBlobsContract } from './store-blobs-contract.ts'
import { describeStoreContract } from './store-contract.ts'
import { describeGrantsContract } from './store-grants-contract.ts'

const { leftOut } = OwnCitus
if (leftOut !== undefined) console.warn(`The store on Citus is not tested: ${leftOut}`)

/** Vectors of a configured model are made for all accounts together, statistics count all, and a deletion proves that no rows are left over. */
const ASKS_ALL_SERVERS = /embedding spaces|deletions of accounts|statistics of all accounts/
/** Everything else touches one server: Citus refuses statements that would ask several. */
const ONE_SERVER = `&options=${encodeURIComponent('-c citus.multi_task_query_log_level=error')}`

let citus: OwnCitus

async function open(clock: Clock = systemClock) {
  await citus.clear()
  const asksAll = ASKS_ALL_SERVERS.test(expect.getState().currentTestName ?? '')
  const url = asksAll ? citus.url : `${citus.url}${ONE_SERVER}`
  const store = await openPostgresStore({ url, log: recordingLog().log, clock })
  onTestFinished(() => store.close())
  return store
}

describe.skipIf(leftOut !== undefined)('Citus', () => {
  beforeAll(async () => {
    citus = await OwnCitus.start()
    const store = await openPostgresStore({ url: citus.url, log: recordingLog().log })
    await store.close()
    await distribute(citus.url)
  })
  afterAll(() => citus?.[Symbol.asyncDispose]())

  describeStoreContract('the store', open)
  describeLedgerContract('the ledger', open)
  describeGrantsContract('the grants', open)
  describeStoreBlobsContract('the store in a bucket', async (clock) => {
    await citus.clear()
    return async (bodies) => {
      const store = await openPostgresStore({
        url: citus.url,
        log: recordingLog().log,
        clock,
        ...(bodies && { bodies }),
      })
      onTestFinished(() => store.close())
      return store
    }
  })
})
