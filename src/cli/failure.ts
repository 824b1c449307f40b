import { type Advice, AppError, locatedMessage } from '../domain/errors.ts'

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
