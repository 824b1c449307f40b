import { expect } from 'vitest'
import { attack, type Generator, reportText } from './attack.ts'

/** On a build server always the same attempts; RECALLD_ATTACK_SEED makes others. */
const SEED = Number(process.env.RECALLD_ATTACK_SEED ?? 20_261_122)

/** @param seconds after which no further attempt begins, on a machine that is busy */
export async function expectNoFailure(generator: Generator, attempts: number, seconds: number): Promise<void> {
  const report = await attack(generator, { seed: SEED, attempts, seconds })
  expect(report.attempts).toBeGreaterThan(0)
  expect(report.failures, reportText(report)).toEqual([])
}
