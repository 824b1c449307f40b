import type { Command } from 'commander'
import type { RetentionReport } from '../../administration/administration.ts'
import { jsonText, printable } from '../../lib/terminal-text.ts'
import type { Context } from '../context.ts'
import { table } from '../terminal/layout.ts'
import { messages as terminal } from '../terminal/messages.ts'
import { messages } from './messages.ts'

interface Options {
  readonly dryRun?: boolean
  readonly json?: boolean
}

export function addRetention(program: Command, context: Context): void {
  program
    .command('retention')
    .description(messages.retention)
    .option('--dry-run', messages.retentionDryRun)
    .option('--json', terminal.json)
    .addHelpText('after', `${messages.retentionHelp}\n${terminal.example(messages.retentionExample)}`)
    .action((options: Options) => applyRetention(context, options))
}

async function applyRetention({ io, ...context }: Context, { dryRun = false, json }: Options): Promise<void> {
  await using administration = await context.administration()
  const report = await administration.retention({ dryRun })
  io.stdout.write(json ? `${jsonText(report, 2)}\n` : printable(reportText(report)))
}

function reportText({ sources, expired, dry_run: dryRun }: RetentionReport): string {
  if (sources.length === 0) {
    return `${messages.noRetention}\n`
  }
  const limits = sources.map(({ source_type, days, connection }) =>
    messages.retentionPeriod(connection ?? source_type, days),
  )
  const kept = `${messages.retentionPeriods([...new Set(limits)])}\n`
  const rows = expired.filter(({ items }) => items > 0)
  if (rows.length === 0) return `${kept}${messages.nothingExpired}\n`
  const cells = rows.map((row) => [
    row.account_id,
    row.connection ?? row.source_type,
    String(row.items),
    String(row.memories),
    String(row.bytes),
  ])
  const title = dryRun ? messages.wouldExpire : messages.expired
  return `${kept}${title}\n${table([['account', 'source', 'items', 'memories', 'bytes'], ...cells])}`
}
