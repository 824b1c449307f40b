import { type Logger, pino } from 'pino'
import { logFields } from './log-fields.ts'
import { withoutSecrets } from './without-secrets.ts'

/**
 * A log of JSON lines for machines: with the ids of the request that a line belongs to, and without secrets, whoever wrote
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
