import type { Command } from 'commander'
import { jsonText, printable } from '../lib/terminal-text.ts'
import type { Context } from './context.ts'

export function addAsk(program: Command, context: Context): void {
  program
    .command('ask')
    .description('answer a question from the memories, with the places it is taken from')
    .argument('<question...>')
    .option('--json', 'print the answer of the service as it is')
    .addHelpText('after', '\nExample:\n  $ recalld ask when does the billing migration start')
    .action(async (words: string[], options: { json?: boolean }) => {
      const memory = await context.memory()
      const { fence: _, ...answer } = await memory.ask({ text: words.join(' ') })
      if (answer.notice !== undefined && !options.json) context.io.stderr.write(`${printable(answer.notice)}\n`)
      const text = options.json ? jsonText(answer, 2) : printable(answer.response)
      context.io.stdout.write(`${text}\n`)
    })
}
