import type { Command } from 'commander'
import type { MemoryRef } from '../../domain/memory.ts'
import type { SourceType } from '../../domain/source-type.ts'
import { jsonText, printable } from '../../lib/terminal-text.ts'
import type { Context } from '../context.ts'
import { sourceTypeArgument } from '../terminal/arguments.ts'
import { messages as terminal } from '../terminal/messages.ts'
import { messages } from './messages.ts'

interface Options {
  readonly undo?: boolean
  readonly sourceType?: SourceType
  readonly json?: boolean
}

export function addCorrect(program: Command, context: Context): void {
  program
    .command('correct')
    .description(messages.correct)
    .argument('<memory>', messages.memoryId)
    .argument('[text...]', messages.correctText)
    .option('--undo', messages.undoCorrection)
    .option('--source-type <type>', messages.memorySource, sourceTypeArgument)
    .option('--json', terminal.responseJson)
    .addHelpText('after', terminal.example(messages.correctExample))
    .action(async (customId: string, words: string[], { undo = false, json = false, sourceType }: Options, command) => {
      const text = words.join(' ')
      if (undo === (text !== '')) command.error(messages.textOrUndo)
      const memory = await context.memory()
      const ref = reference(customId, sourceType)
      const result = undo ? await memory.undoCorrection(ref) : await memory.correct({ memory: ref, text })
      const sentence =
        'undone' in result
          ? messages.correctionsUndone(result.undone, customId)
          : messages.corrected(result.custom_id, result.corrects)
      context.io.stdout.write(`${json ? jsonText(result, 2) : printable(sentence)}\n`)
    })
}

export function addPin(program: Command, context: Context): void {
  program
    .command('pin')
    .description(messages.pin)
    .argument('<memory>', messages.memoryId)
    .option('--undo', messages.unpin)
    .option('--source-type <type>', messages.memorySource, sourceTypeArgument)
    .option('--json', terminal.responseJson)
    .addHelpText('after', terminal.example(messages.pinExample))
    .action(async (customId: string, { undo = false, json = false, sourceType }: Options) => {
      const memory = await context.memory()
      const ref = reference(customId, sourceType)
      const result = undo ? await memory.unpin(ref) : await memory.pin(ref)
      const unpinned = 'undone' in result && (result.undone === 0 ? messages.notPinned : messages.unpinned)
      const sentence = (unpinned || messages.pinned)(customId)
      context.io.stdout.write(`${json ? jsonText(result, 2) : printable(sentence)}\n`)
    })
}

export function addHide(program: Command, context: Context): void {
  program
    .command('hide')
    .description(messages.hide)
    .argument('<memory>', messages.memoryId)
    .option('--undo', messages.unhide)
    .option('--source-type <type>', messages.memorySource, sourceTypeArgument)
    .option('--json', terminal.responseJson)
    .addHelpText('after', terminal.example(messages.hideExample))
    .action(async (customId: string, { undo = false, json = false, sourceType }: Options) => {
      const memory = await context.memory()
      const ref = reference(customId, sourceType)
      const result = undo ? await memory.unhide(ref) : await memory.hide(ref)
      const shown = 'undone' in result && (result.undone === 0 ? messages.notHidden : messages.unhidden)
      const sentence = (shown || messages.hidden)(customId)
      context.io.stdout.write(`${json ? jsonText(result, 2) : printable(sentence)}\n`)
    })
}

function reference(customId: string, sourceType: SourceType | undefined): MemoryRef {
  return { customId, ...(sourceType !== undefined && { sourceType }) }
}
