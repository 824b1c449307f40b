import type { SyncTarget } from '../../connections/sync-service.ts'
import { type Advice, AppError, locatedMessage } from '../../domain/errors.ts'

/** What went wrong, as a sentence for the person at the terminal. Defects keep their message, never their stack. */
export function failureSentence(error: unknown): string {
  if (error instanceof AppError) {
    const message = locatedMessage(error)
    return error.advice === undefined ? message : `${message} ${adviceSentence(error.advice)}`
  }
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? error.code : undefined
  const path = 'path' in error ? String(error.path) : 'the file'
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return `${path} does not exist`
    case 'EEXIST':
      return `${path} exists already`
    case 'EACCES':
    case 'EPERM':
      return `${path} may not be opened (permission denied)`
    case 'EISDIR':
      return `${path} is a folder`
    case 'ENOSPC':
      return 'the disk is full'
    default:
      return `unexpected error: ${error.message}`
  }
}

/** `Run "recalld connect google".` */
export function adviceSentence({ source, oauth }: Advice): string {
  return `Run "recalld connect ${source}${oauth ? ' --oauth' : ''}".`
}

/**
 * Thrown by a command that is done, to end with this code: 1 when something was left undone, 2 when it needs the person.
 * A message is shown as that of any failure; without one, the command has said everything.
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
 * What the person should do, as a sentence. Errors of sources carry one word for it (`reauthorize`); anything else is a
 * sentence already.
 */
export function remedySentence(remedy: string, { connector, name }: SyncTarget): string {
  switch (remedy) {
    case 'retry':
      return 'It is tried again at the next run; nothing has to be done.'
    case 'reauthorize':
      return `Give it access again: "recalld connect ${connector} --name ${name}".`
    case 'reconfigure':
      return `Edit \`connectors.${connector}\` (name: ${name}) in config.yaml, or run "recalld connect ${connector} --name ${name}".`
    case 'skip':
      return `It is left out; "recalld retry ${connector}/${name}" has it tried once more.`
    case 'restart':
      return 'The next run reads everything again and compares; nothing has to be done.'
    default:
      return remedy
  }
}
