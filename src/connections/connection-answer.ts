import { z } from 'zod'
import { connectionEntryIn } from '../config/connection-entry.ts'
import { PART_NOUN } from '../domain/connector-listing.ts'
import {
  type Connection,
  type ConnectionDetail,
  type LastReport,
  type Partition,
  lastReport as wireReport,
} from '../http/app/schemas/sources.ts'
import { systemClock } from '../lib/clock.ts'
import type { ConnectionRow } from '../store/ledger/ledger.ts'
import { removalFact } from './change-sources.ts'
import { connectionAccess, connectionStatus, expiryWarning, type KnownConnection } from './connection-status.ts'
import { type ConnectionSnapshot, connectionAdvice, connectionSituation, partRemedy } from './connection-text.ts'
import { grantsOf, servingGrant } from './grantable-sources.ts'
import type { GrantView } from './oauth/oauth-grants.ts'
import { settingFields } from './setting-fields.ts'
import { idOf, type SourcesContext, type SourcesHome } from './sources-context.ts'

const FAILURES_SHOWN = 100

/** A connection as the app shows it. @param grants all grants */
export async function wireConnection(
  known: KnownConnection,
  context: SourcesContext,
  { environment, runs }: SourcesHome,
  grants: readonly GrantView[],
): Promise<Connection> {
  const { ref, connection, manifest, row } = known
  const { ledger } = environment
  const id = idOf(ref)
  const now = systemClock()
  const status = await connectionStatus(known, ledger, now)
  const access = connection && connectionAccess(connection)
  const grant = access?.by === 'grant' ? usedGrant(access.need, grants) : undefined
  const here = context.scheduler()?.runState(ref)
  const snapshot: ConnectionSnapshot = {
    ...{ known, status, grant },
    by: access?.by ?? 'none',
    running: status.state === 'running' || here === 'running',
    waiting: here === 'waiting' || row?.asked !== undefined,
    removing: connection === undefined && Boolean(await ledger.readFact(removalFact(ref))),
  }
  const advice = connectionAdvice(snapshot)
  const { account, schedule, last_run_at, last_success_at, next_run_at, items, failed, skipped, settling } = status
  return {
    ...{ id, connector: ref.connector, name: ref.name, title: status.title, account },
    source_types: [...(manifest?.sourceTypes ?? [])],
    icon: manifest?.listing.icon ?? 'app',
    part_noun: manifest?.listing.partNoun ?? PART_NOUN,
    state: snapshot.running ? 'running' : status.state,
    situation: connectionSituation(snapshot, advice.problem),
    ...advice,
    // The expiry of its access is shown separately.
    warnings: status.warnings.filter((warning) => warning !== expiryWarning(known, now)),
    schedule,
    paused: connection?.config.paused === true,
    ...{ last_run_at, last_success_at, next_run_at, items, failed, skipped, settling },
    coverage: status.coverage,
    access: { by: snapshot.by, grant: grant === undefined ? null : wireUsedGrant(grant) },
    expires_at: (grant?.expiresAt ?? row?.expiresAt)?.toISOString() ?? null,
    running: snapshot.running,
    progress: runs.progressOf(id) ?? null,
    removing: snapshot.removing,
  }
}

function usedGrant(
  need: NonNullable<ReturnType<typeof connectionAccess>>['need'],
  grants: readonly GrantView[],
): GrantView | undefined {
  return need && servingGrant(need.account, grantsOf(need.provider, need.family, grants))
}

function wireUsedGrant({ id, title, expiresAt, refusal }: GrantView) {
  return { id, title, expires_at: expiresAt?.toISOString() ?? null, refusal: refusal ?? null }
}

/** The same with its partitions, failures and settings. @param text of config.yaml */
export async function wireConnectionDetail(
  known: KnownConnection,
  context: SourcesContext,
  home: SourcesHome,
  { grants, text }: { readonly grants: readonly GrantView[]; readonly text: string },
): Promise<ConnectionDetail> {
  const { ref, manifest, row } = known
  const { ledger } = home.environment
  const [connection, partitions, counts, failures] = await Promise.all([
    wireConnection(known, context, home, grants),
    ledger.listPartitions(ref),
    ledger.countItems(ref),
    ledger.failedItems(ref, FAILURES_SHOWN),
  ])
  const entry = known.connection === undefined && known.problem === undefined ? undefined : entryOf(text, ref, context)
  return {
    ...connection,
    partitions: partitions.map((partition): Partition => {
      const count = (...phases: readonly string[]) =>
        counts.reduce(
          (sum, one) =>
            one.partitionId === partition.partitionId && phases.includes(one.phase) ? sum + one.count : sum,
          0,
        )
      return {
        id: partition.partitionId,
        title: partition.title || partition.partitionId,
        complete: partition.error === undefined && !partition.scanning && partition.lastSuccessAt !== undefined,
        scanning: partition.scanning,
        last_success_at: partition.lastSuccessAt?.toISOString() ?? null,
        error: partition.error === undefined ? null : partition.error,
        error_at: partition.errorAt?.toISOString() ?? null,
        remedy: partRemedy(partition.remedy),
        items: count('clean', 'settling'),
        failed: count('failed'),
        skipped: count('skipped'),
      }
    }),
    failures: failures.map((item) => ({
      source_type: item.sourceType,
      item_id: item.itemId,
      title: item.title ?? item.itemId,
      phase: item.phase === 'skipped' ? 'skipped' : 'failed',
      reason: item.error ?? null,
      next_attempt_at: item.nextAttemptAt?.toISOString() ?? null,
      url: item.url ?? null,
    })),
    fields: manifest === undefined ? [] : settingFields(manifest, entry),
    last_report: row === undefined ? null : lastReport(row),
    forgotten: counts.reduce((sum, { phase, count }) => (phase === 'forgotten' ? sum + count : sum), 0),
  }
}

function entryOf(text: string, ref: KnownConnection['ref'], { settings }: SourcesContext) {
  return connectionEntryIn(text, ref, settings.fileName)
}

/**
 * The format of stored run reports; their times are columns of the connection. Reports of runs without a problem omit
 * it.
 */
const report = wireReport
  .omit({ started_at: true, ended_at: true })
  .extend({ problem: z.string().nullable().default(null) })

/** The report of the last run; nothing when it was killed before its first end. */
function lastReport(row: ConnectionRow): LastReport | null {
  const { data } = report.safeParse(JSON.parse(row.report ?? '{}'))
  if (data === undefined) return null
  const { lastStartedAt, lastEndedAt } = row
  const problem = data.problem && data.problem
  return {
    ...data,
    problem,
    started_at: lastStartedAt?.toISOString() ?? null,
    ended_at: lastEndedAt?.toISOString() ?? null,
  }
}
