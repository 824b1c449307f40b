import { setImmediate as statementsSent } from 'node:timers/promises'

/**
 * Begins each step when the one before has sent its statements, and waits for none of the answers, so that all take one
 * round trip of the connection. Rejects with the first error, after all steps have ended.
 */
export async function pipelined<Results extends readonly unknown[]>(
  ...steps: { readonly [Step in keyof Results]: () => Promise<Results[Step]> }
): Promise<Results> {
  const begun: Promise<unknown>[] = []
  for (const step of steps) {
    const running = step()
    // Reported below.
    running.catch(() => undefined)
    begun.push(running)
    await statementsSent()
  }
  const outcomes = await Promise.allSettled(begun)
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  return outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : undefined)) as unknown as Results
}
