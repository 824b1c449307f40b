import { type HostConfigFile, writeHostConfig } from './host-config-file.ts'
import { messages } from './messages.ts'

/** The change of a host's hooks, made or, with `print`, only shown. */
export interface HooksOutcome {
  readonly file: string
  readonly result: 'written' | 'unchanged' | 'removed' | 'absent' | 'printed'
  readonly backup?: string
  /** Terminal output. */
  readonly text: string
}

export interface HooksChange {
  readonly print: boolean
  readonly remove: boolean
}

/** Writes the file if its content changes. */
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
