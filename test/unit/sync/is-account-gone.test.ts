import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { responseError } from '../../../src/client/response-error.ts'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import { isAccountGone } from '../../../src/sync/end-of-run.ts'
import { deleteAccount } from '../../contract/store-deletion-contract.ts'
import { sampleAccount, sampleUpload } from '../../contract/store-samples.ts'
import { recordingLog } from '../../lib/recording-log.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'

test('an account is gone when its store says so, and not when a service or proxy elsewhere finds nothing', async () => {
  const store = await openSqliteStore({ file: join(temporaryFolder(), 'recalld.db'), log: recordingLog().log })
  onTestFinished(() => store.close())
  await store.admin.createAccount(sampleAccount('a'))
  await deleteAccount(store, 'a')
  const refusals = [
    store.scoped({ accountId: 'a', sources: 'all' }).putItem(sampleUpload('note', 'x')),
    store.ledger('account:a').writeFact('late', 'fact'),
  ]
  for (const refusal of refusals) {
    const error: unknown = await refusal.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(isAccountGone(error)).toBe(true)
  }
  expect(isAccountGone(responseError(404, undefined, '{"detail":"There is no such page"}'))).toBe(false)
  expect(isAccountGone(responseError(404, undefined, '<html>'))).toBe(false)
})
