import type { LanguageModel } from './model.ts'

/** The same model; of calls beyond those that it takes at a time, the one that waited longest is next. */
export function inTurn(model: LanguageModel): LanguageModel {
  let free = model.maxConcurrent
  const waiting = new Set<() => void>()

  const turn = async (signal: AbortSignal | undefined): Promise<void> => {
    signal?.throwIfAborted()
    if (free > 0) {
      free -= 1
      return
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const abandon = () => {
      waiting.delete(resolve)
      reject(signal?.reason)
    }
    waiting.add(resolve)
    signal?.addEventListener('abort', abandon, { once: true })
    try {
      await promise
    } finally {
      signal?.removeEventListener('abort', abandon)
    }
  }
  const leave = () => {
    const [next] = waiting
    if (next === undefined) {
      free += 1
      return
    }
    waiting.delete(next)
    next()
  }
  return {
    ...model,
    async generate(request) {
      await turn(request.signal)
      try {
        return await model.generate(request)
      } finally {
        leave()
      }
    },
  }
}
