import { existsSync } from 'node:fs'
import type { Context } from './context.ts'
import { failureSentence } from './failure.ts'
import { type Finding, ok, problem, skipped } from './finding.ts'
import { counted } from './style.ts'

const CHECK = 'integrity'

/** What the last weekly check of the stored data found. */
export async function integrityFindings(context: Context): Promise<Finding[]> {
  try {
    if (context.config().databaseUrl === undefined && !existsSync(context.home().database)) return []
    await using administration = await context.administration()
    const report = await administration.integrity()
    if (report === undefined) return [ok(CHECK, 'not checked yet; the service does it every week while it is idle.')]
    const { at, problems, items, damaged, damaged_items: some } = report
    const day = at.slice(0, 10)
    const files = counted(items, 'stored file', 'stored files')
    if (problems.length === 0 && damaged === 0)
      return [ok(CHECK, `${files} and all pages were sound on ${day}.`, report)]
    const names = some.map(({ source_type, item_id }) => `${source_type}/${item_id}`).join(', ')
    const lost = `${damaged} of ${files} were damaged on ${day} (${names}): upload them again with on_conflict=replace.`
    const pages = `The database was damaged on ${day} (${problems[0]}): restore a backup with "recalld restore FILE".`
    return [...(problems.length > 0 ? [problem(CHECK, pages)] : []), ...(damaged > 0 ? [problem(CHECK, lost)] : [])]
  } catch (error) {
    return [skipped(CHECK, `not looked at: ${failureSentence(error)}`)]
  }
}
