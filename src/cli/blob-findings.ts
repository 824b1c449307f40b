import { existsSync } from 'node:fs'
import type { Context } from './context.ts'
import { failureSentence } from './failure.ts'
import { type Finding, ok, problem } from './finding.ts'
import { counted } from './style.ts'

const CHECK = 'blobs'

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
    return [ok(CHECK, `${bodies.place} can be written, read and removed from: ${sizes}${waiting}`, measured)]
  } catch (error) {
    return [problem(CHECK, failureSentence(error))]
  }
}

function withoutStorage({ items, garbage }: { readonly items: number; readonly garbage: number }): Finding[] {
  const there = 'lie in a storage of objects that RECALLD_BLOB_URL does not name: set it again'
  if (items > 0) return [problem(CHECK, `The bytes of ${counted(items, 'upload', 'uploads')} ${there}.`)]
  if (garbage === 0) return []
  const objects = `${counted(garbage, 'object', 'objects')} of deleted uploads`
  return [problem(CHECK, `${objects} ${there}, and "recalld blobs move --to database" removes them.`)]
}
