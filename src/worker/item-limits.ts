import type { Lane } from '../domain/claim-request.ts'
import { processorBudgetMs } from '../pipeline/parse/document/document-reader.ts'
import type { RunLimits } from './pipeline-runner.ts'

/** In milliseconds. */
export interface ItemLimits {
  /** Processor time in the quick lane; what needs more is moved to the slow one. */
  readonly quickMs: number
  /** Time by the clock in the quick lane; what takes longer is moved too. */
  readonly quickClockMs: number
  /** Processor time; what needs more fails. */
  readonly processorMs: typeof processorBudgetMs
  /** Time by the clock: for a thread that waits for ever, not for one that others leave too little processor time. */
  readonly clockMs: (processorMs: number) => number
}

export const ITEM_LIMITS: ItemLimits = {
  quickMs: 1_000,
  quickClockMs: 30_000,
  processorMs: processorBudgetMs,
  clockMs: (processorMs) => Math.max(600_000, 20 * processorMs),
}

export function runLimits(limits: ItemLimits, lane: Lane, sizeBytes: number): RunLimits {
  const { quickMs, quickClockMs, processorMs, clockMs } = limits
  if (lane === 'quick') return { processorMs: quickMs, clockMs: quickClockMs }
  return {
    processorMs: processorMs(sizeBytes),
    clockMs: clockMs(processorMs(sizeBytes)),
  }
}
