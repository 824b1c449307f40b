import { systemClock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { ImportFiles } from './import-files.ts'

const LOOK_MS = 60 * 60_000

interface UnusedParts {
  readonly imports: Pick<ImportFiles, 'dropUnused'>
  /** Reads the text of config.yaml. */
  readonly config: () => string
  readonly log: Log
  readonly everyMs?: number
}

/** Deletes uploads that nobody connected within a day: now, and every hour until `stack` is disposed. */
export function dropUnusedImports(
  { imports, config, log, everyMs = LOOK_MS }: UnusedParts,
  stack: AsyncDisposableStack,
) {
  let before = ''
  let looking: Promise<void> | undefined
  const look = async () => {
    const text = config()
    // An editor may be writing the file at this moment, so what it named an hour ago is kept, too.
    await imports.dropUnused(before + text, systemClock())
    before = text
  }
  const start = () => {
    looking ??= look()
      .catch((error: unknown) => log.warn({ err: error }, 'unused uploads could not be deleted; trying again'))
      .finally(() => {
        looking = undefined
      })
  }
  const timer = setInterval(start, everyMs).unref()
  stack.defer(async () => {
    clearInterval(timer)
    await looking
  })
  start()
}
