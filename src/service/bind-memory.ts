import type { CallOptions, Memory } from '../domain/memory.ts'
import type { Principal, Service } from './service.ts'

/**
 * The service as one key sees it: the `Memory` that MCP and connectors in this process work with.
 *
 * @param principal who asks, or how to find out before each call, so that a change of the key takes effect at once
 */
export function bindMemory(service: Service, principal: Principal | (() => Promise<Principal>)): Memory {
  const who = async () => (typeof principal === 'function' ? principal() : principal)
  return {
    memorize: async (upload) => service.memorize(await who(), upload),
    recall: (query, options) => heeding(options, async () => service.recall(await who(), query, options)),
    ask: (question, options) => heeding(options, async () => service.ask(await who(), question, options)),
    list: async (query) => service.list(await who(), query),
    download: async (ref) => service.download(await who(), ref),
    forget: async (ref) => service.forget(await who(), ref),
  }
}

/** Rejects with the signal's reason as soon as it is aborted, whatever the work is waiting for. */
async function heeding<Result>({ signal }: CallOptions = {}, work: () => Promise<Result>): Promise<Result> {
  if (signal === undefined) return work()
  signal.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work(), aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
