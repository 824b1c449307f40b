import type { Logger } from 'pino'

/** Structured log: ids and numbers as fields, never contents, keys or tokens. Implemented by pino, silent in tests. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>
