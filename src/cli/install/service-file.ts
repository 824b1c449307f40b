import { createHash, randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { AppError } from '../../domain/errors.ts'
import { isAbsent } from '../../lib/files.ts'

/** What stands at the place of a file of a service manager: nothing, what recalld wrote, or what a person did. */
export type ServiceFileState = 'absent' | 'same' | 'older' | 'foreign'

const MADE_BY = 'Made by "recalld install-service"'
const MARK = new RegExp(`${MADE_BY} \\(([0-9a-f]{16})\\)`)

/** Says who made the text, and by its sum whether it still is as it was made. @param body without the mark */
export function serviceFileMark(body: string): string {
  return `${MADE_BY} (${sumOf(body)})`
}

/** @param text what would be written, with its mark */
export function serviceFileState(path: string, text: string): ServiceFileState {
  const found = contentOf(path)
  if (found === undefined) return 'absent'
  if (found === text) return 'same'
  const [mark, sum] = MARK.exec(found) ?? []
  if (mark === undefined) return 'foreign'
  const lines = found.split('\n').filter((line) => !line.includes(mark))
  return sumOf(lines.join('\n')) === sum ? 'older' : 'foreign'
}

/**
 * Readers see the old content or the new one, never half of it.
 *
 * @throws AppError `invalid` when it cannot be written
 */
export function writeServiceFile(path: string, text: string): void {
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(draft, text, { flag: 'wx', flush: true })
    // Managers complain of units that others cannot read; nothing secret stands in there.
    chmodSync(draft, 0o644)
    renameSync(draft, path)
  } catch (cause) {
    rmSync(draft, { force: true })
    throw notPossible(`${path} cannot be written`, cause)
  }
}

/** @throws AppError `invalid` when it cannot be removed */
export function removeServiceFile(path: string): void {
  try {
    rmSync(path)
  } catch (cause) {
    throw notPossible(`${path} cannot be removed`, cause)
  }
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw notPossible(`${path} cannot be read`, error)
  }
}

function notPossible(sentence: string, cause: unknown): unknown {
  if (!(cause instanceof Error) || !('code' in cause)) return cause
  return new AppError('invalid', `${sentence} (${cause.code}). Nothing was changed.`, { cause })
}

function sumOf(body: string): string {
  return createHash('sha256').update(body).digest('hex').slice(0, 16)
}
