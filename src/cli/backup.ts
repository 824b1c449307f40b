import { resolve } from 'node:path'
import type { Command } from 'commander'
import { jsonText } from '../lib/terminal-text.ts'
import type { Context } from './context.ts'

const NOT_IN_IT =
  'Not in it: config.yaml, the tokens in files, and secret.key, without which access that was given in a browser has to be given again ("recalld connect").'

const HELP = `
Example:
  $ recalld backup recalld-$(date +%F).db

${NOT_IN_IT}`

export function addBackup(program: Command, context: Context): void {
  program
    .command('backup')
    .description('copy the database to a file, while the service runs or not')
    .argument('<file>', 'a file that does not exist yet')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action(async (file: string, options: { json?: boolean }) => {
      await using administration = await context.administration()
      const { bytes } = await administration.backup(resolve(file))
      const said = options.json
        ? jsonText({ file: resolve(file), bytes })
        : `Wrote ${bytes} bytes to ${file}. It holds everything that is remembered, so keep it as safe as the service itself.\n${NOT_IN_IT}`
      context.io.stdout.write(`${said}\n`)
    })
}
