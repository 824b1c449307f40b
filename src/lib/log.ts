import { AsyncLocalStorage } from 'node:async_hooks'
import { type Logger, pino } from 'pino'

/** Structured log: ids and numbers as fields, never contents, keys or tokens. Implemented by pino, silent in tests. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

type Fields = Readonly<Record<string, string | undefined>>

const current = new AsyncLocalStorage<() => Fields>()

/** Adds these fields to every line logged during `work`, also later by what it started; evaluated for each line. */
export function withLogFields<T>(fields: () => Fields, work: () => T): T {
  return current.run(fields, work)
}

/** The current fields. */
function logFields(): Fields {
  return current.getStore()?.() ?? {}
}

/**
 * A log of JSON lines: with the request ids of each line, and without secrets, wherever they come from. Only logs
 * contain the stack of errors.
 */
export function createPinoLog(level: string, write: (line: string) => void): Logger {
  return pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: logFields,
      serializers: { err: errorFields },
    },
    { write: (line: string) => write(withoutSecrets(line)) },
  )
}

const MOST_CAUSES = 5

/** The safe fields of an error: libraries attach requests, rows and responses to theirs. */
function errorFields(error: unknown) {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) }
  const code = 'code' in error && (typeof error.code === 'string' || typeof error.code === 'number') ? error.code : ''
  return { type: error.name, message: error.message, ...(code !== '' && { code }), stack: stackOf(error) }
}

/** Includes the causes, which may be stacks of other threads. */
function stackOf(error: Error): string {
  const stacks = [error.stack ?? error.message]
  for (let { cause } = error; cause !== undefined && stacks.length <= MOST_CAUSES; ) {
    stacks.push(cause instanceof Error ? (cause.stack ?? cause.message) : typeof cause === 'string' ? cause : '')
    cause = cause instanceof Error ? cause.cause : undefined
  }
  return stacks.filter((stack) => stack !== '').join('\ncaused by: ')
}

const REMOVED = '[removed]'

/** In a JSON line, a value ends before a quotation mark or a backslash, so that the line stays valid. */
const RULES: readonly { readonly pattern: RegExp; readonly replacement: string }[] = [
  // Keys of recalld.
  { pattern: /\brk_[A-Za-z0-9_-]+/g, replacement: REMOVED },
  { pattern: /\b(bearer|basic|apikey)\s+[^\s"'\\,;]+/gi, replacement: `$1 ${REMOVED}` },
  // Passwords in URLs, such as those of databases and proxies.
  { pattern: /\b([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s"'\\/@]{0,500}@/gi, replacement: `$1${REMOVED}@` },
  // OAuth parameters in URLs, and tokens of sessions and uploads.
  {
    pattern:
      /([?&#](?:code|state|token|access_token|refresh_token|id_token|client_secret|code_verifier|api_?key|key|password|secret|sig|signature|x-amz-[a-z-]+)=)[^&\s"'\\#]+/gi,
    replacement: `$1${REMOVED}`,
  },
  // The same as JSON fields, also in JSON within a string.
  {
    pattern:
      /((?:\\?")(?:access_token|refresh_token|id_token|client_secret|code_verifier|api_?key|x-api-key|authorization|cookie|password|secret|token)(?:\\?")\s*:\s*\\?")[^"\\]+/gi,
    replacement: `$1${REMOVED}`,
  },
  // V8 quotes text that could not be parsed.
  { pattern: /(Unexpected token ).{0,80}?( is not valid JSON)/g, replacement: `$1${REMOVED}$2` },
]

/**
 * Removes keys, tokens, codes and passwords from a log line. The last safeguard: none should be logged in the first
 * place.
 * @param line JSON, and still valid JSON afterwards
 */
function withoutSecrets(line: string): string {
  let clean = line
  for (const { pattern, replacement } of RULES) clean = clean.replace(pattern, replacement)
  return clean
}
