/** What a process can do for its home: answer requests, make memories of uploads, run connectors. */
export const ROLES = ['api', 'worker', 'scheduler'] as const
export type Role = (typeof ROLES)[number]
