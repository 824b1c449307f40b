import type { Log } from '../lib/log.ts'
import type { Telemetry } from '../lib/telemetry.ts'
import type { ConfiguredLanguageModel } from '../models/configured/open-models.ts'
import { EXTRACT_PROMPT, readPrompt } from '../models/configured/read-prompt.ts'
import type { Store } from '../store/store.ts'
import { createRefiner } from '../worker/refiner.ts'

/** A call that is given up may have been paid for; longer than this nobody waits for a stop. */
const DRAIN_MS = 3_000

/**
 * Has the language model make memories again, when one is configured for that. Call it before the worker starts, so that
 * its first item is queued already. @param stack ends it
 *
 * @throws AppError `invalid` when the limits of the model or of its budget leave no room for a call
 */
export async function startRefiner(
  {
    language,
    store,
    log,
    telemetry,
  }: { language: ConfiguredLanguageModel | undefined; store: Store; log: Log; telemetry: Telemetry },
  stack: AsyncDisposableStack,
): Promise<void> {
  if (language === undefined || !language.uses.has('extract')) return
  const { model, budget, uses } = language
  // Of the calls that the model takes, one is kept free for a person who waits for an answer.
  const lanes = Math.max(1, model.maxConcurrent - (uses.has('ask') ? 1 : 0))
  const prompt = readPrompt(EXTRACT_PROMPT)
  const alone = !store.capabilities.manyPerRole
  const refiner = createRefiner({ store, log, telemetry, model, prompt, lanes, alone, ...(budget && { budget }) })
  stack.defer(() => refiner.stop(DRAIN_MS))
  await refiner.start()
}
