import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '../../src/domain/errors.ts'

/**
 * Asks again while the service answers that it is overloaded, after the seconds that it names (`Retry-After`): a busy machine
 * is no defect.
 *
 * @param secondsIn where refusals are results: the seconds that one names, `undefined` for any other result
 */
export async function retryOverload<Result>(
  ask: () => Promise<Result>,
  secondsIn: (result: Result) => number | undefined = () => undefined,
): Promise<Result> {
  for (;;) {
    let seconds: number | undefined
    try {
      const result = await ask()
      seconds = secondsIn(result)
      if (seconds === undefined) return result
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'unavailable') throw error
      seconds = error.retryAfterSeconds
      if (seconds === undefined) throw error
    }
    await wait(seconds * 1_000)
  }
}
