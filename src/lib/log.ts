import { AsyncLocalStorage } from 'node:async_hooks'
import { type Logger, pino } from 'pino'

/** Structured log: ids and numbers as fields, never contents, keys or tokens. Implemented by pino, silent in tests. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

type Fields = Readonly<Record<string, string | undefined>>

const current = new AsyncLocalStorage<() => Fields>()

/** Every line that is logged by `work`, or by what it begins, has these fields; they are asked for with each line. */
export function withLogFields<T>(fields: () => Fields, work: () => T): T {
  return current.run(fields, work)
}

/** Those in force where this is called. */
function logFields(): Fields {
  return current.getStore()?.() ?? {}
}

/**
 * A log of JSON lines for machines: with the ids of the request that a line belongs to, and without secrets, no matter who wrote
 * them into an error. Errors keep their stack here, where it helps, and nowhere else.
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

/** What is known to be safe of an error: libraries hang requests, rows and answers on theirs. */
function errorFields(error: unknown) {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) }
  const code = 'code' in error && (typeof error.code === 'string' || typeof error.code === 'number') ? error.code : ''
  return { type: error.name, message: error.message, ...(code !== '' && { code }), stack: stackOf(error) }
}

/** With those of its causes, which may be stacks of other threads. */
function stackOf(error: Error): string {
  const stacks = [error.stack ?? error.message]
  for (let { cause } = error; cause !== undefined && stacks.length <= MOST_CAUSES; ) {
    stacks.push(cause instanceof Error ? (cause.stack ?? cause.message) : typeof cause === 'string' ? cause : '')
    cause = cause instanceof Error ? cause.cause : undefined
  }
  return stacks.filter((stack) => stack !== '').join('\ncaused by: ')
}

const REMOVED = '[removed]'

/** In a line of JSON: a value ends before a quotation mark or a backslash, so that the line stays one. */
const RULES: readonly { readonly pattern: RegExp; readonly replacement: string }[] = [
  // Keys of recalld.
  { pattern: /\brk_[A-Za-z0-9_-]+/g, replacement: REMOVED },
  { pattern: /\b(bearer|basic|apikey)\s+[^\s"'\\,;]+/gi, replacement: `$1 ${REMOVED}` },
  // Passwords in addresses, as of databases and proxies.
  { pattern: /\b([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s"'\\/@]{0,500}@/gi, replacement: `$1${REMOVED}@` },
  // What a provider of OAuth hands over in an address, and what opens a session or an upload.
  {
    pattern:
      /([?&#](?:code|state|token|access_token|refresh_token|id_token|client_secret|code_verifier|api_?key|key|password|secret|sig|signature|x-amz-[a-z-]+)=)[^&\s"'\\#]+/gi,
    replacement: `$1${REMOVED}`,
  },
  // The same as fields of JSON, also of JSON within a text.
  {
    pattern:
      /((?:\\?")(?:access_token|refresh_token|id_token|client_secret|code_verifier|api_?key|x-api-key|authorization|cookie|password|secret|token)(?:\\?")\s*:\s*\\?")[^"\\]+/gi,
    replacement: `$1${REMOVED}`,
  },
  // V8 quotes what could not be parsed.
  { pattern: /(Unexpected token ).{0,80}?( is not valid JSON)/g, replacement: `$1${REMOVED}$2` },
]

/**
 * A line of the log without what opens something: keys, tokens, codes, passwords. The last guard, behind all those that
 * do not put them there.
 *
 * @param line of JSON, and still one afterwards
 */
function withoutSecrets(line: string): string {
  let clean = line
  for (const { pattern, replacement } of RULES) clean = clean.replace(pattern, replacement)
  return clean
}
