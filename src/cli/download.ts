import { writeFile } from 'node:fs/promises'
import { type Command, Option } from 'commander'
import type { SourceType } from '../domain/source-type.ts'
import { sourceTypeArgument } from './arguments.ts'
import type { Context } from './context.ts'

export function addDownload(program: Command, context: Context): void {
  program
    .command('download')
    .description('get an uploaded file back, byte for byte')
    .argument('<item-id>')
    .addOption(
      new Option('--source-type <type>', 'source of the file; else all are searched').argParser(sourceTypeArgument),
    )
    .option('-o, --output <file>', 'file to write; refused when it exists. Without it, standard output')
    .addHelpText('after', '\nExample:\n  $ recalld download meeting-42 --output notes.md')
    .action(async (itemId: string, options: { sourceType?: SourceType; output?: string }) => {
      const memory = await context.memory()
      const file = await memory.download({ itemId, sourceType: options.sourceType })
      if (options.output === undefined) {
        context.io.stdout.write(file.body)
        return
      }
      // `wx`: a download never overwrites something else.
      await writeFile(options.output, file.body, { flag: 'wx' })
      context.io.stderr.write(`Wrote ${file.body.byteLength} bytes to ${options.output}\n`)
    })
}
