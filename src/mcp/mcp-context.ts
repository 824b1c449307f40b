import type { Memory } from '../domain/memory.ts'

/** What the tools of one connection, or of one request, work with. */
export interface McpContext {
  /** The memory of one key; found anew for each call, as the key or the service may not be there yet. */
  memory(): Promise<Memory>
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
export type McpTool = 'recall' | 'ask' | 'memorize' | 'forget' | 'search'
