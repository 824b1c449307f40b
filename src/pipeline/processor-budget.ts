const LEAST_MS = 5_000
/** On a busy machine, 10 MB of text take 60 s and a PDF of 20 MB 64 s; the rest is for slower machines. */
const MS_PER_MB = 30_000
const MOST_MS = 600_000

/** Processor time that an item may take, in milliseconds: 30 s for each MB, at least 5 s and at most 600 s. */
export function processorBudgetMs(sizeBytes: number): number {
  return Math.min(MOST_MS, Math.max(LEAST_MS, (sizeBytes / 1_000_000) * MS_PER_MB))
}
