import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { AppError } from '../../domain/errors.ts'
import { isAbsent } from '../../lib/files.ts'
import { messages } from './messages.ts'

/** Whether a service file is missing, written by recalld, or written or changed by a person. */
export type ServiceFileState = 'absent' | 'same' | 'older' | 'foreign'

const MARK = new RegExp(`${messages.madeBy} \\(([0-9a-f]{16})\\)`)

/** Marks recalld as the author, with a checksum that shows later changes. @param body without the mark */
export function serviceFileMark(body: string): string {
  return `${messages.madeBy} (${shortHash(body)})`
}

/** @param text the new content, with its mark */
export function serviceFileState(path: string, text: string): ServiceFileState {
  const found = existingText(path)
  if (found === undefined) return 'absent'
  if (found === text) return 'same'
  const [mark, sum] = MARK.exec(found) ?? []
  if (mark === undefined) return 'foreign'
  const lines = found.split('\n').filter((line) => !line.includes(mark))
  return shortHash(lines.join('\n')) === sum ? 'older' : 'foreign'
}

/**
 * Replaces the file atomically.
 * @throws AppError `invalid` when it cannot be written
 */
export function writeServiceFile(path: string, text: string): void {
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(draft, text, { flag: 'wx', flush: true })
    // Service managers complain about units that others can't read; it contains no secret.
    chmodSync(draft, 0o644)
    renameSync(draft, path)
  } catch (cause) {
    rmSync(draft, { force: true })
    throw fileError(messages.cannotWrite, path, cause)
  }
}

/** @throws AppError `invalid` when it cannot be removed */
export function removeServiceFile(path: string): void {
  try {
    rmSync(path)
  } catch (cause) {
    throw fileError(messages.cannotRemove, path, cause)
  }
}

function existingText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw fileError(messages.cannotRead, path, error)
  }
}

function fileError(sentence: (path: string, code: string) => string, path: string, cause: unknown): unknown {
  if (!(cause instanceof Error) || !('code' in cause)) return cause
  return new AppError('invalid', sentence(path, String(cause.code)), { cause })
}

function shortHash(body: string): string {
  return createHash('sha256').update(body).digest('hex').slice(0, 16)
}
