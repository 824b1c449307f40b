import type { SyncTarget } from '../../connections/sync-service.ts'
import { type Advice, AppError, locatedMessage } from '../../domain/errors.ts'
import { messages } from './messages.ts'

/** An error as a sentence. Defects keep their message, never their stack. */
export function failureSentence(error: unknown): string {
  if (error instanceof AppError) {
    const message = locatedMessage(error)
    if (error.advice === undefined) return message
    return `${/[.!?]$/.test(message) ? message : `${message}.`} ${adviceSentence(error.advice)}`
  }
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? error.code : undefined
  const path = 'path' in error ? String(error.path) : messages.file
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return messages.isMissing(path)
    case 'EEXIST':
      return messages.exists(path)
    case 'EACCES':
    case 'EPERM':
      return messages.denied(path)
    case 'EISDIR':
      return messages.isFolder(path)
    case 'ENOSPC':
      return messages.diskFull
    default:
      return messages.unexpected(error.message)
  }
}

/** `Run "recalld connect google".` */
export function adviceSentence(advice: Advice): string {
  if (advice.action !== 'connect') return messages.advice[advice.action]
  return messages.connect(advice.source, advice.oauth ? ' --oauth' : '')
}

/**
 * Ends a command with this exit code: 1 when something was not done, 2 when a person must act. A message is printed
 * like that of any error; without one, the command has printed everything.
 */
export class ExitCode extends Error {
  readonly code: 1 | 2

  constructor(code: 1 | 2, message = '') {
    super(message)
    this.name = 'ExitCode'
    this.code = code
  }
}

/**
 * The remedy for a problem of a connection, as a sentence.
 * @param remedy a source error's remedy (`reauthorize`), otherwise a sentence
 */
export function remedySentence(remedy: string, { connector, name }: SyncTarget): string {
  switch (remedy) {
    case 'retry':
      return messages.retried
    case 'reauthorize':
      return messages.reconnect(connector, name)
    case 'reconfigure':
      return messages.reconfigure(connector, name)
    case 'skip':
      return messages.skipped(`${connector}/${name}`)
    case 'restart':
      return messages.restarted
    default:
      return remedy
  }
}
