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
import { messages } from './messages.ts'

/** A configuration file of another program, as read. */
export interface HostConfigFile {
  readonly path: string
  /** Without a byte order mark; empty when there is no file. */
  readonly text: string
  readonly exists: boolean
}

const BYTE_ORDER_MARK = '\ufeff'

/** @throws AppError `invalid` when it isn't UTF-8 text, or is a broken link */
export function readHostConfig(path: string): HostConfigFile {
  const content = readUtf8(path)
  if (content === undefined) {
    if (isLink(path)) {
      throw new AppError('invalid', messages.brokenLink(path))
    }
    return { path, text: '', exists: false }
  }
  return { path, text: content.replace(BYTE_ORDER_MARK, ''), exists: true }
}

/**
 * Replaces the content of a file, atomically, and keeps a backup next to it. Mode, byte order mark and a link to the
 * file are preserved.
 * @returns path of the backup; `undefined` when there was no file
 * @throws AppError `conflict` when the file has changed since it was read, `invalid` when it cannot be written
 */
export function writeHostConfig(file: HostConfigFile, text: string): string | undefined {
  const { path, exists } = file
  try {
    if (!exists) mkdirSync(dirname(path), { recursive: true })
    const target = exists ? realpathSync(path) : path
    return replaceFile({ ...file, path: target }, text)
  } catch (cause) {
    if (!(cause instanceof Error) || !('code' in cause) || cause instanceof AppError) throw cause
    throw new AppError('invalid', messages.cannotWrite(path, String(cause.code)), { cause })
  }
}

function replaceFile(file: HostConfigFile, text: string): string | undefined {
  const { path, exists } = file
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`
  const backup = `${path}.backup-${new Date().toISOString().replace(/[:.]/g, '-')}`
  try {
    const current = readUtf8(path)
    const mark = current?.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : ''
    // The file may contain keys of other servers.
    const mode = exists ? statSync(path).mode & 0o777 : 0o600
    writeFileSync(draft, `${mark}${text}`, { mode, flag: 'wx', flush: true })
    chmodSync(draft, mode)
    if ((current ?? '').replace(BYTE_ORDER_MARK, '') !== file.text || existsSync(path) !== exists) {
      throw new AppError('conflict', messages.changedMeanwhile(path))
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

function readUtf8(path: string): string | undefined {
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
    throw new AppError('invalid', messages.notUtf8(path), {
      cause,
    })
  }
}
