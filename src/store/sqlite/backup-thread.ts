import { renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { type Advice, AppError } from '../../domain/errors.ts'
import { flushToDisk } from '../../lib/files.ts'
import { asUnavailable } from './unavailable.ts'

/** What the thread is started with. */
export interface BackupStart {
  readonly from: string
  readonly to: string
}

export interface BackupAnswer {
  /** Why there is no backup. */
  readonly problem?: BackupProblem
}

interface BackupProblem {
  readonly message: string
  readonly advice?: Advice
}

/**
 * A damaged database is refused: its copy would look sound and replace older sound backups. `VACUUM INTO` reads one
 * snapshot, however much is written meanwhile; SQLite's backup interface would start again with every commit of the writer. The copy gets its name when it is complete and on the disk.
 */
function backUp({ from, to }: BackupStart): BackupProblem | undefined {
  const partial = `${to}.partial`
  rmSync(partial, { force: true })
  const source = new DatabaseSync(from, { readOnly: true, timeout: 10_000 })
  try {
    const [first] = source.prepare('PRAGMA quick_check(1)').all()
    const found = String(first?.quick_check)
    if (found !== 'ok') return damaged(found)
    source.prepare('VACUUM INTO ?').run(partial)
  } catch (error) {
    rmSync(partial, { force: true })
    const reason = asUnavailable(error)
    if (!(reason instanceof AppError)) throw error
    return reason.advice === undefined
      ? { message: reason.message }
      : { message: reason.message, advice: reason.advice }
  } finally {
    source.close()
  }
  flushToDisk(partial, 'file')
  renameSync(partial, to)
  flushToDisk(dirname(to), 'folder')
  return undefined
}

function damaged(found: string): BackupProblem {
  const reason = found.split('\n').slice(0, 2).join(' ')
  return {
    message: `The database is damaged (${reason}), so it was not copied. Keep your last backup.`,
    advice: { action: 'run_doctor' },
  }
}

if (parentPort !== null) {
  const problem = backUp(workerData as BackupStart)
  parentPort.postMessage({ ...(problem !== undefined && { problem }) } satisfies BackupAnswer)
}
