import type { Command } from 'commander'
import { jsonText } from '../../lib/terminal-text.ts'
import type { Context } from '../context.ts'
import { counted } from '../terminal/layout.ts'

interface Options {
  readonly forgotten?: boolean
  readonly json?: boolean
}

export function addRetry(program: Command, context: Context): void {
  program
    .command('retry')
    .description('process failed items again, and have connectors read theirs again, while the service is up or down')
    .argument('[connector...]', 'only what these have failed at: slack, or one connection such as slack/acme; else all')
    .option('--forgotten', 'let items come back that were deleted from the memory by hand')
    .option('--json', 'print JSON')
    .action(async (names: string[], options: Options) => {
      const connectorItems = await retryConnectors(names, options, context)
      const retried = names.length === 0 ? await retryService(context) : 0
      const result = { retried, connector_items: connectorItems }
      context.io.stdout.write(options.json ? `${jsonText(result)}\n` : resultText(result))
    })
}

async function retryConnectors(names: readonly string[], options: Options, context: Context): Promise<number> {
  await using desk = await context.sync()
  return await desk.retry(names, { forgotten: options.forgotten ?? false })
}

async function retryService(context: Context): Promise<number> {
  await using administration = await context.administration()
  return await administration.retryFailed()
}

function resultText({ retried, connector_items: items }: { retried: number; connector_items: number }): string {
  if (retried + items === 0) return 'No item has failed.\n'
  const lines: string[] = []
  if (retried > 0) lines.push(`Queued again: ${counted(retried, 'failed item', 'failed items')}.\n`)
  if (items > 0) {
    const sentence = `Connectors read ${counted(items, 'item', 'items')} again at their next run`
    lines.push(`${sentence}; "recalld sync" runs them now.\n`)
  }
  return lines.join('')
}
