import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { email } from '../../connectors/google/gmail.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts'
import { syncConnection } from '../../src/sync/sync-connection.ts'
import { recordingLog } from '../lib/recording-log.ts'
import { syncEnvironment } from '../lib/sync-environment.ts'
import { forgetfulMemory, usedMiB } from './forgetful-memory.ts'

/**
 * Prints the most MiB in use during the first run over a mailbox, which lies in another process: what grows would be the
 * runner's, the connector's or the SDK's. Run with --expose-gc. Arguments: address and token of the mailbox.
 */
const [api_url = '', token = ''] = process.argv.slice(2)
/** Looking costs some 10 ms. */
const ITEMS_EACH_LOOK = 50

const home = mkdtempSync(join(tmpdir(), 'recalld-bench-'))
const store = await openSqliteStore({ file: join(home, 'recalld.db'), log: recordingLog().log })
let peak = 0
let taken = 0
const memory = forgetfulMemory(() => {
  if (taken++ % ITEMS_EACH_LOOK === 0) peak = Math.max(peak, usedMiB())
})
const config = email.manifest.config.parse({ name: 'bench', token, api_url })
const environment = syncEnvironment({ ledger: store.ledger('account:bench'), memory })
const report = await syncConnection({ connector: email, config }, environment, { signal: new AbortController().signal })
await store.close()
rmSync(home, { recursive: true, force: true })
if (report.outcome !== 'ok') throw new Error(JSON.stringify(report))
process.stdout.write(JSON.stringify({ peak: Math.max(peak, usedMiB()), memorized: report.memorized }))
