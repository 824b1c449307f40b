import { z } from 'zod'
import type { Connector, Manifest } from '../connector/connector.ts'
import { type AppError, locatedMessage } from '../domain/errors.ts'
import { problemSentence } from '../domain/source-problems.ts'
import type {
  ConnectionName,
  ConnectionRow,
  ItemPhase,
  Ledger,
  LedgerItem,
  PartitionRow,
} from '../store/ledger/ledger.ts'
import { type Connection, connectionName, scheduleOf } from '../sync/connection.ts'
import { type KeptProgress, readProgress } from '../sync/kept-progress.ts'
import type { ConfiguredConnections, ConnectorRegistry } from './configured-connections.ts'
import type {
  ConnectionAccess,
  ConnectionState,
  ConnectionStatus,
  ConnectorView,
  StatedProgress,
} from './sync-service.ts'

/** A connection that is configured, known from earlier runs, or both. */
export interface KnownConnection {
  readonly ref: ConnectionName
  /** Absent when it is not configured. */
  readonly connection: Connection | undefined
  /** Absent for a connector that this version does not have. */
  readonly manifest: Manifest | undefined
  /** Absent before its first run. */
  readonly row: ConnectionRow | undefined
  /** Present when its settings are invalid, so that it cannot run. */
  readonly problem?: AppError
}

/** The problem of a run whose process ended before it. */
export const INTERRUPTED = 'The last sync was interrupted.'
const FAILURES_SHOWN = 100
/** What happens next without the person, by the remedy of an error. */
const AUTOMATIC: ReadonlyMap<string, string> = new Map([
  ['retry', 'It is retried automatically.'],
  ['restart', 'The next sync automatically reads everything again and compares.'],
])
const WARNINGS = z.array(z.string())
/** How early to warn about expiring access. */
const EXPIRY_WARNING_MS = 7 * 86_400_000

/** The state of a connection, from the ledger and the configuration. @param ledger absent when the home has none yet */
export async function connectionStatus(
  known: KnownConnection,
  ledger: Ledger | undefined,
  now: Date,
): Promise<ConnectionStatus> {
  const { ref, connection, manifest, row } = known
  const [partitions, counts, skips, failures, kept] =
    row === undefined || ledger === undefined
      ? [[], [], [], []]
      : await Promise.all([
          ledger.listPartitions(ref),
          ledger.countItems(ref),
          ledger.skipReasons(ref),
          ledger.failedItems(ref, FAILURES_SHOWN),
          readProgress(ledger, ref),
        ])
  const count = (...phases: ItemPhase[]) =>
    counts.reduce((sum, entry) => (phases.includes(entry.phase) ? sum + entry.count : sum), 0)
  const state = connectionState(known, now)
  const cutOff = state === 'incomplete' && row !== undefined && isCutOff(row)
  const ageMs = oldestCursorMs(partitions, now)
  return {
    connector: ref.connector,
    name: ref.name,
    title: manifest?.title ?? ref.connector,
    account: row?.accountTitle ?? row?.account ?? null,
    state,
    schedule: connection === undefined ? null : scheduleOf(connection),
    last_run_at: iso(row?.lastStartedAt),
    last_success_at: iso(row?.lastSuccessAt),
    next_run_at: connection === undefined || state === 'paused' ? null : iso(row?.nextRunAt),
    // Items in their quiet period count as remembered, in their previous version.
    items: count('clean', 'settling'),
    failed: count('failed'),
    skipped: count('skipped'),
    skip_reasons: skips.map(({ code, message, count }) => ({
      code: code ?? null,
      ...(message !== undefined && { message }),
      count,
    })),
    settling: count('settling'),
    coverage: { complete: partitions.filter(isComplete).length, total: partitions.length },
    partitions: partitions.flatMap(partitionProblem),
    failures: failures.map(failureOf),
    cursor_age_s: ageMs === undefined ? null : Math.round(ageMs / 1_000),
    cursor_limit_s: manifest?.cursorLife === undefined ? null : Math.round(manifest.cursorLife.warnAfterMs / 1_000),
    warnings: warningsOf(known, ageMs, now),
    progress: statedProgress(kept, { state, isFirst: row?.lastSuccessAt === undefined, now }),
    ...adviceOf(known, cutOff),
  }
}

/** Longer ago, the progress is that of a run that was killed. */
const CURRENT_MS = 60_000

