import type { Memory } from '../../src/domain/memory.ts'
import type { ChunkResult, MemoryResult, RecallResult } from '../../src/domain/results.ts'

/** A memory that does what the test says, and nothing else. */
export function memoryAnswering(methods: Partial<Memory>): Memory {
  const refuse = () => Promise.reject(new Error('not needed here'))
  return {
    memorize: refuse,
    recall: refuse,
    ask: refuse,
    recent: refuse,
    open: refuse,
    list: refuse,
    download: refuse,
    forget: refuse,
    ...methods,
  }
}

export function recallResult(parts: Partial<RecallResult>): RecallResult {
  return { trace_id: 't', memories: [], qa: [], chunks: [], ...parts }
}

export function memoryResult(body: string, more: Partial<MemoryResult> = {}): MemoryResult {
  return { custom_id: 'a_memory_0', item_id: 'a', score: 0.5, source: 'text', content: { body }, ...more }
}

export function chunkResult(text: string, more: Partial<ChunkResult> = {}): ChunkResult {
  return { text, item_id: 'a', source: 'text', score: 0.5, ...more }
}
