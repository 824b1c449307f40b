import type { Command } from 'commander'
import type { Context } from './context.ts'
import { counted } from './style.ts'

export function addRetry(program: Command, context: Context): void {
  program
    .command('retry')
    .description('process failed items again, on this machine, while the service is up or down')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      await using administration = await context.administration()
      const retried = await administration.retryFailed()
      const sentence =
        retried === 0 ? 'No item has failed.' : `Queued again: ${counted(retried, 'failed item', 'failed items')}.`
      context.io.stdout.write(`${options.json ? JSON.stringify({ retried }) : sentence}\n`)
    })
}
