/** What one process of several does, now and then. A holder that died loses its lease to the next one. */
export interface DailyTasks {
  /** Whether it is due and nobody else does it; then it is the holder's for `leaseMs`. Asked again by its holder, it extends. */
  claim(task: TaskClaim): Promise<boolean>
  /** It was done, by its holder. */
  done(name: string, holder: string): Promise<void>
  /** Given back undone, by its holder. */
  release(name: string, holder: string): Promise<void>
  /** `undefined`: never. */
  lastDone(name: string): Promise<Date | undefined>
}

export interface TaskClaim {
  readonly name: string
  readonly holder: string
  readonly leaseMs: number
  /** Due so long after it was done last. */
  readonly everyMs: number
}
