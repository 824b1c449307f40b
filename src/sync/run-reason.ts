import type { RunReason } from '../store/ledger/ledger.ts'
import type { ScheduledConnection } from './choose-runs.ts'

/** Why a connection is run now; `undefined`: somebody asked for it in this process. */
export function runReason({ wanted, plannedAt }: ScheduledConnection): RunReason | undefined {
  if (wanted !== undefined) return wanted.isByLedger ? 'asked' : undefined
  return plannedAt === undefined ? undefined : { dueAt: new Date(plannedAt) }
}
