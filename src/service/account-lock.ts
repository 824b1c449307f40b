/** Runs work of one account one after another, of different accounts at the same time. */
export interface AccountLock {
  run<Result>(accountId: string, work: () => Promise<Result>): Promise<Result>
}

export function createAccountLock(): AccountLock {
  const tails = new Map<string, Promise<unknown>>()
  return {
    run(accountId, work) {
      const previous = tails.get(accountId) ?? Promise.resolve()
      const current = previous.then(work, work)
      tails.set(accountId, current)
      const forget = () => {
        if (tails.get(accountId) === current) tails.delete(accountId)
      }
      current.then(forget, forget)
      return current
    },
  }
}
