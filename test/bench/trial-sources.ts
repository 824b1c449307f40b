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

/** As large as two cores can process in some minutes; the whole person is ten times as large. */
const SOURCES: readonly { readonly open: OpenBenchSource; readonly share: number }[] = [
  { open: emailBench, share: 1 },
  { open: githubYearsBench, share: 1 },
  { open: slackBench, share: 1 },
  { open: gdocsBench, share: 0.5 },
  { open: slackBench, share: 0.5 },
  { open: emailBench, share: 0.5 },
]

const share = Number(process.argv[2])
await using stack = new AsyncDisposableStack()
const gone = new Promise((resolve) => process.once('disconnect', resolve))
const served = SOURCES.map(async ({ open, share: own }, at): Promise<ServedSource> => {
  const source = await open(share * own)
  stack.defer(() => source.close())
  const config = await behindLatency({ ...source.config, name: `n${at}` }, stack)
  return { connector: source.connector, title: `${source.count.toLocaleString('en')} ${source.noun}`, config }
})
process.send?.(await Promise.all(served))
await gone
