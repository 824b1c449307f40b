import type { Memory } from '../../src/domain/memory.ts'

/** Takes everything and keeps nothing, so that what grows beside it is somebody else's. @param onTaken after each item */
export function forgetfulMemory(onTaken: () => void = () => undefined): Memory {
  const refuse = () => Promise.reject(new Error('not needed here'))
  return {
    async memorize({ itemId = '' }) {
      onTaken()
      return { status: 'success', user_id: 'u', item_id: itemId, workflow_execution: 'w' }
    },
    list: async ({ limit = 1_000, offset = 0 }) => ({ files: [], total: 0, limit, offset }),
    recall: refuse,
    ask: refuse,
    recent: refuse,
    open: refuse,
    download: refuse,
    forget: refuse,
  }
}

/** Without what nobody refers to any more; needs --expose-gc. */
export function usedMiB(): number {
  if (globalThis.gc === undefined) throw new Error('Run it with --expose-gc')
  globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 2 ** 20
}
