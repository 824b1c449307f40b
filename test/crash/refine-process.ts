import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../src/lib/log.ts'
import { openLanguageModel } from '../../src/models/ai-sdk/language-model.ts'
import { LANGUAGE_SETTINGS } from '../../src/models/model-settings.ts'
import { createRefiner } from '../../src/worker/refiner.ts'
import { memorize, sampleAccount } from '../contract/store-samples.ts'
import { EXTRACT_PROMPT } from '../lib/refinable.ts'
import { openCrashDatabase } from './open-crash-database.ts'
import { REFINED_ITEMS, refinedTexts } from './refined-items.ts'

/** The process that the crash test of refinements kills. It says `ready` when it works, and `done` when all is refined. */
const nothing = () => undefined
const log: Log = { debug: nothing, info: nothing, warn: console.error, error: console.error }
const [address = '', url] = process.argv.slice(2)

const store = await openCrashDatabase(address, log)
const scoped = store.scoped({ accountId: 'a', sources: 'all' })
if ((await store.admin.listAccounts()).length === 0) {
  await store.admin.createAccount(sampleAccount('a'))
  store.refinements.want(true)
  for (const itemId of REFINED_ITEMS) await memorize(store, scoped, itemId, refinedTexts(itemId))
}
const settings = LANGUAGE_SETTINGS.parse({ provider: 'openai-compatible', model: 'test', url })
const model = await openLanguageModel(settings)
const refiner = createRefiner({ store, log, model, prompt: EXTRACT_PROMPT, lanes: 1, pollMs: 2, alone: true })
await refiner.start()
process.send?.('ready')

const isRefined = async () => (await scoped.refinements.totals())[0]?.refined === REFINED_ITEMS.length
while (!(await isRefined())) await sleep(20)
await refiner.stop(1_000)
await store.close()
process.send?.('done', () => process.disconnect())