function statedProgress(
  kept: KeptProgress | undefined,
  { state, isFirst, now }: { readonly state: ConnectionState; readonly isFirst: boolean; readonly now: Date },
): StatedProgress | null {
  if (kept === undefined) return null
  const { at, items_per_minute, remaining_s, recent_days } = kept
  if (state === 'running' && now.getTime() - Date.parse(at) < CURRENT_MS) {
    return { items_per_minute, remaining_s, recent_days }
  }
  return isFirst && recent_days !== null ? { items_per_minute: null, remaining_s: null, recent_days } : null
}

function adviceOf(known: KnownConnection, cutOff: boolean): Pick<ConnectionStatus, 'problem' | 'remedy'> {
  if (known.problem !== undefined) return { problem: locatedMessage(known.problem), remedy: null }
  if (cutOff) return { problem: INTERRUPTED, remedy: 'The next sync continues where it stopped.' }
  return { problem: known.row?.problem ?? null, remedy: remedyOf(known) }
}

/** The state of a connection without what its items and parts say. */
export function connectionState({ connection, row, problem }: KnownConnection, now: Date): ConnectionState {
  if (row?.running !== undefined && row.running.until > now) return 'running'
  if (problem !== undefined) return 'needs attention'
  if (connection === undefined) return 'not configured'
  if (connection.config.paused === true) return 'paused'
  if (row?.lastStartedAt === undefined) return 'never ran'
  if (isCutOff(row)) return 'incomplete'
  switch (row.outcome) {
    case 'ok':
      return 'healthy'
    case 'waiting':
      return 'waiting'
    case 'attention':
      return 'needs attention'
    default:
      return 'incomplete'
  }
}

/** It started but did not end, because its process was killed. */
function isCutOff({ lastStartedAt, lastEndedAt }: ConnectionRow): boolean {
  return lastStartedAt !== undefined && (lastEndedAt === undefined || lastEndedAt < lastStartedAt)
}

function isComplete({ error, scanning, lastSuccessAt }: PartitionRow): boolean {
  return error === undefined && !scanning && lastSuccessAt !== undefined
}

function partitionProblem({ title, partitionId, error, errorAt, remedy }: PartitionRow) {
  if (error === undefined) return []
  const next = remedy === undefined ? undefined : AUTOMATIC.get(remedy)
  return [{ partition: title || partitionId, error, remedy: next ?? null, since: iso(errorAt) }]
}

function failureOf({ title, itemId, error, nextAttemptAt }: LedgerItem) {
  return { item: title ?? itemId, error: error ?? 'no reason was recorded', next_attempt_at: iso(nextAttemptAt) }
}

function oldestCursorMs(partitions: readonly PartitionRow[], now: Date): number | undefined {
  const times = partitions.flatMap(({ cursorAt }) => (cursorAt === undefined ? [] : [cursorAt.getTime()]))
  return times.length === 0 ? undefined : Math.max(0, now.getTime() - Math.min(...times))
}

function warningsOf(known: KnownConnection, cursorAgeMs: number | undefined, now: Date): string[] {
  const { manifest, row } = known
  const warnings = row?.warnings === undefined ? [] : WARNINGS.parse(JSON.parse(row.warnings))
  const life = manifest?.cursorLife
  if (life !== undefined && cursorAgeMs !== undefined && cursorAgeMs > life.warnAfterMs) {
    const day = new Date(now.getTime() - cursorAgeMs).toISOString().slice(0, 10)
    warnings.push(`Part of it was last synced on ${day}, and ${life.reason}.`)
  }
  const expiry = expiryWarning(known, now)
  return expiry === undefined ? warnings : [...warnings, expiry]
}

/** A warning that its access expires soon, or has expired, with the command to renew it. */
export function expiryWarning(known: KnownConnection, now: Date): string | undefined {
  const expiresAt = known.row?.expiresAt
  if (expiresAt === undefined || expiresAt.getTime() - now.getTime() >= EXPIRY_WARNING_MS) return undefined
  const isOver = expiresAt <= now
  const day = expiresAt.toISOString().slice(0, 10)
  return isReadByGrant(known)
    ? `Access ${isOver ? 'expired' : 'expires'} on ${day}. Run ${grantCommand(known)}.`
    : problemSentence(isOver ? 'token_expired' : 'token_expires_soon', { day })
}

