import type { Command } from 'commander'
import type { RetentionReport } from '../../administration/administration.ts'
import { jsonText, printable } from '../../lib/terminal-text.ts'
import type { Context } from '../context.ts'
import { counted, table } from '../terminal/layout.ts'

interface Options {
  readonly dryRun?: boolean
  readonly json?: boolean
}

export function addRetention(program: Command, context: Context): void {
  program
    .command('retention')
    .description('forget now what is older than config.yaml says, as the service does once a day')
    .option('--dry-run', 'say what would go, and forget nothing')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nIn config.yaml:\n  retention:\n    browser: 90\n\nExample:\n  $ recalld retention --dry-run',
    )
    .action((options: Options) => applyRetention(context, options))
}

async function applyRetention({ io, ...context }: Context, { dryRun = false, json }: Options): Promise<void> {
  await using administration = await context.administration()
  const report = await administration.retention({ dryRun })
  io.stdout.write(json ? `${jsonText(report, 2)}\n` : printable(reportText(report)))
}

function reportText({ sources, expired, dry_run: dryRun }: RetentionReport): string {
  if (sources.length === 0) {
    return 'Everything is kept for good: config.yaml has no retention. "recalld retention --help" shows how to set one.\n'
  }
  const limits = sources.map(
    ({ source_type, days, connection }) => `${connection ?? source_type} ${counted(days, 'day', 'days')}`,
  )
  const kept = `Kept are items of ${[...new Set(limits)].join(', ')}.\n`
  const rows = expired.filter(({ items }) => items > 0)
  if (rows.length === 0) return `${kept}Nothing is older.\n`
  const told = rows.map((row) => [
    row.account_id,
    row.connection ?? row.source_type,
    String(row.items),
    String(row.memories),
    String(row.bytes),
  ])
  const title = dryRun ? 'Older, and not forgotten because of --dry-run:' : 'Forgotten:'
  return `${kept}${title}\n${table([['account', 'source', 'items', 'memories', 'bytes'], ...told])}`
}
