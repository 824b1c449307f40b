import { spawnSync } from 'node:child_process'
import { packagePath } from '../../src/lib/files.ts'
import { BareFts5 } from './baselines.ts'
import { createCorpus } from './corpus.ts'
import { type HttpRecalls, openHttpRecalls } from './http-ratios.ts'
import { percentile } from './measure.ts'
import { openSmallAccount, type SmallAccount } from './small-account.ts'

/** A ratio of processor times, and how far the rounds of a run are apart. */
export interface Ratio {
  readonly ratio: number
  /** Median distance of a round from the median. */
  readonly spread: number
}

export type Ratios = Readonly<Record<string, Ratio>>

const ROUNDS = 15
const MEMORIES = 10_000
const TEXT_CHARACTERS = 2_000
/** Questions and texts of a round. */
const ASKED = 20
const ADDED = 40
/** Asked before anything is measured: vectors are read and code is compiled. */
const WARM_UP = 200
/** The system counts the processor time of other processes in hundredths of a second. */
const ASKED_OVER_HTTP = 60
const HELLOS = 600
const RECALLD = packagePath('bin/recalld.js')

/** Measures each thing in turns with its baseline, so that both meet the same load. Takes about two minutes. */
export async function measureRatios(): Promise<Ratios> {
  const account = await openSmallAccount(MEMORIES)
  const bare = new BareFts5()
  const corpus = createCorpus()
  const http = await openHttpRecalls(corpus, account.texts, TEXT_CHARACTERS)
  try {
    bare.grow(corpus, account.texts, TEXT_CHARACTERS)
    for (let number = 0; number < WARM_UP; number++) await account.recall(number)
    return {
      'recall in process, 10,000 memories, to bare FTS5 queries': await inTurns(
        (round) => ask(account, round),
        async () => void bare.queryP50(corpus, ASKED),
      ),
      'recall over HTTP, 10,000 memories, to bare FTS5 queries': await overHttp(http, async () => {
        const before = ownTime()
        bare.queryP50(corpus, ASKED)
        return (ownTime() - before) / 1e6 / ASKED
      }),
      'recall over HTTP, 10,000 memories, to bare Fastify with an answer of that size': await overHttp(
        http,
        async () => (await http.hellos(HELLOS)) / HELLOS,
      ),
      'memorizing 2 KB texts in process, to bare FTS5 inserts': await inTurns(
        () => account.memorize(ADDED),
        async () => void bare.grow(corpus, account.texts, TEXT_CHARACTERS),
      ),
      '`recalld --version`, to `node -e 0`': await inTurns(run(RECALLD, '--version'), run('-e', '0'), childTime),
      '`recalld recall --help`, to `node -e 0`': await inTurns(
        run(RECALLD, 'recall', '--help'),
        run('-e', '0'),
        childTime,
      ),
    }
  } finally {
    await http.close()
    bare.close()
    await account.close()
  }
}

async function ask(account: SmallAccount, round: number): Promise<void> {
  for (let i = 0; i < ASKED; i++) await account.recall(round * ASKED + i)
}

function run(...args: readonly string[]): () => Promise<void> {
  return async () => {
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`)
  }
}

/** Microseconds of processor time of this process. */
function ownTime(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}

/** Milliseconds by the clock: a child has no other clock here, and waits for nothing. */
function childTime(): number {
  return performance.now()
}

async function inTurns(
  work: (round: number) => Promise<void>,
  baseline: () => Promise<void>,
  time: () => number = ownTime,
): Promise<Ratio> {
  const timed = async (one: () => Promise<void>) => {
    const start = time()
    await one()
    return time() - start
  }
  const ratios: number[] = []
  for (let round = 0; round < ROUNDS; round++) ratios.push((await timed(() => work(round))) / (await timed(baseline)))
  return medianOf(ratios)
}

/** @param baseline processor time of one, in seconds */
async function overHttp(http: HttpRecalls, baseline: () => Promise<number>): Promise<Ratio> {
  const ratios: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const recall = (await http.recalls(round * ASKED_OVER_HTTP, ASKED_OVER_HTTP)) / ASKED_OVER_HTTP
    ratios.push(recall / (await baseline()))
  }
  return medianOf(ratios)
}

function medianOf(ratios: readonly number[]): Ratio {
  const ratio = percentile(ratios, 0.5)
  return {
    ratio,
    spread: percentile(
      ratios.map((one) => Math.abs(one - ratio)),
      0.5,
    ),
  }
}
