import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { Context } from './context.ts'

export function addBackup(program: Command, context: Context): void {
  program
    .command('backup')
    .description('copy the database to a file, while the service runs or not')
    .argument('<file>', 'a file that does not exist yet')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ recalld backup recalld-$(date +%F).db')
    .action(async (file: string, options: { json?: boolean }) => {
      await using administration = await context.administration()
      const { bytes } = await administration.backup(resolve(file))
      const said = options.json
        ? JSON.stringify({ file: resolve(file), bytes })
        : `Wrote ${bytes} bytes to ${file}. It holds everything, so keep it as safe as the service itself.`
      context.io.stdout.write(`${said}\n`)
    })
}
