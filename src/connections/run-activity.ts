import type { ActivityEntry, LiveProgress } from '../domain/activity.ts'
import type { LiveEvents } from '../service/live-events.ts'
import type { Service } from '../service/service.ts'
import type { RunReport, SyncProgress } from '../sync/run-report.ts'
import type { GrantView, OAuthGrants, StartedGrant } from './oauth/oauth-grants.ts'

/** The runs of this process, published to the viewers of the account they write to. */
export interface LiveRuns {
  /** @param id `slack/acme` */
  progressOf(id: string): LiveProgress | undefined
  /** Publishes the start, the progress and the end of a run. */
  follow<T>(id: string, run: (onProgress: (progress: SyncProgress) => void) => Promise<T>): Promise<T>
}

/** Maximum rate of progress events: people cannot read more than four numbers a second. */
const EVERY_MS = 250

/** @param accountId of the memory; absent: it has no viewers here */
export function liveRuns(live: LiveEvents, accountId: string | undefined): LiveRuns {
  const running = new Map<string, LiveProgress>()
  const publish = (event: Parameters<LiveEvents['publish']>[0]) => {
    if (accountId !== undefined) live.publish(event, accountId)
  }
  return {
    progressOf: (id) => running.get(id),
    async follow(id, run) {
      let publishedAt = Number.NEGATIVE_INFINITY
      let timer: NodeJS.Timeout | undefined
      const publishProgress = () => {
        timer = undefined
        publishedAt = performance.now()
        const progress = running.get(id)
        if (progress !== undefined) publish({ type: 'sync', connection: id, progress })
      }
      running.set(id, NOTHING_YET)
      publish({ type: 'sources' })
      try {
        return await run((progress) => {
          running.set(id, liveProgress(progress))
          timer ??= setTimeout(publishProgress, Math.max(0, publishedAt + EVERY_MS - performance.now())).unref()
        })
      } finally {
        clearTimeout(timer)
        if (timer !== undefined) publishProgress()
        running.delete(id)
        publish({ type: 'sources' })
      }
    },
  }
}

const NOTHING_YET: LiveProgress = {
  partitionsDone: 0,
  partitionsTotal: 0,
  memorized: 0,
  unchanged: 0,
  removed: 0,
  failed: 0,
}

function liveProgress(progress: SyncProgress): LiveProgress {
  const { partition, partitionsDone, partitionsTotal = 0, memorized, unchanged, removed, failed } = progress
  const { perMinute, remainingMs, recentDays } = progress
  return {
    ...(partition !== undefined && { partition }),
    ...{ partitionsDone, partitionsTotal, memorized, unchanged, removed, failed },
    ...(perMinute !== undefined && { perMinute: Math.round(perMinute) }),
    ...(remainingMs !== undefined && { remainingSeconds: Math.round(remainingMs / 1_000) }),
    ...(recentDays !== undefined && { recentDays }),
    ...(progress.waitingUntil !== undefined && { waitingUntil: progress.waitingUntil.toISOString() }),
  }
}

/**
 * Records the run of a connection as activity of its account. A run without changes and failures is not recorded,
 * because there are hundreds a day.
 */
export function noteSyncRun({ activity }: Pick<Service, 'activity'>, accountId: string, report: RunReport): void {
  const { outcome, memorized, removed, failed } = report
  if (outcome === 'aborted' || (outcome === 'ok' && memorized + removed + failed === 0)) return
  const connection = `${report.connector}/${report.name}`
  activity.note(
    accountId,
    { type: 'connection', id: connection },
    { kind: 'sync', connection, outcome, memorized, removed, failed },
  )
}

/** Grants that report additions and removals to `note`. */
export function notedGrants(grants: OAuthGrants, note: (entry: ActivityEntry) => void): OAuthGrants {
  const noted = (grant: GrantView) => {
    note({ kind: 'grant_made', provider: grant.provider, account: grant.title })
    return grant
  }
  const started = (grant: StartedGrant): StartedGrant => ({
    ...grant,
    complete: async (redirected, signal) => noted(await grant.complete(redirected, signal)),
  })
  return {
    providers: () => grants.providers(),
    list: () => grants.list(),
    knownClient: (provider, grant) => grants.knownClient(provider, grant),
    begin: async (request) => started(await grants.begin(request)),
    resume: async (begun) => started(await grants.resume(begun)),
    byDevice: async (request) => noted(await grants.byDevice(request)),
    async revoke(id, signal) {
      const revoked = await grants.revoke(id, signal)
      const { provider, title } = revoked.grant
      note({ kind: 'grant_removed', provider, account: title })
      return revoked
    },
  }
}
