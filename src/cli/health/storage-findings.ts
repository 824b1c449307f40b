import { existsSync } from 'node:fs'
import type { Context } from '../context.ts'
import { failureSentence } from '../terminal/failure.ts'
import { counted } from '../terminal/layout.ts'
import { type Finding, ok, problem, skipped } from './finding.ts'

const BLOBS = 'blobs'

/** Whether the storage of objects can be used, and what in it waits for something; nothing where nobody has one. */
export async function blobFindings(context: Context): Promise<Finding[]> {
  try {
    const { databaseUrl, blobUrl } = context.config()
    if (databaseUrl === undefined && !existsSync(context.home().database)) return []
    await using administration = await context.administration()
    const { bodies } = administration.service
    const { inStorage, inDatabase, garbage, unfinished } = await bodies.stats()
    if (blobUrl === undefined) return withoutStorage({ items: inStorage.items, garbage: garbage + unfinished })
    await bodies.checkPlace()
    const waiting = garbage === 0 ? '' : ` ${counted(garbage, 'object', 'objects')} of deleted uploads will be removed.`
    const sizes = `${counted(inStorage.items, 'upload', 'uploads')} there, ${inDatabase.items} in the database.`
    const measured = { in_storage: inStorage, in_database: inDatabase, garbage, unfinished }
    return [ok(BLOBS, `${bodies.place} can be written, read and removed from: ${sizes}${waiting}`, measured)]
  } catch (error) {
    return [problem(BLOBS, failureSentence(error))]
  }
}

function withoutStorage({ items, garbage }: { readonly items: number; readonly garbage: number }): Finding[] {
  const there = 'lie in a storage of objects that RECALLD_BLOB_URL does not name: set it again'
  if (items > 0) return [problem(BLOBS, `The bytes of ${counted(items, 'upload', 'uploads')} ${there}.`)]
  if (garbage === 0) return []
  const objects = `${counted(garbage, 'object', 'objects')} of deleted uploads`
  return [problem(BLOBS, `${objects} ${there}, and "recalld blobs move --to database" removes them.`)]
}

const INTEGRITY = 'integrity'

/** What the last weekly check of the stored data found. */
export async function integrityFindings(context: Context): Promise<Finding[]> {
  try {
    if (context.config().databaseUrl === undefined && !existsSync(context.home().database)) return []
    await using administration = await context.administration()
    const report = await administration.integrity()
    if (report === undefined)
      return [ok(INTEGRITY, 'not checked yet; the service does it every week while it is idle.')]
    const { at, problems, items, damaged, damaged_items: some } = report
    const day = at.slice(0, 10)
    const files = counted(items, 'stored file', 'stored files')
    if (problems.length === 0 && damaged === 0)
      return [ok(INTEGRITY, `${files} and all pages were sound on ${day}.`, report)]
    const names = some.map(({ source_type, item_id }) => `${source_type}/${item_id}`).join(', ')
    const lost = `${damaged} of ${files} were damaged on ${day} (${names}): upload them again with on_conflict=replace.`
    const pages = `The database was damaged on ${day} (${problems[0]}): restore a backup with "recalld restore FILE".`
    return [
      ...(problems.length > 0 ? [problem(INTEGRITY, pages)] : []),
      ...(damaged > 0 ? [problem(INTEGRITY, lost)] : []),
    ]
  } catch (error) {
    return [skipped(INTEGRITY, `not looked at: ${failureSentence(error)}`)]
  }
}
