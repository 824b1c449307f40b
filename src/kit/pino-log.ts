import { type Logger, pino } from 'pino'

/** A log of JSON lines for machines. Errors keep their stack here, where they help, and nowhere else. */
export function createPinoLog(level: string, write: (line: string) => void): Logger {
  return pino({ level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime }, { write })
}
