import type { Command } from 'commander'
import { ITEM_STATUSES } from '../domain/memory.ts'
import type { Overview } from './app-contract.ts'
import type { Context } from './context.ts'
import { healthProblem } from './health.ts'
import { counted, printable, styleFor, table } from './style.ts'

export function addStatus(program: Command, context: Context): void {
  program
    .command('status')
    .description('whether the service answers, what it holds, what is waiting and what has failed')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const address = context.serviceUrl()
      const problem = await healthProblem(address)
      await using administration = await context.administration()
      const overview = await administration.overview()
      if (options.json) {
        const service = { address, healthy: problem === undefined, ...(problem === undefined ? {} : { problem }) }
        context.io.stdout.write(`${JSON.stringify({ service, ...overview }, null, 2)}\n`)
        return
      }
      const service = problem ?? `The service is healthy at ${address}.`
      context.io.stdout.write(`${service}\n${overviewText(overview, context)}`)
    })
}

function overviewText(overview: Overview, { io }: Context): string {
  const style = styleFor(io.stdout, io.env)
  const since = overview.oldest_waiting_at === undefined ? '' : `, the oldest since ${overview.oldest_waiting_at}`
  const parts = [
    overview.waiting === 0
      ? 'Nothing is waiting to be processed.\n'
      : `Waiting to be processed: ${counted(overview.waiting, 'item', 'items')}${since}.\n`,
  ]
  const rows = overview.sources.map((row) => [
    row.source_type,
    ...ITEM_STATUSES.map((status) => String(row.items[status])),
    String(row.memories),
  ])
  if (rows.length > 0) parts.push('\n', table([['source', ...ITEM_STATUSES, 'memories'], ...rows]))
  if (overview.failed.length > 0) {
    const failed = overview.failed.map((item) => [`${item.source_type}/${item.item_id}`, item.error])
    parts.push('\n', style('red', 'Failed; "recalld retry" processes them again:\n'), printable(table(failed)))
  }
  return parts.join('')
}
