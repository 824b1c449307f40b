import type { Command } from 'commander'
import type { MigrationReport } from '../../administration/migrate-store.ts'
import { jsonText } from '../../lib/terminal-text.ts'
import type { Context } from '../context.ts'
import { ExitCode } from '../terminal/failure.ts'
import { counted, table } from '../terminal/layout.ts'
import { type Progress, startProgress } from '../terminal/progress.ts'

interface Options {
  readonly from?: string
  readonly to: string
  readonly verifyOnly?: boolean
  readonly json?: boolean
}

const HELP = `
Stop every recalld that uses either one first. The source stays as it is; the target must be empty. An interrupted run
goes on where it was. Nothing is sent to a model, and bytes in a bucket stay where they are.

Examples:
  $ recalld migrate-store --to postgres://user:password@host/recalld
  $ recalld migrate-store --to postgres                  to the one that RECALLD_DATABASE_URL or config.yaml names
  $ recalld migrate-store --to sqlite                    back, to recalld.db of the home
  $ recalld migrate-store --to postgres --verify-only    compare both again`

export function addMigrateStore(program: Command, context: Context): void {
  program
    .command('migrate-store')
    .description('move everything from SQLite to PostgreSQL or back, and prove that it arrived')
    .requiredOption('--to <store>', 'sqlite, postgres, or an address of PostgreSQL')
    .option('--from <store>', 'the same; else the home, or with --to sqlite the database that the settings name')
    .option('--verify-only', 'compare both, and copy nothing')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action((options: Options) => migrateStore(context, options))
}

async function migrateStore({ io, ...context }: Context, options: Options): Promise<void> {
  let bar: Progress | undefined
  let report: MigrationReport
  try {
    report = await context.migrateStore({
      ...(options.from !== undefined && { from: options.from }),
      to: options.to,
      verifyOnly: options.verifyOnly === true,
      onStep(step, rows) {
        bar?.stop()
        if (!options.json) bar = startProgress(io.stderr, rows, `rows, ${step}`)
      },
      onRows: (rows) => bar?.step(rows),
    })
  } finally {
    bar?.stop()
  }
  io.stdout.write(options.json ? `${jsonText(report, 2)}\n` : reportText(report, options))
  if (!report.is_same) throw new ExitCode(1, failure(report, options))
}

function reportText(report: MigrationReport, { verifyOnly }: Options): string {
  const rows = report.tables.map(({ name, rows: { source, target }, is_same }) => {
    return [name, String(source), String(target), is_same ? 'the same' : 'DIFFERENT']
  })
  const compared = table([['', 'source', 'target', ''], ...rows])
  if (!report.is_same) return compared
  const chunks = counted(report.other_terms, 'passage was', 'passages were')
  const others =
    report.other_terms === 0 ? '' : `${chunks} indexed by an older version; the words of this one find them now.\n`
  if (verifyOnly) return `${compared}Both hold the same.\n`
  const next =
    report.to === 'postgres'
      ? 'Set RECALLD_DATABASE_URL, or database_url in config.yaml, to it on every machine, and start recalld. recalld.db stays as it was: keep it as a backup, and do not write to both.'
      : 'Take database_url out of the settings and start recalld. The database in PostgreSQL stays as it was: do not write to both.'
  return `${compared}${others}Everything arrived. ${next}\n`
}

function failure({ to }: MigrationReport, { verifyOnly }: Options): string {
  if (verifyOnly) return 'The two do not hold the same.'
  const remedy =
    to === 'sqlite'
      ? 'what had arrived was removed, and there is no recalld.db: run it again.'
      : 'empty the target and run it again.'
  return `The two do not hold the same, so the target cannot be used. Something wrote to the source after the first run: ${remedy}`
}
