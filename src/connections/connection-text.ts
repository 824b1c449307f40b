import type { LiveProgress } from '../domain/activity.ts'
import type { ConnectionAction } from '../http/app/schemas/sources.ts'
import { GAVE_WAY } from '../sync/sync-run.ts'
import type { KnownConnection } from './connection-status.ts'
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
  readonly progress: LiveProgress | undefined
}

/** The state of a connection, in a sentence. */
export function connectionWords(snapshot: ConnectionSnapshot, problem: string | null): string {
  const { known, status, running, waiting, removing, progress } = snapshot
  const held = status.items + status.failed + status.skipped
  if (removing) return `Removing. ${counted(held, 'item')} left.`
  if (running) return runningWords(status, progress)
  if (waiting) return 'Waiting for another connection of this account.'
  switch (status.state) {
    case 'healthy':
      return status.failed + status.skipped === 0
        ? 'Up to date as of the last run.'
        : `Up to date as of the last run, except for ${counted(status.failed + status.skipped, 'item')}.`
    case 'paused':
      return 'Paused. Nothing new is synced.'
    case 'never ran':
      return problem ?? 'Not synced yet.'
    case 'waiting':
      if (known.row?.problem === GAVE_WAY) return GAVE_WAY
      return `Waiting for a rate limit of ${status.title}. It continues automatically.`
    case 'not configured':
      return `No longer connected. ${counted(held, 'item')} kept.`
    default:
      if (known.row?.outcome === 'aborted')
        return problem ?? 'The last run was stopped. The next one continues where it stopped.'
      return problem ?? 'The last run was incomplete.'
  }
}

function runningWords({ last_success_at: success }: ConnectionStatus, progress: LiveProgress | undefined): string {
  const how = success === null ? 'First sync in progress' : 'Syncing'
  if (progress?.waitingUntil !== undefined) return `${how}, waiting for a rate limit of the source.`
  if (progress === undefined || progress.partitionsTotal === 0) return `${how}.`
  return `${how}: ${progress.partitionsDone} of ${progress.partitionsTotal} parts done.`
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}

interface Advice {
  readonly problem: string | null
  readonly remedy: string | null
  readonly action: ConnectionAction | null
}

/** The problem, and the action in the app. */
export function connectionAdvice({ known, status, by, grant, removing }: ConnectionSnapshot): Advice {
  const problem = status.problem
  if (removing || status.state === 'not configured') return { problem: null, remedy: null, action: null }
  if (known.problem !== undefined) {
    return { problem: known.problem.message, remedy: 'Fix this setting.', action: 'edit' }
  }
  if (by === 'grant' && grant === undefined) {
    const said = problem ?? 'No account is connected yet, or several are.'
    return { problem: said, remedy: 'Connect an account, or choose one.', action: 'reauthorize' }
  }
  if (grant?.refusal !== undefined) {
    return { problem: grant.refusal, remedy: 'Reconnect it.', action: 'reauthorize' }
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
      if (by === 'none') return { problem, remedy: 'Allow recalld to read it on its machine.', action: 'retry' }
      return {
        problem,
        remedy: by === 'grant' ? 'Reconnect it.' : 'Create a new token and paste it here.',
        action: 'reauthorize',
      }
    case 'reconfigure':
      return by === 'grant'
        ? { problem, remedy: 'Reconnect it, or change its settings.', action: 'reauthorize' }
        : { problem, remedy: 'Change its settings.', action: 'edit' }
    case 'restart':
      return { problem, remedy: 'The next run automatically reads everything again and compares.', action: null }
    default:
      if (status.state === 'needs attention' || status.state === 'incomplete') {
        return { problem, remedy: problem === null ? null : 'It is retried automatically.', action: 'retry' }
      }
      return { problem, remedy: null, action: hasFailures ? 'retry' : null }
  }
}

/** The remedy for an unreadable partition; problems of the whole connection are shown there. */
export function partRemedy(remedy: string | undefined): string | null {
  switch (remedy) {
    case 'retry':
      return 'It is retried automatically.'
    case 'restart':
      return 'The next run automatically reads everything again and compares.'
    default:
      return null
  }
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** A cron expression of five fields in words; complex ones are returned unchanged. */
export function scheduleWords(expression: string): string {
  const parts = expression.trim().split(/\s+/)
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = parts
  if (parts.length !== 5 || month !== '*') return expression
  const isDaily = day === '*' && weekday === '*'
  if (isDaily && hour === '*') return minutesWords(minute) ?? expression
  if (isDaily && isNumber(minute) && /^\*\/\d+$/.test(hour)) return `every ${hour.slice(2)} hours`
  if (!isNumber(minute) || !isNumber(hour)) return expression
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`
  if (isDaily) return `every day at ${time}`
  if (day === '*' && weekday === '1-5') return `on weekdays at ${time}`
  if (day === '*' && isNumber(weekday) && WEEKDAYS[Number(weekday)] !== undefined) {
    return `every ${WEEKDAYS[Number(weekday)]} at ${time}`
  }
  return expression
}

function minutesWords(minute: string): string | undefined {
  if (minute === '*') return 'every minute'
  if (/^\*\/\d+$/.test(minute)) return `every ${minute.slice(2)} minutes`
  return isNumber(minute) ? 'every hour' : undefined
}

function isNumber(text: string): boolean {
  return /^\d{1,2}$/.test(text)
}
