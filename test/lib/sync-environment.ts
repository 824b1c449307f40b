import type { Memory } from '../../src/domain/memory.ts'
import type { Ledger } from '../../src/store/ledger/ledger.ts'
import type { SyncEnvironment } from '../../src/sync/connection.ts'
import { type MovableClock, movableClock } from '../contract/store-contract.ts'
import { NO_GRANTS } from './no-grants.ts'
import { recordingLog } from './recording-log.ts'

export interface TestEnvironment extends SyncEnvironment {
  readonly clock: MovableClock
}

/** What a run works with, in a made-up time: to sleep is to move the clock. Nothing is left to chance. */
export function syncEnvironment(
  parts: { readonly ledger: Ledger; readonly memory: Memory; readonly clock?: MovableClock } & Partial<SyncEnvironment>,
): TestEnvironment {
  const clock = parts.clock ?? movableClock()
  return {
    userName: 'Ada Lovelace',
    timeZone: 'Europe/Berlin',
    grants: NO_GRANTS,
    machine: { platform: 'linux', userHome: '/nowhere', env: {}, temporaryFolder: '/nowhere', spoolFolder: '/nowhere' },
    log: recordingLog().log,
    holder: 'test',
    sleep: async (ms, signal) => {
      if (!signal.aborted) clock.advance(ms)
    },
    random: () => 0.5,
    countSecrets: (text): Record<string, number> => {
      const keys = text.match(/AKIA[A-Z0-9]{16}/g)?.length ?? 0
      return keys === 0 ? {} : { 'AWS key': keys }
    },
    patienceMs: 60_000,
    ...parts,
    clock,
  }
}
