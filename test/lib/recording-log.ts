import type { Log } from '../../src/lib/log.ts'

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly fields: unknown
  readonly message: string
}

/** A log that keeps its lines, so that a test can look at what was written. */
export function recordingLog(): { log: Log; lines: LogLine[] } {
  const lines: LogLine[] = []
  const write =
    (level: LogLine['level']) =>
    (fields: unknown, message?: string): void => {
      lines.push(
        typeof fields === 'string' ? { level, fields: {}, message: fields } : { level, fields, message: message ?? '' },
      )
    }
  return { log: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }, lines }
}
