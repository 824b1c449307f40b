import type { Connection } from './connection.ts'

/** The cron expression that a connection runs by. */
export function scheduleOf({ connector, config }: Connection): string {
  return config.schedule ?? connector.manifest.schedule
}
