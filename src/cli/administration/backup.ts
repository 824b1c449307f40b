import { resolve } from 'node:path'
import type { Command } from 'commander'
import { jsonText } from '../../lib/terminal-text.ts'
import type { Context } from '../context.ts'

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

export function addRestore(program: Command, context: Context): void {
  program
    .command('restore')
    .description('put a backup in the place of the database; the service must not be running')
    .argument('<file>', 'a file written by "recalld backup"')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  $ recalld restore recalld-2026-03-04.db')
    .action(async (file: string, options: { json?: boolean }) => {
      const { counts, previous } = await context.restore(resolve(file))
      if (options.json) {
        context.io.stdout.write(`${jsonText({ counts, previous: previous ?? null }, 2)}\n`)
        return
      }
      const held = Object.entries(counts).map(([name, count]) => `${count} ${name.replaceAll('_', ' ')}`)
      context.io.stdout.write(`Restored and verified: ${held.join(', ')}.\n`)
      if ((counts.grants ?? 0) > 0) {
        const remedy = 'put it back as well, or give that access again ("recalld connect")'
        context.io.stdout.write(
          `Access that was given in a browser opens only with the secret.key of that time: ${remedy}.\n`,
        )
      }
      if (previous !== undefined) context.io.stdout.write(`The database that was replaced lies in ${previous}\n`)
    })
}
