import type { Command } from 'commander'
import { jsonText } from '../../lib/terminal-text.ts'
import type { Context } from '../context.ts'
import { messages as terminal } from '../terminal/messages.ts'
import { messages } from './messages.ts'

interface Options {
  readonly forgotten?: boolean
  readonly json?: boolean
}

export function addRetry(program: Command, context: Context): void {
  program
    .command('retry')
    .description(messages.retry)
    .argument('[connector...]', messages.retryConnectors)
    .option('--forgotten', messages.forgotten)
    .option('--json', terminal.json)
    .action(async (names: string[], options: Options) => {
      const connectorItems = await retryConnectors(names, options, context)
      const retried = names.length === 0 ? await retryService(context) : 0
      const result = { retried, connector_items: connectorItems }
      context.io.stdout.write(options.json ? `${jsonText(result)}\n` : resultText(result))
    })
}

async function retryConnectors(names: readonly string[], options: Options, context: Context): Promise<number> {
  await using service = await context.sync()
  return await service.retry(names, { forgotten: options.forgotten ?? false })
}

async function retryService(context: Context): Promise<number> {
  await using administration = await context.administration()
  return await administration.retryFailed()
}

function resultText({ retried, connector_items: items }: { retried: number; connector_items: number }): string {
  if (retried + items === 0) return `${messages.noneFailed}\n`
  const lines: string[] = []
  if (retried > 0) lines.push(`${messages.queued(retried)}\n`)
  if (items > 0) lines.push(`${messages.readAgain(items)}\n`)
  return lines.join('')
}
