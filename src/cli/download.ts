import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { AppError } from '../domain/errors.ts'
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
      if (options.output !== undefined && !existsSync(dirname(resolve(options.output)))) {
        throw new AppError('not_found', `The folder ${dirname(resolve(options.output))} does not exist`)
      }
      const memory = await context.memory()
      const file = await memory.download({ itemId, sourceType: options.sourceType })
      if (options.output === undefined) {
        const { stdout } = context.io
        // A terminal gets text, so that it is cleaned; a pipe gets the bytes.
        stdout.write(stdout.isTTY ? new TextDecoder().decode(file.body) : file.body)
        return
      }
      // `wx`: a download never overwrites something else.
      await writeFile(options.output, file.body, { flag: 'wx' })
      context.io.stderr.write(`Wrote ${file.body.byteLength} bytes to ${options.output}\n`)
    })
}
