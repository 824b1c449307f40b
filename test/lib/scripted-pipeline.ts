import { appendFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { IndexedItem, SourceFile } from '../../src/domain/document.ts'
import { AppError } from '../../src/domain/errors.ts'
import type { Pipeline } from '../../src/pipeline/pipeline.ts'
import { sampleItem } from '../contract/store-samples.ts'

/**
 * A pipeline for tests of the worker: the file says what becomes of it. `crash` ends the thread, `memory` uses it up,
 * `spin` never ends and uses the processor, `hang` waits for ever, `busy` needs 300 ms of processor time, `unreadable` and `flaky` (the first time in each thread) fail, `slow` takes 300 ms, `hold PATH` until there is such a file; all else is one
 * chunk for each line. If the folder of the model exists, its file `runs` lists the number of the run in its thread and the file name.
 */
export async function openPipeline(modelFolder: string): Promise<Pipeline> {
  let [failures, runs] = [0, 0]
  return {
    pipelineVersion: 'scripted@1',
    close: () => Promise.resolve(),
    async run(file: SourceFile): Promise<IndexedItem> {
      runs++
      if (existsSync(modelFolder)) appendFileSync(join(modelFolder, 'runs'), `${runs} ${file.fileName}\n`)
      const text = new TextDecoder().decode(file.body)
      const [, released] = /^hold (.+)/.exec(text) ?? []
      while (released !== undefined && !existsSync(released)) await delay(5)
      switch (text.trimEnd()) {
        case 'crash':
          setImmediate(() => {
            throw new Error('a crash outside of any promise')
          })
          await delay(60_000)
          break
        case 'memory':
          for (const kept: number[][] = []; ; ) kept.push(new Array(100_000).fill(Math.random()))
        case 'spin':
          for (;;);
        case 'hang':
          await new Promise(() => setInterval(() => undefined, 1_000))
          break
        case 'busy':
          for (const { user } = process.threadCpuUsage(); process.threadCpuUsage().user - user < 300_000; );
          break
        case 'unreadable':
          throw new AppError('unreadable', 'The PDF is encrypted; upload it without a password')
        case 'flaky':
          if (failures++ === 0) throw new AppError('unavailable', 'The embedder is away')
          break
        case 'slow':
          await delay(300)
      }
      return sampleItem(text.split('\n'), 'scripted@1')
    },
  }
}
