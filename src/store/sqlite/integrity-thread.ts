import { parentPort, workerData } from 'node:worker_threads'
import { inspectDatabase } from './database-file.ts'

/** What the thread is started with and what it answers. */
export interface IntegrityStart {
  readonly file: string
}

export interface IntegrityAnswer {
  readonly problems: readonly string[]
}

if (parentPort !== null) {
  const { problems } = inspectDatabase((workerData as IntegrityStart).file)
  parentPort.postMessage({ problems } satisfies IntegrityAnswer)
}
