import type { Command } from 'commander'
import type { MigrationReport } from '../../administration/migrate-store.ts'
import { jsonText } from '../../lib/terminal-text.ts'
import type { Context } from '../context.ts'
import { ExitCode } from '../terminal/failure.ts'
import { table } from '../terminal/layout.ts'
import { messages as terminal } from '../terminal/messages.ts'
import { type Progress, startProgress } from '../terminal/progress.ts'
import { messages } from './messages.ts'

interface Options {
  readonly from?: string
  readonly to: string
  readonly verifyOnly?: boolean
  readonly json?: boolean
}

export function addMigrateStore(program: Command, context: Context): void {
  program
    .command('migrate-store')
    .description(messages.migrateStore)
    .requiredOption('--to <store>', messages.migrateTo)
    .option('--from <store>', messages.migrateFrom)
    .option('--verify-only', messages.verifyOnly)
    .option('--json', terminal.json)
    .addHelpText('after', messages.migrateHelp)
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
        if (!options.json) bar = startProgress(io.stderr, rows, messages.rows(step))
      },
      onRows: (rows) => bar?.step(rows),
    })
  } finally {
    bar?.stop()
  }
  io.stdout.write(options.json ? `${jsonText(report, 2)}\n` : reportText(report, options))
  if (!report.is_same) throw new ExitCode(1, differenceText(report, options))
}

function reportText(report: MigrationReport, { verifyOnly }: Options): string {
  const rows = report.tables.map(({ name, rows: { source, target }, is_same }) => {
    return [name, String(source), String(target), is_same ? messages.same : messages.different]
  })
  const compared = table([['', 'source', 'target', ''], ...rows])
  if (!report.is_same) return compared
  if (verifyOnly) return `${compared}${messages.bothSame}\n`
  const reindexed = report.other_terms === 0 ? '' : `${messages.reindexed(report.other_terms)}\n`
  const next = report.to === 'postgres' ? messages.movedToPostgres : messages.movedToSqlite
  return `${compared}${reindexed}${next}\n`
}

function differenceText({ to }: MigrationReport, { verifyOnly }: Options): string {
  if (verifyOnly) return messages.bothDiffer
  return messages.migrationDiffers(to === 'sqlite' ? messages.rerunAfterRemoval : messages.emptyAndRerun)
}
