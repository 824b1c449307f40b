import { AppError } from '../domain/errors.ts'

/** What went wrong, as a sentence for the person at the terminal. Defects keep their message, never their stack. */
export function failureSentence(error: unknown): string {
  if (error instanceof AppError) return error.message
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
