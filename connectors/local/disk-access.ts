import type { SourceMachine } from '../../src/connector/connector.ts'
import { SourceError } from '../../src/connector/source-error.ts'

/**
 * Reads what macOS shows only to programs with Full Disk Access. It reports only "not permitted", so the message adds
 * the remedy.
 * @param remedy instead of `reconfigure`, which would stop all partitions because of one item
 */
export async function permitted<T>(
  path: string,
  { platform }: SourceMachine,
  read: () => Promise<T>,
  remedy?: 'retry',
): Promise<T> {
  try {
    return await read()
  } catch (cause) {
    if (!(cause instanceof SourceError) || cause.remedy !== 'reconfigure') throw cause
    const how =
      'Open System Settings > Privacy & Security > Full Disk Access and turn it on for the program that runs recalld'
    const message =
      platform === 'darwin'
        ? `recalld has no permission to read ${path}. ${how} (the terminal, or node), then restart it.`
        : cause.message
    throw new SourceError(remedy ?? cause.remedy, message, { cause })
  }
}
