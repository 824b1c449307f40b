import { AppError } from '../../domain/errors.ts'
import { secondsSince } from '../../lib/meter.ts'
import { NO_TELEMETRY, type Telemetry } from '../../lib/telemetry.ts'
import { inSpan } from '../../lib/tracer.ts'
import type { IntentRunner } from './intent-runner.ts'
import type { IntentName } from './intents.ts'

/** The same runner, which tells how long each intent took and which failed. */
export function measureIntents(intents: IntentRunner, { meter, tracer }: Telemetry): IntentRunner {
  if (meter === NO_TELEMETRY.meter && tracer === NO_TELEMETRY.tracer) return intents
  const measured = <T>(intent: IntentName, run: () => Promise<T>): Promise<T> =>
    inSpan(tracer, `store ${intent}`, { 'recalld.intent': intent }, async () => {
      const began = performance.now()
      try {
        return await run()
      } catch (error) {
        meter.count('recalld_store_failures_total', {
          intent,
          code: error instanceof AppError ? error.code : 'internal',
        })
        throw error
      } finally {
        meter.observe('recalld_store_transaction_seconds', { intent }, secondsSince(began))
      }
    })
  return {
    call: (name, ...parameters) => measured(name, () => intents.call(name, ...parameters)),
    callWith: (transfer, name, ...parameters) => measured(name, () => intents.callWith(transfer, name, ...parameters)),
  }
}
