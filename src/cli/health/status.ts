import type { Command } from 'commander'
import type { Overview } from '../../administration/administration.ts'
import type { ConnectionStatus } from '../../connections/sync-service.ts'
import type { AlertsOverview } from '../../domain/alerts.ts'
import { ITEM_STATUSES } from '../../domain/results.ts'
import { systemClock } from '../../lib/clock.ts'
import { jsonText, printable } from '../../lib/terminal-text.ts'
import type { Context } from '../context.ts'
import { failureSentence } from '../terminal/failure.ts'
import { indented, type Page, pageFor, styleFor, table } from '../terminal/layout.ts'
import { messages as terminal } from '../terminal/messages.ts'
import { failingAlerts } from './alerts.ts'
import { connectionsText } from './connection-table.ts'
import { messages } from './messages.ts'
import { embeddingText, goldenLine, languageText } from './model-status.ts'
import { healthProblem } from './service-health.ts'

export function addStatus(program: Command, context: Context): void {
  program
    .command('status')
    .description(messages.status)
    .option('--json', terminal.json)
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
          : page.style('red', `${messages.connectionsHidden(connections.connections_problem)}\n`)
      const service = problem ?? messages.healthy(address)
      const alerts = failingAlerts(connections.alerts ?? { channels: [] }).map((line) =>
        page.style('red', `${printable(line)}\n`),
      )
      io.stdout.write(`${table}\n${alerts.join('')}${service}\n${overviewText(overview, context, page)}`)
    })
}

interface Connections {
  readonly connections: readonly ConnectionStatus[]
  readonly connections_problem?: string
  readonly alerts?: AlertsOverview
}

/** An error in the connector settings hides only the connections, because people run this when something is wrong. */
async function connectionStatus(context: Context): Promise<Connections> {
  try {
    await using sync = await context.sync()
    return { connections: await sync.status(), alerts: await sync.alerts() }
  } catch (error) {
    return { connections: [], connections_problem: failureSentence(error) }
  }
}

function retentionLine({ sources, last_done_at: doneAt }: NonNullable<Overview['retention']>): string {
  const limits = sources.map(({ source_type, days, connection }) =>
    messages.retentionPeriod(connection ?? source_type, days),
  )
  const done = doneAt === undefined ? messages.nothingExpired : messages.lastExpired(doneAt)
  // A connection may have several source types.
  return `${messages.retention([...new Set(limits)], done)}\n`
}

function queueLine({ waiting, oldest_waiting_at: since }: Overview): string {
  if (waiting === 0) return messages.queueEmpty
  return since === undefined ? messages.queue(waiting) : messages.queueSince(waiting, since)
}

function leftOutSentence({ source_type, left_out }: Overview['sources'][number]): string {
  return `${source_type}: ${left_out.map(({ reason, count }) => messages.leftOutParts[reason](count)).join(', ')}`
}

function overviewText(overview: Overview, { io }: Context, page: Page): string {
  const style = styleFor(io.stdout, io.env)
  const parts = [`${queueLine(overview)}\n`]
  if (overview.language_model !== undefined) parts.push(languageText(overview.language_model, page))
  const rows = overview.sources.map((row) => [
    row.source_type,
    ...ITEM_STATUSES.map((status) => String(row.items[status])),
    String(row.memories),
  ])
  if (rows.length > 0) parts.push('\n', table([['source', ...ITEM_STATUSES, 'memories'], ...rows]))
  const leftOut = overview.sources.filter((row) => row.left_out.length > 0).map(leftOutSentence)
  if (leftOut.length > 0) parts.push(`\n${messages.leftOut}\n`, ...leftOut.map((sentence) => indented(sentence, page)))
  if (overview.failed.length > 0) {
    const failed = overview.failed.map((item) => [`${item.source_type}/${item.item_id}`, item.file_name, item.error])
    parts.push('\n', style('red', `${messages.failedItems}\n`), printable(table(failed)))
  }
  if (overview.retention !== undefined) parts.push('\n', retentionLine(overview.retention))
  const found = [embeddingText(overview.embedding, page), ...overview.golden.map(goldenLine)].join('')
  if (found !== '') parts.push('\n', found)
  return parts.join('')
}
