import { execFileSync } from 'node:child_process'
import process from 'node:process'
import { expect, test } from 'vitest'
import { packagePath } from '../../../src/lib/files.ts'

/** Prints the most that the heap of a thread with a small young generation may take, in MiB, before and after its limit is kept. */
const PROGRAM = `
import { Worker } from 'node:worker_threads'
import { keepThreadLimits, SMALL_YOUNG_GENERATION } from ${JSON.stringify(packagePath('src/lib/worker-thread.ts'))}
const heapLimit = () => new Promise((resolve, reject) => {
  const code = "require('node:worker_threads').parentPort.postMessage(require('node:v8').getHeapStatistics().heap_size_limit)"
  const limits = { maxOldGenerationSizeMb: 100, ...SMALL_YOUNG_GENERATION }
  new Worker(code, { eval: true, execArgv: [], resourceLimits: limits }).once('message', resolve).once('error', reject)
})
const before = await heapLimit()
keepThreadLimits()
console.log(JSON.stringify([before, await heapLimit()].map((bytes) => bytes / 2 ** 20)))
`

test('a thread has its own young generation, although the process has an option for the main thread', () => {
  const options = ['--max-semi-space-size=16', '--input-type=module', '--eval', PROGRAM]
  const printed = execFileSync(process.execPath, options, { encoding: 'utf8' })
  expect(JSON.parse(printed)).toEqual([148, 112])
})
