import { Worker } from 'node:worker_threads'
import { AppError } from '../../domain/errors.ts'
import { moduleUrl } from '../../lib/module-url.ts'
import type { BackupAnswer, BackupStart } from './file-backup-thread.ts'

/**
 * Copies a database of PostgreSQL, as it is at one moment, into a new file of SQLite, and compares both. The bytes of
 * uploads that lie in a bucket stay there. Done on a thread: what is found by has to be indexed again.
 *
 * @throws AppError `unavailable` when it did not arrive whole; there is no file then
 */
export function backUpToFile(url: string, file: string): Promise<void> {
  const start: BackupStart = { url, file }
  const worker = new Worker(moduleUrl(import.meta.url, './file-backup-thread'), { workerData: start, name: 'backup' })
  return new Promise((resolve, reject) => {
    worker.once('message', ({ problem }: BackupAnswer) => {
      if (problem === undefined) resolve()
      else reject(new AppError('unavailable', problem))
    })
    worker.once('error', reject)
    worker.once('exit', () => reject(new AppError('unavailable', 'The backup was not finished')))
  })
}
