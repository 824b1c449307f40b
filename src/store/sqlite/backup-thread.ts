import { renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { workerData } from 'node:worker_threads'
import { flushToDisk } from '../../kit/flush-to-disk.ts'

/** What the thread is started with. */
export interface BackupStart {
  readonly from: string
  readonly to: string
}

/**
 * `VACUUM INTO` reads one snapshot, however much is written meanwhile; SQLite's backup interface would start again with
 * every commit of the writer. The copy gets its name when it is complete and on the disk.
 */
function backUp({ from, to }: BackupStart): void {
  const partial = `${to}.partial`
  rmSync(partial, { force: true })
  const source = new DatabaseSync(from, { readOnly: true, timeout: 10_000 })
  try {
    source.prepare('VACUUM INTO ?').run(partial)
  } finally {
    source.close()
  }
  flushToDisk(partial, 'file')
  renameSync(partial, to)
  flushToDisk(dirname(to), 'folder')
}

if (workerData !== null) backUp(workerData as BackupStart)
