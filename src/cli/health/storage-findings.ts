import { existsSync } from 'node:fs'
import type { Context } from '../context.ts'
import { failureSentence } from '../terminal/failure.ts'
import { type Finding, ok, problem, skipped } from './finding.ts'
import { messages } from './messages.ts'

const BLOBS = 'blobs'

/** Whether the bucket works, and what will be removed from it; empty without a bucket. */
export async function blobFindings(context: Context): Promise<Finding[]> {
  try {
    const { databaseUrl, blobUrl } = context.config()
    if (databaseUrl === undefined && !existsSync(context.home().database)) return []
    await using administration = await context.administration()
    const { bodies } = administration.service
    const { inStorage, inDatabase, garbage, unfinished } = await bodies.stats()
    if (blobUrl === undefined) return withoutStorage({ items: inStorage.items, garbage: garbage + unfinished })
    await bodies.checkPlace()
    const waiting = garbage === 0 ? '' : ` ${messages.garbage(garbage)}`
    const working = messages.bucketWorks(bodies.place ?? '', inStorage.items, inDatabase.items)
    const measured = { in_storage: inStorage, in_database: inDatabase, garbage, unfinished }
    return [ok(BLOBS, `${working}${waiting}`, measured)]
  } catch (error) {
    return [problem(BLOBS, failureSentence(error))]
  }
}

function withoutStorage({ items, garbage }: { readonly items: number; readonly garbage: number }): Finding[] {
  if (items > 0) return [problem(BLOBS, messages.bucketMissing(items))]
  if (garbage === 0) return []
  return [problem(BLOBS, messages.garbageMissing(garbage))]
}

const INTEGRITY = 'integrity'

/** The result of the last weekly check of the stored data. */
export async function integrityFindings(context: Context): Promise<Finding[]> {
  try {
    if (context.config().databaseUrl === undefined && !existsSync(context.home().database)) return []
    await using administration = await context.administration()
    const report = await administration.integrity()
    if (report === undefined) return [ok(INTEGRITY, messages.neverVerified)]
    const { at, problems, items, damaged, damaged_items: some } = report
    const day = at.slice(0, 10)
    if (problems.length === 0 && damaged === 0) return [ok(INTEGRITY, messages.verified(items, day), report)]
    const names = some.map(({ source_type, item_id }) => `${source_type}/${item_id}`).join(', ')
    const lost = messages.filesDamaged(damaged, items, day, names)
    const pages = messages.pagesDamaged(day, problems[0] ?? '')
    return [
      ...(problems.length > 0 ? [problem(INTEGRITY, pages)] : []),
      ...(damaged > 0 ? [problem(INTEGRITY, lost)] : []),
    ]
  } catch (error) {
    return [skipped(INTEGRITY, messages.notChecked(failureSentence(error)))]
  }
}
