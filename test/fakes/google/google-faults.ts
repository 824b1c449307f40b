import { oneOf } from '../../lib/seeded-random.ts'
import type { GoogleFault, GoogleServer } from './google-server.ts'

const FAULTS: readonly Omit<GoogleFault, 'path'>[] = [
  { status: 500, reason: 'backendError' },
  { status: 503, reason: 'backendError' },
  { status: 429, reason: 'rateLimitExceeded', headers: { 'retry-after': '7' } },
  { status: 403, reason: 'userRateLimitExceeded' },
  { isCut: true },
]

/** Lets some of the next requests to one of these paths fail. @param own further ways to fail */
export function failAtRandom(
  server: GoogleServer,
  random: () => number,
  { paths, own = [] }: { readonly paths: readonly RegExp[]; readonly own?: readonly GoogleFault[] },
): void {
  const path = oneOf(random, paths)
  const fault = oneOf(random, [...FAULTS.map((each) => ({ ...each, path })), ...own])
  const after = Math.floor(random() * 4)
  // A request is tried four times.
  server.faults.push({ ...fault, after, times: oneOf(random, [1, 2, 5]) })
}

/** For sources that are compared in full: what may not be read is skipped. */
export function refusing(path: RegExp): GoogleFault {
  return { path, status: 403, reason: 'forbidden' }
}
