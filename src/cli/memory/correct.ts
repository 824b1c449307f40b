import type { Command } from 'commander'
import type { MemoryRef } from '../../domain/memory.ts'
import type { SourceType } from '../../domain/source-type.ts'
import { jsonText, printable } from '../../lib/terminal-text.ts'
import type { Context } from '../context.ts'
import { sourceTypeArgument } from '../terminal/arguments.ts'
import { counted } from '../terminal/layout.ts'

interface Options {
  readonly undo?: boolean
  readonly sourceType?: SourceType
  readonly json?: boolean
}

const MEMORY_HELP = 'id of the memory, as "recalld recall" shows it'

export function addCorrect(program: Command, context: Context): void {
  program
    .command('correct')
    .description('correct a memory: your text replaces it in every answer')
    .argument('<memory>', MEMORY_HELP)
    .argument('[text...]', 'what is true instead')
    .option('--undo', 'undo the correction')
    .option('--source-type <type>', 'source of the memory, if several have one of this id', sourceTypeArgument)
    .option('--json', 'print the answer of the service as it is')
    .addHelpText('after', '\nExample:\n  $ recalld correct notes_memory_3 The offsite is in Porto, not in Lisbon.')
    .action(async (customId: string, words: string[], { undo = false, json = false, sourceType }: Options, command) => {
      const text = words.join(' ')
      if (undo === (text !== '')) command.error('error: give the text that is true instead, or --undo')
      const memory = await context.memory()
      const ref = reference(customId, sourceType)
      const result = undo ? await memory.undoCorrection(ref) : await memory.correct({ memory: ref, text })
      const sentence =
        'undone' in result
          ? `Undid ${counted(result.undone, 'correction', 'corrections')} of ${customId}.`
          : `Corrected. ${result.custom_id} replaces ${result.corrects}.`
      context.io.stdout.write(`${json ? jsonText(result, 2) : printable(sentence)}\n`)
    })
}

export function addPin(program: Command, context: Context): void {
  program
    .command('pin')
    .description('pin a memory, so that it ranks higher')
    .argument('<memory>', MEMORY_HELP)
    .option('--undo', 'unpin it')
    .option('--source-type <type>', 'source of the memory, if several have one of this id', sourceTypeArgument)
    .option('--json', 'print the answer of the service as it is')
    .addHelpText('after', '\nExample:\n  $ recalld pin notes_memory_3')
    .action(async (customId: string, { undo = false, json = false, sourceType }: Options) => {
      const memory = await context.memory()
      const ref = reference(customId, sourceType)
      const result = undo ? await memory.unpin(ref) : await memory.pin(ref)
      const done = 'undone' in result ? (result.undone === 0 ? 'Was not pinned' : 'Unpinned') : 'Pinned'
      context.io.stdout.write(`${json ? jsonText(result, 2) : printable(`${done}: ${customId}`)}\n`)
    })
}

function reference(customId: string, sourceType: SourceType | undefined): MemoryRef {
  return { customId, ...(sourceType !== undefined && { sourceType }) }
}
