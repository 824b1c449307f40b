import type { COUNTERS, GAUGES, HISTOGRAMS } from './metric-catalogue.ts'

type Counters = typeof COUNTERS
type Histograms = typeof HISTOGRAMS
type Gauges = typeof GAUGES
type Labels<Names extends readonly string[]> = Readonly<Record<Names[number], string>>

/** Where numbers are told as things happen. Costs next to nothing; never fails. */
export interface Meter {
  /** @param by 1 when absent; never negative */
  count<Name extends keyof Counters>(name: Name, labels: Labels<Counters[Name]['labels']>, by?: number): void
  /** One value of a distribution; times in seconds. */
  observe<Name extends keyof Histograms>(name: Name, labels: Labels<Histograms[Name]['labels']>, value: number): void
  /** What is so now. */
  set<Name extends keyof Gauges>(name: Name, labels: Labels<Gauges[Name]['labels']>, value: number): void
}

/** Where nobody reads the numbers. */
export const NO_METER: Meter = {
  count: () => undefined,
  observe: () => undefined,
  set: () => undefined,
}

/** @param since of `performance.now()` */
export function secondsSince(since: number): number {
  return (performance.now() - since) / 1_000
}
