import { renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { AppError } from '../../domain/errors.ts'
import { flushToDisk } from '../../lib/files.ts'
import type { Log } from '../../lib/log.ts'
import { checkpointDatabase, removeDatabase } from '../sqlite/database-file.ts'
import { moveStore } from './move-store.ts'
import { openPostgresSide } from './postgres-side.ts'
import { openSqliteSide } from './sqlite-side.ts'

/** What the thread is started with and what it answers. */
export interface BackupStart {
  readonly url: string
  readonly file: string
}

export interface BackupAnswer {
  /** Why there is no backup. */
  readonly problem?: string
}

const nothing = () => undefined
/** Reports the error to the caller. */
const SILENT: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing }

/** The copy gets its name when it is complete and on the disk. */
async function backUp({ url, file }: BackupStart): Promise<void> {
  const partial = `${file}.partial`
  removeDatabase(partial)
  try {
    await copy(url, partial)
    checkpointDatabase(partial)
    renameSync(partial, file)
  } finally {
    removeDatabase(partial)
  }
  flushToDisk(dirname(file), 'folder')
}

async function copy(url: string, file: string): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const source = await openPostgresSide(url, 'snapshot', SILENT)
  stack.defer(() => source.close())
  const target = openSqliteSide(file, 'target')
  stack.defer(() => target.close())
  const { tables } = await moveStore({ source, target })
  const different = tables.filter(({ isSame }) => !isSame).map(({ name }) => name)
  if (different.length > 0) throw new Error(`The copy differs: ${different.join(', ')}`)
}

if (parentPort !== null) {
  const port = parentPort
  backUp(workerData as BackupStart).then(
    () => port.postMessage({} satisfies BackupAnswer),
    (error: unknown) => {
      if (!(error instanceof AppError)) throw error
      port.postMessage({ problem: error.message } satisfies BackupAnswer)
    },
  )
}
