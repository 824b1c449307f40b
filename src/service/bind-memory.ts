import type { Memory } from '../domain/memory.ts'
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
    recall: async (query) => service.recall(await who(), query),
    ask: async (question) => service.ask(await who(), question),
    list: async (query) => service.list(await who(), query),
    download: async (ref) => service.download(await who(), ref),
    forget: async (ref) => service.forget(await who(), ref),
  }
}
