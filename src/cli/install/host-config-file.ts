import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { AppError } from '../../domain/errors.ts'
import { isAbsent } from '../../lib/files.ts'

/** A configuration file of another program, as it was read. */
export interface HostConfigFile {
  readonly path: string
  /** Without a byte order mark; empty when there is no file. */
  readonly text: string
  readonly exists: boolean
}

const BYTE_ORDER_MARK = '\ufeff'

/** @throws AppError `invalid` when it is no text in UTF-8, or a link that leads nowhere */
export function readHostConfig(path: string): HostConfigFile {
  const content = contentOf(path)
  if (content === undefined) {
    if (isLink(path)) {
      throw new AppError('invalid', `${path} is a link that leads nowhere: remove it, or make the file that it names.`)
    }
    return { path, text: '', exists: false }
  }
  return { path, text: content.replace(BYTE_ORDER_MARK, ''), exists: true }
}

/**
 * Puts a text in the place of what was read; the file as it was stays beside it. Readers see the old content or the new
 * one, never half of it. Mode, byte order mark and a link that leads to the file stay.
 *
 * @returns where the file as it was stands now; `undefined` when there was none
 * @throws AppError `conflict` when the file has changed since it was read, `invalid` when it cannot be written
 */
export function writeHostConfig(file: HostConfigFile, text: string): string | undefined {
  const { path, exists } = file
  try {
    if (!exists) mkdirSync(dirname(path), { recursive: true })
    const place = exists ? realpathSync(path) : path
    return exchange({ ...file, path: place }, text)
  } catch (cause) {
    if (!(cause instanceof Error) || !('code' in cause) || cause instanceof AppError) throw cause
    throw new AppError('invalid', `${path} cannot be written (${cause.code}). Nothing was changed.`, { cause })
  }
}

function exchange(file: HostConfigFile, text: string): string | undefined {
  const { path, exists } = file
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`
  const backup = `${path}.backup-${new Date().toISOString().replace(/[:.]/g, '-')}`
  try {
    const current = contentOf(path)
    const mark = current?.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : ''
    // Keys of other servers may stand in there.
    const mode = exists ? statSync(path).mode & 0o777 : 0o600
    writeFileSync(draft, `${mark}${text}`, { mode, flag: 'wx', flush: true })
    chmodSync(draft, mode)
    if ((current ?? '').replace(BYTE_ORDER_MARK, '') !== file.text || existsSync(path) !== exists) {
      throw new AppError('conflict', `${path} was changed by another program just now: run this again.`)
    }
    if (exists) copyFileSync(path, backup, constants.COPYFILE_EXCL)
    renameSync(draft, path)
    return exists ? backup : undefined
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink()
  } catch (error) {
    if (isAbsent(error)) return false
    throw error
  }
}

function contentOf(path: string): string | undefined {
  let bytes: Buffer
  try {
    bytes = readFileSync(path)
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw error
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new AppError('invalid', `${path} is not text in UTF-8. Nothing was changed: save it as UTF-8 first.`, {
      cause,
    })
  }
}
