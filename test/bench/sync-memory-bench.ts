import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { z } from 'zod'
import { GoogleMail } from '../fakes/google/google-mail.ts'
import { fillMailbox } from './sync-sources/email-bench.ts'
import type { Row } from './table.ts'

const MIB = z.number().positive()

/** Each in a process of its own, so that nothing else has taken memory before. */
export async function measureSyncMemory(share: number): Promise<Row[]> {
  const { few, many } = z.object({ few: MIB, many: MIB }).parse(await printed('sync-memory.ts'))
  const threads = (count: number) => Math.round(count * share)
  const [small, large] = [threads(500), threads(5_000)]
  const [fewThreads, manyThreads] = [await peakMiB(small), await peakMiB(large)]
  return [
    {
      what: 'run over 100,000 items: memory in use at its end',
      budget: few * 1.25,
      unit: 'MiB',
      measured: many,
      baseline: few,
      against: 'the same after 10,000 items',
    },
    {
      what: `email, first run over ${large.toLocaleString('en')} threads: most memory in use`,
      budget: fewThreads * 1.25,
      unit: 'MiB',
      measured: manyThreads,
      baseline: fewThreads,
      against: `the same with ${small.toLocaleString('en')} threads`,
    },
  ]
}

async function peakMiB(threads: number): Promise<number> {
  await using mail = await GoogleMail.start()
  fillMailbox(mail, threads)
  const { url, token } = mail.server
  const answer = z.object({ peak: MIB, memorized: z.literal(threads) })
  return answer.parse(await printed('email-memory.ts', url, token)).peak
}

/** What a script beside this file prints, as JSON. */
async function printed(script: string, ...args: string[]): Promise<unknown> {
  const file = fileURLToPath(new URL(script, import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', file, ...args])
  return JSON.parse(stdout)
}
