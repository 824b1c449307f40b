import type { Log } from '../../src/lib/log.ts'
import { openS3Blobs } from '../../src/store/s3/s3-blobs.ts'
import { createWorker } from '../../src/worker/worker.ts'
import { sampleAccount, sampleUpload } from '../contract/store-samples.ts'
import { openCrashDatabase } from './open-crash-database.ts'

/**
 * The process that the crash test kills: store and worker, driven by messages. It answers a command only when what was
 * asked for is durable.
 */
export type Command =
  | {
      readonly id: number
      readonly type: 'put'
      readonly itemId: string
      readonly text: string
      readonly replace: boolean
    }
  | { readonly id: number; readonly type: 'delete'; readonly itemId: string }
  | { readonly id: number; readonly type: 'drained' }
  | { readonly id: number; readonly type: 'close' }

export interface Answer {
  readonly id: number
  readonly value?: unknown
  readonly error?: string
}

const nothing = () => undefined
const log: Log = { debug: nothing, info: nothing, warn: nothing, error: console.error }
const [database = '', blobUrl] = process.argv.slice(2)

const bodies = blobUrl === undefined ? undefined : { blobs: openS3Blobs(blobUrl), leastBytes: 64 }
const store = await openCrashDatabase(database, log, { bodies })
if ((await store.admin.listAccounts()).length === 0) await store.admin.createAccount(sampleAccount('a'))
const scoped = store.scoped({ accountId: 'a', sources: 'all' })
const pipelineModule = new URL('../lib/scripted-pipeline.ts', import.meta.url)
// A short lease, so that what a killed process held is free again when the next one is up.
const worker = createWorker({ store, log, modelFolder: 'unused', pipelineModule, leaseMs: 300 })
await worker.start()

async function perform(command: Command): Promise<unknown> {
  switch (command.type) {
    case 'put': {
      const onConflict = command.replace ? 'replace' : 'reject'
      return (await scoped.putItem(sampleUpload(command.itemId, command.text, { onConflict }))).outcome
    }
    case 'delete':
      return (await scoped.deleteItem({ itemId: command.itemId, sourceType: 'text' })) !== undefined
    case 'drained': {
      const { nextAt } = await store.queue.depth()
      return nextAt === undefined
    }
    case 'close':
      await worker.stop(5_000)
      await store.close()
      return undefined
  }
}

process.on('message', (command: Command) => {
  perform(command).then(
    (value) => process.send?.({ id: command.id, value } satisfies Answer, () => end(command)),
    (error: unknown) => process.send?.({ id: command.id, error: String(error) } satisfies Answer),
  )
})

function end(command: Command): void {
  if (command.type === 'close') process.disconnect()
}

process.send?.({ id: 0 } satisfies Answer)
