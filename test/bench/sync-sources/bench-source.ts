/** A source on a local server, and what it holds. */
export interface BenchSource {
  readonly connector: string
  readonly config: Record<string, unknown>
  /** What people count: messages, issues. */
  readonly noun: string
  readonly count: number
  readonly fewestRequests: number
  /** As many when nothing is asked for many items at once; absent: as many as are sent. */
  readonly oneByOne?: number
  /** Sends again, without an SDK, what came since the last call; the time it took in ms. */
  replay(): Promise<number>
  close(): Promise<void>
}

/** @param share of the full size; 1 for figures that are to be told */
export type OpenBenchSource = (share: number) => Promise<BenchSource>
