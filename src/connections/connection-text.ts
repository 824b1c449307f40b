import type { ConnectionAction, ConnectionRemedy, ConnectionSituation } from '../http/app/schemas/sources.ts'
import { GAVE_WAY } from '../sync/sync-run.ts'
import { INTERRUPTED, type KnownConnection } from './connection-status.ts'
import type { GrantView } from './oauth/oauth-grants.ts'
import type { ConnectionStatus } from './sync-service.ts'

/** The facts that determine the text of a connection. */
export interface ConnectionSnapshot {
  readonly known: KnownConnection
  readonly status: ConnectionStatus
  readonly by: 'none' | 'token' | 'grant'
  /** The grant in use, when `by` is `grant`. */
  readonly grant: GrantView | undefined
  readonly running: boolean
  /** It waits for another connection of its account, or for others to end. */
  readonly waiting: boolean
  readonly removing: boolean
}

/** What a connection is doing, for the sentence of the app; `problem`: its problem says it. */
export function connectionSituation(snapshot: ConnectionSnapshot, problem: string | null): ConnectionSituation {
  const { known, status, running, waiting, removing } = snapshot
  if (removing) return 'removing'
  if (running) return 'running'
  if (waiting) return 'queued'
  switch (status.state) {
    case 'healthy':
      return 'up_to_date'
    case 'paused':
      return 'paused'
    case 'never ran':
      return problem === null ? 'not_synced' : 'problem'
    case 'waiting':
      return known.row?.problem === GAVE_WAY ? 'yielded' : 'rate_limited'
    case 'not configured':
      return 'disconnected'
    default:
      if (problem !== null) return 'problem'
      return known.row?.outcome === 'aborted' ? 'interrupted' : 'incomplete'
  }
}

interface Advice {
  readonly problem: string | null
  readonly remedy: ConnectionRemedy | null
  readonly action: ConnectionAction | null
}

/** The problem, and the action in the app. */
export function connectionAdvice({ known, status, by, grant, removing }: ConnectionSnapshot): Advice {
  const problem = status.problem
  if (removing || status.state === 'not configured') return { problem: null, remedy: null, action: null }
  if (known.problem !== undefined) {
    // The page names the connection.
    const problem = known.problem.message.replace(`${known.ref.connector}/${known.ref.name}: `, '')
    return { problem, remedy: 'fix_setting', action: 'edit' }
  }
  if (by === 'grant' && grant === undefined) {
    return { problem, remedy: 'choose_account', action: 'reauthorize' }
  }
  if (problem === INTERRUPTED) return { problem: null, remedy: 'continues', action: 'retry' }
  if (grant?.refusal !== undefined) {
    return { problem: grant.refusal, remedy: 'reconnect', action: 'reauthorize' }
  }
  return remedyFor(known.row?.remedy, { problem, by, hasFailures: status.failed + status.skipped > 0, status })
}

interface Trouble {
  readonly problem: string | null
  readonly by: ConnectionSnapshot['by']
  readonly hasFailures: boolean
  readonly status: ConnectionStatus
}

function remedyFor(remedy: string | undefined, { problem, by, hasFailures, status }: Trouble): Advice {
  switch (remedy) {
    case 'reauthorize':
      if (by === 'none') return { problem, remedy: 'allow_reading', action: 'retry' }
      return {
        problem,
        remedy: by === 'grant' ? 'reconnect' : 'new_token',
        action: 'reauthorize',
      }
    case 'reconfigure':
      return by === 'grant'
        ? { problem, remedy: 'reconnect_or_edit', action: 'reauthorize' }
        : { problem, remedy: 'edit', action: 'edit' }
    case 'restart':
      return { problem, remedy: 'reads_again', action: null }
    default:
      if (status.state === 'needs attention' || status.state === 'incomplete') {
        return { problem, remedy: problem === null ? null : 'retries', action: 'retry' }
      }
      return { problem, remedy: null, action: hasFailures ? 'retry' : null }
  }
}

/** The remedy for an unreadable partition; problems of the whole connection are shown there. */
export function partRemedy(remedy: string | undefined): ConnectionRemedy | null {
  switch (remedy) {
    case 'retry':
      return 'retries'
    case 'restart':
      return 'reads_again'
    default:
      return null
  }
}
