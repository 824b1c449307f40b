import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { packagePath } from '../../../src/lib/files.ts'
import { sniffContent } from '../../../src/pipeline/parse/sniff.ts'
import { createService } from '../../../src/service/create-service.ts'
import { loadPlans } from '../../../src/service/plans.ts'
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts'
import type { Store } from '../../../src/store/store.ts'
import { createWorker } from '../../../src/worker/worker.ts'
import { BUILT_IN_MODEL, builtInEmbedder } from '../../lib/built-in-embedder.ts'
import { recordingLog } from '../../lib/recording-log.ts'
import { temporaryFolder } from '../../lib/temporary-folder.ts'
import { until } from '../../lib/until.ts'

const NOTE = 'The new ferry sails from pier nine at seven in the morning.\n\nI ordered forty life jackets for the crew.'

test('a receipt says so when something memorizes the item again before the check', async () => {
  const { log } = recordingLog()
  const store = await openSqliteStore({ file: join(temporaryFolder(), 'recalld.db'), log })
  onTestFinished(() => store.close())
  const worker = createWorker({ store, log, modelFolder: BUILT_IN_MODEL })
  onTestFinished(() => worker.stop(1_000))
  await worker.start()
  let memorizeAgain: () => Promise<void> = async () => undefined
  const busy: Store = {
    ...store,
    scoped(scope) {
      const scoped = store.scoped(scope)
      return {
        ...scoped,
        async deleteItem(ref) {
          const deleted = await scoped.deleteItem(ref)
          await memorizeAgain()
          return deleted
        },
      }
    },
  }
  const parts = { embedder: await builtInEmbedder(), plans: loadPlans(packagePath('config/plans.yaml')) }
  const service = createService({ store: busy, log, ...parts, classify: sniffContent, redact: (text) => text })
  onTestFinished(() => service.close())
  const { key } = await service.accounts.create({ name: 'Ada', userName: 'Ada' })
  const principal = await service.authenticate(key)
  const ref = { itemId: 'harbour', sourceType: 'text' } as const
  const memorize = async () => {
    const body = new TextEncoder().encode(NOTE)
    await service.memorize(principal, { ...ref, body, fileName: 'harbour.txt', userName: 'Ada' })
    await until(async () => (await service.library.read(principal, ref)).status === 'ready')
  }
  await memorize()
  memorizeAgain = memorize
  const { questions } = await service.library.forget(principal, ref)
  expect(questions.map(({ found }) => found)).toContain(true)
  memorizeAgain = async () => undefined
  const again = await service.library.forget(principal, ref)
  expect(again.questions.length).toBe(questions.length)
  expect(again.questions.map(({ found }) => found)).not.toContain(true)
})
