/**
 * What a process can do: answer requests, make memories of uploads, run connectors; or answer agents alone, over MCP, which
 * `api` does too.
 */
export const ROLES = ['api', 'worker', 'scheduler', 'mcp'] as const
export type Role = (typeof ROLES)[number]

/** Of the one process that does everything. */
export const ALL_IN_ONE: readonly Role[] = ['api', 'worker', 'scheduler']
