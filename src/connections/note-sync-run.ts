import type { Service } from '../service/service.ts'
import type { RunReport } from '../sync/run-report.ts'

/**
 * Notes the run of a connection as activity of the account that it memorizes for. One that found nothing new, and nothing
 * wrong, is not told: there are hundreds of those in a day.
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
