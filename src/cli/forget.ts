import type { Command } from 'commander'
import type { SourceType } from '../domain/source-type.ts'
import { jsonText } from '../lib/terminal-text.ts'
import { sourceTypeArgument } from './arguments.ts'
import type { Context } from './context.ts'
import { counted } from './style.ts'

export function addForget(program: Command, context: Context): void {
  program
    .command('forget')
    .description('delete an uploaded file and every memory made from it')
    .argument('<item-id>')
    .option('--source-type <type>', 'source of the file', sourceTypeArgument, 'text' as SourceType)
    .option('--json', 'print the answer of the service as it is')
    .addHelpText('after', '\nExample:\n  $ recalld forget meeting-42 --source-type google_meets')
    .action(async (itemId: string, options: { sourceType: SourceType; json?: boolean }) => {
      const memory = await context.memory()
      const result = await memory.forget({ itemId, sourceType: options.sourceType })
      const sentence = `Forgot ${result.source_type}/${result.item_id} and ${counted(result.deleted_memories, 'memory', 'memories')}.`
      context.io.stdout.write(`${options.json ? jsonText(result, 2) : sentence}\n`)
    })
}
