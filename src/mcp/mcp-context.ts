import type { Memory } from '../domain/memory.ts'
import type { KnowingMemory } from '../domain/profile.ts'

/** What the tools of one connection, or of one request, work with. */
export interface McpContext {
  /** The memory of one key; looked up for each call, because the key or the service may not exist yet. */
  memory(): Promise<Memory & Partial<KnowingMemory>>
  /** For people, in errors. */
  serviceUrl(): string
  /** Of defects, which are not shown to hosts. */
  readonly report: (error: Error) => void
  readonly version: string
  readonly tools: readonly McpTool[]
  /** Whose first-person memories `memorize` makes. */
  readonly userName: string
}

/** `search` is a pair: `search` and `fetch`, as ChatGPT wants them. */
export type McpTool = 'recall' | 'ask' | 'open' | 'memorize' | 'forget' | 'search'

/** Not for agents that may only read. */
export const CHANGING_TOOLS: ReadonlySet<McpTool> = new Set(['memorize', 'forget'])

/** Codex cuts the result of a tool at about 10 KB, Claude Code refuses one of 25,000 tokens. Estimated: four characters each. */
export const LEAST_TOKENS = 200
export const MOST_TOKENS = 10_000
/** Of `search` and `fetch`. */
export const MOST_CHARACTERS = 40_000
export const MOST_PASSAGES = 25
/** Longest message of a host over HTTP: a note for `memorize` with room to spare. */
export const MOST_MESSAGE_BYTES = 4 * 1024 * 1024
/** Calls in one message of a host over HTTP; protocols from 2025-06-18 on send one. */
export const MOST_BATCH_CALLS = 25
/** Specification 8. */
export const MOST_QUERY = 1_000
