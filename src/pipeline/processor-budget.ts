const LEAST_MS = 5_000
/** A text of 10 MB takes 6 s for each MB on a busy machine; the rest is for slower ones. */
const MS_PER_MB = { text: 30_000, document: 60_000 } as const
const MOST_MS = 600_000

/**
 * Processor time that an item may take, in milliseconds: 5 s, or by its size 30 s for each MB, and 60 s for each MB of a
 * PDF or an Office document, which are compressed; 600 s at most.
 */
export function processorBudgetMs(sizeBytes: number, kind: 'text' | 'document'): number {
  return Math.min(MOST_MS, Math.max(LEAST_MS, (sizeBytes / 1_000_000) * MS_PER_MB[kind]))
}
