import { resolve } from 'node:path'
import type { Command } from 'commander'
import { jsonText } from '../../lib/terminal-text.ts'
import type { Context } from '../context.ts'
import { messages as terminal } from '../terminal/messages.ts'
import { messages } from './messages.ts'

export function addBackup(program: Command, context: Context): void {
  program
    .command('backup')
    .description(messages.backup)
    .argument('<file>', messages.backupFile)
    .option('--json', terminal.json)
    .addHelpText('after', `${terminal.example(messages.backupExample)}\n\n${messages.notInBackup}`)
    .action(async (file: string, options: { json?: boolean }) => {
      await using administration = await context.administration()
      const { bytes } = await administration.backup(resolve(file))
      const result = options.json
        ? jsonText({ file: resolve(file), bytes })
        : `${messages.backedUp(bytes, file)}\n${messages.notInBackup}`
      context.io.stdout.write(`${result}\n`)
    })
}

export function addRestore(program: Command, context: Context): void {
  program
    .command('restore')
    .description(messages.restore)
    .argument('<file>', messages.restoreFile)
    .option('--json', terminal.json)
    .addHelpText('after', terminal.example(messages.restoreExample))
    .action(async (file: string, options: { json?: boolean }) => {
      const { counts, previous } = await context.restore(resolve(file))
      if (options.json) {
        context.io.stdout.write(`${jsonText({ counts, previous: previous ?? null }, 2)}\n`)
        return
      }
      const held = Object.entries(counts).map(([name, count]) => `${count} ${name.replaceAll('_', ' ')}`)
      context.io.stdout.write(`${messages.restored(held)}\n`)
      if ((counts.grants ?? 0) > 0) {
        context.io.stdout.write(`${messages.restoredGrants}\n`)
      }
      if (previous !== undefined) context.io.stdout.write(`${messages.replacedDatabase(previous)}\n`)
    })
}
