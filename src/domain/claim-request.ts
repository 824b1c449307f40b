/** Items that need less than a second of processor time do not wait behind those that need more. */
export type Lane = 'quick' | 'slow'

/** For items of the queue. */
export interface ClaimRequest {
  readonly owner: string
  readonly limit: number
  readonly leaseMs: number
  /** Of both lanes when absent. */
  readonly lane?: Lane
  /** Items whose bytes cannot be had now wait, and that counts nothing; once aborted, nobody waits for bytes any more. */
  readonly signal?: AbortSignal
}
