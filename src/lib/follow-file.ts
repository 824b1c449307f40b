import { type FSWatcher, statSync, watch } from 'node:fs'

/** For changes that the system does not report, such as those on a network drive or behind a symbolic link. */
const BACKSTOP_MS = 30_000
/** While the file does not exist or the system can watch no more files. */
const UNWATCHED_MS = 2_000
/** Editors and programs write in several steps. */
const SETTLE_MS = 50

interface FollowOptions {
  readonly backstopMs?: number
  readonly unwatchedMs?: number
}

/**
 * Calls `changed` whenever a file was changed, replaced, created or removed, until it is disposed of. The system reports
 * changes, so that an idle process does not wake up to look for them. Keeps no process running.
 */
export function followFile(file: string, changed: () => void, options: FollowOptions = {}): Disposable {
  const { backstopMs = BACKSTOP_MS, unwatchedMs = UNWATCHED_MS } = options
  let seen = versionOf(file)
  let watcher: FSWatcher | undefined
  let timer: NodeJS.Timeout | undefined
  let isOver = false

  const unwatch = () => {
    clearTimeout(timer)
    watcher?.close()
    watcher = undefined
  }
  const lookIn = (ms: number) => {
    if (isOver) return
    timer = setTimeout(look, ms)
    timer.unref()
  }
  const lookSoon = () => {
    unwatch()
    lookIn(SETTLE_MS)
  }
  const look = () => {
    // Anew each time, because a watcher stays with the file that was replaced; and before the comparison, to miss nothing.
    unwatch()
    watcher = watcherOf(file, lookSoon)
    lookIn(watcher === undefined ? unwatchedMs : backstopMs)
    const found = versionOf(file)
    if (found === seen) return
    seen = found
    changed()
  }
  look()
  return {
    [Symbol.dispose]: () => {
      isOver = true
      unwatch()
    },
  }
}

/** `undefined`: there is no such file, or the system can watch no more. */
function watcherOf(file: string, changed: () => void): FSWatcher | undefined {
  try {
    return watch(file, { persistent: false }, changed).on('error', changed)
  } catch {
    return undefined
  }
}

function versionOf(file: string): string {
  const found = statSync(file, { throwIfNoEntry: false })
  return found === undefined ? '' : `${found.mtimeMs} ${found.size} ${found.ino}`
}
