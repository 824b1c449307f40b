import { AppError } from '../domain/errors.ts'

/** Lets an account have so many questions answered at a time, and refuses further ones. */
export interface AskGate {
  /** @throws AppError `rate_limited` with the text the specification gives for application limits (7) */
  run<Result>(accountId: string, work: () => Promise<Result>): Promise<Result>
}

export function createAskGate(limit: number): AskGate {
  const running = new Map<string, number>()
  return {
    async run(accountId, work) {
      const before = running.get(accountId) ?? 0
      if (before >= limit) throw new AppError('rate_limited', 'RATE_LIMIT_EXCEEDED', { retryAfterSeconds: 1 })
      running.set(accountId, before + 1)
      try {
        return await work()
      } finally {
        const left = (running.get(accountId) ?? 1) - 1
        if (left === 0) running.delete(accountId)
        else running.set(accountId, left)
      }
    },
  }
}
