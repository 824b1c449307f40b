import type { Memory } from '../domain/memory.ts'
import type { KnowingMemory } from '../domain/profile.ts'

/** The dependencies of the tools, for one connection or one request. */
export interface McpContext {
  /** The memory of one key. Opened for each call, because the key or the service may not exist yet. */
  memory(): Promise<Memory & Partial<KnowingMemory>>
  /** How to start the service, for error messages. */
  serviceUrl(): string
  /** Called with unexpected errors, which are not shown to hosts. */
  readonly report: (error: Error) => void
  readonly version: string
  readonly tools: readonly McpTool[]
  /** The narrator of memories that `remember` stores. */
  readonly userName: string
  /** Name of the key or of the connected agent: marks notes of hosts that don't name themselves. */
  readonly writer?: string
}

/** `search` adds `search` and `fetch`, which ChatGPT requires. */
export type McpTool = 'recall' | 'ask' | 'open' | 'recent' | 'remember' | 'forget' | 'search'

/** Omitted for agents with read access only. */
export const CHANGING_TOOLS: ReadonlySet<McpTool> = new Set(['remember', 'forget'])

/** Codex truncates tool results at about 10 KB, Claude Code rejects 25,000 tokens. Estimated as four characters per token. */
export const LEAST_TOKENS = 200
export const MOST_TOKENS = 10_000
/** For `search` and `fetch`. */
export const MOST_CHARACTERS = 40_000
export const MOST_PASSAGES = 25
/** Largest message over HTTP: more than any note for `remember`. */
export const MOST_MESSAGE_BYTES = 4 * 1024 * 1024
/** Calls in one message over HTTP; protocol versions since 2025-06-18 have no batches. */
export const MOST_BATCH_CALLS = 25
/** Specification 8. */
export const MOST_QUERY = 1_000

/** With the tools that change the memory, where one setting allows them all. */
export function offeredTools(tools: readonly McpTool[], mayWrite: boolean): readonly McpTool[] {
  return mayWrite ? [...new Set([...tools, ...CHANGING_TOOLS])] : tools
}
