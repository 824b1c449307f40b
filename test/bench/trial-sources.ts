import { behindLatency } from './sync-latency-bench.ts'
import type { OpenBenchSource } from './sync-sources/bench-source.ts'
import { emailBench } from './sync-sources/email-bench.ts'
import { gdocsBench } from './sync-sources/gdocs-bench.ts'
import { githubYearsBench } from './sync-sources/github-years-bench.ts'
import { slackBench } from './sync-sources/slack-bench.ts'

/**
 * Serves the sources of the trial until its parent is gone: in a process of their own, so that the memory of the other one is
 * the service's. Sends how they are configured.
 */
export interface ServedSource {
  readonly connector: string
  readonly title: string
  readonly config: Record<string, unknown>
}

const manyChannels: OpenBenchSource = (share) => slackBench(share, 150)
const someChannels: OpenBenchSource = (share) => slackBench(share, 50)

/** As large as two cores can process in some minutes with `share`, and the whole person: 50,000 mails, 20,000 files, 10,000 issues, 200 channels. */
const SOURCES: readonly { readonly open: OpenBenchSource; readonly share: number; readonly whole: number }[] = [
  { open: emailBench, share: 1, whole: 6.667 },
  { open: githubYearsBench, share: 1, whole: 10 },
  { open: manyChannels, share: 1, whole: 6.667 },
  { open: gdocsBench, share: 0.5, whole: 20 },
  { open: someChannels, share: 0.5, whole: 3.333 },
  { open: emailBench, share: 0.5, whole: 3.333 },
]

const size = process.argv[2]
await using stack = new AsyncDisposableStack()
const gone = new Promise((resolve) => process.once('disconnect', resolve))
const served = SOURCES.map(async ({ open, share, whole }, at): Promise<ServedSource> => {
  const source = await open(size === 'whole' ? whole : Number(size) * share)
  stack.defer(() => source.close())
  const config = await behindLatency({ ...source.config, name: `n${at}` }, stack)
  return { connector: source.connector, title: `${source.count.toLocaleString('en')} ${source.noun}`, config }
})
process.send?.(await Promise.all(served))
await gone
