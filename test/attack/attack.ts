import { seededRandom } from '../lib/seeded-random.ts'

export type Random = () => number

/** What one attempt was, to be counted, and what did not hold. */
export interface Outcome {
  readonly kind: string
  readonly problems: readonly string[]
}

/** Attacks one service or home that it started. */
export interface Attacker extends AsyncDisposable {
  /** The same numbers make the same attempt. */
  attempt(random: Random): Promise<Outcome>
  /** What did not hold in the end, after all attempts. */
  verify?(): Promise<readonly string[]>
}

/** One kind of attack. */
export interface Generator {
  readonly name: string
  start(): Promise<Attacker>
}

interface Extent {
  readonly seed: number
  readonly attempts?: number
  readonly seconds?: number
}

export interface Failure {
  readonly seed: number
  readonly kind: string
  readonly problems: readonly string[]
  /** The command that does it again. */
  readonly repeat: string
}

export interface Report {
  readonly generator: string
  readonly attempts: number
  readonly seconds: number
  /** How often each kind was tried. */
  readonly tried: Readonly<Record<string, number>>
  readonly failures: readonly Failure[]
}

/** Attempts with the seeds from `seed` on, until there were enough of them or the time is over. */
export async function attack({ name, start }: Generator, extent: Extent): Promise<Report> {
  const { seed, attempts = Number.POSITIVE_INFINITY, seconds = Number.POSITIVE_INFINITY } = extent
  await using attacker = await start()
  const begin = performance.now()
  const tried: Record<string, number> = {}
  const failures: Failure[] = []
  let made = 0
  for (; made < attempts && performance.now() - begin < seconds * 1_000; made++) {
    const { kind, problems } = await attacker.attempt(randomOf(seed + made)).catch(unexpected)
    tried[kind] = (tried[kind] ?? 0) + 1
    if (problems.length > 0) failures.push({ seed: seed + made, kind, problems, repeat: repeat(name, seed + made) })
  }
  const left = (await attacker.verify?.()) ?? []
  if (left.length > 0)
    failures.push({ seed, kind: 'in the end', problems: left, repeat: `${repeat(name, seed)} --attempts ${made}` })
  return { generator: name, attempts: made, seconds: Math.round((performance.now() - begin) / 1_000), tried, failures }
}

/** Neighboring seeds, spread: their first numbers are then nothing alike. */
function randomOf(seed: number): Random {
  return seededRandom(Math.imul(seed, 0x9e3779b1))
}

function unexpected(error: unknown): Outcome {
  return { kind: 'unexpected', problems: [error instanceof Error ? (error.stack ?? error.message) : String(error)] }
}

function repeat(name: string, seed: number): string {
  return `npm run attack -- --only ${name} --seed ${seed} --attempts 1`
}

/** What was tried and what failed, for people. */
export function reportText({ generator, attempts, seconds, tried, failures }: Report): string {
  const kinds = Object.entries(tried).toSorted(([a], [b]) => a.localeCompare(b))
  const lines = [
    `${generator}: ${attempts} attempts in ${seconds} s, ${failures.length} failed`,
    ...kinds.map(([kind, count]) => `  ${String(count).padStart(6)}  ${kind}`),
    ...failures.flatMap(({ kind, problems, repeat: again }) => [
      `  FAILED ${kind}`,
      ...problems.map((problem) => `    ${problem}`),
      `    again: ${again}`,
    ]),
  ]
  return `${lines.join('\n')}\n`
}

/** A whole number from `least` to `most`. */
export function between(random: Random, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1))
}
