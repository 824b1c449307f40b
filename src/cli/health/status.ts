import type { Command } from 'commander'
import type { Overview } from '../../administration/administration.ts'
import type { ConnectionStatus } from '../../connections/sync-service.ts'
import { ITEM_STATUSES } from '../../domain/memory.ts'
import { systemClock } from '../../lib/clock.ts'
import { jsonText, printable } from '../../lib/terminal-text.ts'
import type { Context } from '../context.ts'
import { failureSentence } from '../terminal/failure.ts'
import { counted, type Page, pageFor, styleFor, table } from '../terminal/layout.ts'
import { connectionsText } from './connection-table.ts'
import { embeddingText, goldenLine, languageText } from './model-status.ts'
import { healthProblem } from './service-health.ts'

export function addStatus(program: Command, context: Context): void {
  program
    .command('status')
    .description(
      'how every connection is and what to do about it; what the service holds, what is waiting and has failed',
    )
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const { io } = context
      const connections = await connectionStatus(context)
      const address = context.serviceUrl()
      const problem = await healthProblem(address)
      await using administration = await context.administration()
      const overview = await administration.overview()
      if (options.json) {
        const service = { address, healthy: problem === undefined, ...(problem === undefined ? {} : { problem }) }
        io.stdout.write(`${jsonText({ service, ...connections, ...overview }, 2)}\n`)
        return
      }
      const page = pageFor(io, systemClock())
      const table =
        connections.connections_problem === undefined
          ? connectionsText(connections.connections, page)
          : page.style('red', `Connections cannot be shown: ${connections.connections_problem}\n`)
      const service = problem ?? `The service is healthy at ${address}.`
      io.stdout.write(`${table}\n${service}\n${overviewText(overview, context, page)}`)
    })
}

interface Connections {
  readonly connections: readonly ConnectionStatus[]
  readonly connections_problem?: string
}

/** A mistake in the settings of connectors hides them, and nothing else: this command is for when something is wrong. */
async function connectionStatus(context: Context): Promise<Connections> {
  try {
    await using desk = await context.sync()
    return { connections: await desk.status() }
  } catch (error) {
    return { connections: [], connections_problem: failureSentence(error) }
  }
}

function retentionLine({ sources, last_done_at: doneAt }: NonNullable<Overview['retention']>): string {
  const limits = sources.map(
    ({ source_type, days, connection }) => `${connection ?? source_type} for ${counted(days, 'day', 'days')}`,
  )
  const done = doneAt === undefined ? 'nothing was forgotten for its age yet' : `what was older was forgotten ${doneAt}`
  // A connection may have several source types.
  return `Kept: ${[...new Set(limits)].join(', ')}; ${done}.\n`
}

function overviewText(overview: Overview, { io }: Context, page: Page): string {
  const style = styleFor(io.stdout, io.env)
  const since = overview.oldest_waiting_at === undefined ? '' : `, the oldest since ${overview.oldest_waiting_at}`
  const parts = [
    overview.waiting === 0
      ? 'Nothing is waiting to be processed.\n'
      : `Waiting to be processed: ${counted(overview.waiting, 'item', 'items')}${since}.\n`,
  ]
  if (overview.language_model !== undefined) parts.push(languageText(overview.language_model, page))
  const rows = overview.sources.map((row) => [
    row.source_type,
    ...ITEM_STATUSES.map((status) => String(row.items[status])),
    String(row.memories),
  ])
  if (rows.length > 0) parts.push('\n', table([['source', ...ITEM_STATUSES, 'memories'], ...rows]))
  if (overview.failed.length > 0) {
    const failed = overview.failed.map((item) => [`${item.source_type}/${item.item_id}`, item.file_name, item.error])
    parts.push('\n', style('red', 'Failed; "recalld retry" processes them again:\n'), printable(table(failed)))
  }
  if (overview.retention !== undefined) parts.push('\n', retentionLine(overview.retention))
  const found = [embeddingText(overview.embedding, page), ...overview.golden.map(goldenLine)].join('')
  if (found !== '') parts.push('\n', found)
  return parts.join('')
}
