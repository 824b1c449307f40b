/** Thrown where a process is made to end. */
export class Crash extends Error {}

/** A process that may end at any of its calls to the outside; from then on nothing that it does has an effect. */
export interface Doomed {
  /** Ends it now. */
  end(): void
  /** Also lets calls fail, as a network does: before they take effect, or after. */
  wrap<T extends object>(
    target: T,
    fault?: (call: string) => { readonly error: Error; readonly after: boolean } | undefined,
  ): T
  /** Waits for calls that were under way when it ended. */
  drained(): Promise<void>
}

/**
 * @param lives calls until the crash; `Infinity`: none comes
 * @param after the last call still takes effect
 * @param costly names of the calls that cost a life; all when absent
 */
export function doomed(lives: number, after: boolean, costly?: readonly string[]): Doomed {
  const underway = new Set<Promise<unknown>>()
  let left = lives
  let dead = false
  const alive = () => {
    if (dead) throw new Crash('the process has ended')
  }
  const send = async (call: () => Promise<unknown>): Promise<unknown> => {
    const result = call()
    underway.add(result)
    try {
      return await result
    } finally {
      underway.delete(result)
    }
  }
  return {
    end() {
      dead = true
    },
    wrap: (target, fault) =>
      new Proxy(target, {
        get(object, property, receiver) {
          const method: unknown = Reflect.get(object, property, receiver)
          if (typeof method !== 'function') return method
          return async (...parameters: unknown[]) => {
            alive()
            const call = async () => Reflect.apply(method, object, parameters)
            if (costly === undefined || costly.includes(String(property))) left--
            if (left <= 0) {
              dead = true
              if (after) await send(call)
              throw new Crash('the process ends')
            }
            const wrong = fault?.(String(property))
            if (wrong !== undefined && !wrong.after) throw wrong.error
            const result = await send(call)
            alive()
            if (wrong !== undefined) throw wrong.error
            return result
          }
        },
      }),
    async drained() {
      await Promise.allSettled([...underway])
    },
  }
}