/** The remedy of a source's error, as a sentence. */
function remedyOf(known: KnownConnection): string | null {
  const { ref, connection, manifest, row } = known
  if (row?.remedy === undefined) return null
  const name = `${ref.connector}/${ref.name}`
  switch (row.remedy) {
    case 'reauthorize':
      if (isReadByGrant(known)) return `Run ${grantCommand(known)}.`
      return manifest?.auth === 'none'
        ? 'Reconnect it.'
        : `Create a new token and put it in ${tokenPlace(ref, connection)}, or run "recalld connect ${ref.connector} --name ${ref.name}".`
    case 'reconfigure': {
      const settings = `hange the settings of ${name} below connectors in config.yaml`
      return isReadByGrant(known) ? `Run ${grantCommand(known)}, or c${settings}.` : `C${settings}.`
    }
    case 'skip':
      return `It was skipped. Run "recalld retry ${name}" to try it again.`
    default:
      return AUTOMATIC.get(row.remedy) ?? row.remedy
  }
}

function isReadByGrant({ connection }: KnownConnection): boolean {
  return connection !== undefined && connectionAccess(connection)?.by === 'grant'
}

/** Requests access as the connection uses it: a connector with tokens would otherwise ask for a token. */
function grantCommand({ ref, manifest }: KnownConnection): string {
  const how = manifest?.grant?.provider === ref.connector ? ' --oauth' : ''
  const which = ref.name === 'me' ? '' : ` --name ${ref.name}`
  return `"recalld connect ${ref.connector}${how}${which}"`
}

function tokenPlace(ref: ConnectionName, connection: Connection | undefined): string {
  const config: object | undefined = connection?.config
  const file = config !== undefined && 'token_file' in config ? config.token_file : undefined
  return typeof file === 'string' ? file : `token or token_file of ${ref.connector}/${ref.name} in config.yaml`
}

function iso(date: Date | undefined): string | null {
  return date?.toISOString() ?? null
}

/** Settings with access of their own, instead of a grant. */
const OWN_ACCESS = ['token', 'token_file', 'service_account_file']

/** How a connection gets access; `undefined` when it needs none. */
export function connectionAccess({ connector, config }: Connection): ConnectionAccess | undefined {
  const { id, auth, grant } = connector.manifest
  if (auth === 'none') return undefined
  const settings: Readonly<Record<string, unknown>> = { ...config }
  const isOwn = grant === undefined || OWN_ACCESS.some((setting) => settings[setting] !== undefined)
  const base = { connector: id, name: config.name, by: isOwn ? 'token' : 'grant' } as const
  if (grant === undefined) return base
  const { provider, family } = grant
  const { account } = settings
  const scopes = grant.scopes(config)
  if (!isOwn && scopes.length === 0 && needsScopes(connector)) return undefined
  return { ...base, need: { provider, family, scopes, ...(typeof account === 'string' && { account }) } }
}

/** Whether a connection needs a grant unless its settings say otherwise: one that reads only exports needs none. */
function needsScopes(connector: Connector): boolean {
  return (newConnectionGrant(connector).grant?.scopes?.length ?? 0) > 0
}

/** What a connection with only a name needs. */
export function newConnectionGrant({ manifest }: Connector): Pick<ConnectorView, 'grant'> {
  const { grant, config } = manifest
  if (grant === undefined) return {}
  const { provider, family } = grant
  const parsed = config.safeParse({ name: 'me' })
  return { grant: { provider, family, ...(parsed.success && { scopes: grant.scopes(parsed.data) }) } }
}

/**
 * The configured connections in the order of config.yaml, then the invalid ones, then those known only to the ledger.
 */
export async function knownConnections(
  { connections, wrong }: ConfiguredConnections,
  rows: readonly ConnectionRow[],
  registry: ConnectorRegistry,
): Promise<KnownConnection[]> {
  const rest = new Map(rows.map((row) => [`${row.connector}/${row.name}`, row]))
  const rowOf = (name: string) => {
    const row = rest.get(name)
    rest.delete(name)
    return row
  }
  const manifestOf = async (id: string) => {
    const load = Object.hasOwn(registry, id) ? registry[id] : undefined
    return load === undefined ? undefined : (await load()).manifest
  }
  const known = connections.map((connection): KnownConnection => {
    return {
      ref: connectionName(connection),
      connection,
      manifest: connection.connector.manifest,
      row: rowOf(connectionLabel(connectionName(connection))),
    }
  })
  for (const { connector, name, problem } of wrong) {
    const row = rowOf(`${connector}/${name}`)
    known.push({ ref: { connector, name }, connection: undefined, manifest: await manifestOf(connector), row, problem })
  }
  for (const row of rest.values()) {
    const ref = { connector: row.connector, name: row.name }
    known.push({ ref, connection: undefined, manifest: await manifestOf(row.connector), row })
  }
  return known
}

function connectionLabel({ connector, name }: ConnectionName): string {
  return `${connector}/${name}`
}
