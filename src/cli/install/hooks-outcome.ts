import { type HostConfigFile, writeHostConfig } from './host-config-file.ts'
import { messages } from './messages.ts'

/** What was done with the hooks of a host, or with `print` would be. */
export interface HooksOutcome {
  readonly file: string
  readonly result: 'written' | 'unchanged' | 'removed' | 'absent' | 'printed'
  readonly backup?: string
  /** For the terminal. */
  readonly text: string
}

export interface HooksChange {
  readonly print: boolean
  readonly remove: boolean
}

/** Writes the file unless it is as wanted already. */
export function writeHooks(found: HostConfigFile, changed: string, isRemoval: boolean): HooksOutcome {
  const { path } = found
  if (changed === found.text) {
    const text = isRemoval ? messages.noHooks(path) : messages.hooksPresent(path)
    return { file: path, result: isRemoval ? 'absent' : 'unchanged', text: `${text}\n` }
  }
  const backup = writeHostConfig(found, changed)
  const lines = [
    isRemoval ? messages.hooksRemoved(path) : messages.hooksInstalled(path),
    ...(backup === undefined ? [] : [messages.backup(backup)]),
  ]
  const result = isRemoval ? 'removed' : 'written'
  return { file: path, result, ...(backup !== undefined && { backup }), text: `${lines.join('\n')}\n` }
}
