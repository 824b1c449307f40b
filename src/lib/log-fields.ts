import { AsyncLocalStorage } from 'node:async_hooks'

type Fields = Readonly<Record<string, string | undefined>>

const current = new AsyncLocalStorage<() => Fields>()

/** Every line that is logged by `work`, or by what it begins, has these fields; they are asked for with each line. */
export function withLogFields<T>(fields: () => Fields, work: () => T): T {
  return current.run(fields, work)
}

/** Those in force where this is called. */
export function logFields(): Fields {
  return current.getStore()?.() ?? {}
}
