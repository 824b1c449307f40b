import type { Command } from 'commander'
import type { MemoryMark, MemoryRef } from '../../domain/memory.ts'
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
  addMark(program, context, 'pin')
}

export function addHide(program: Command, context: Context): void {
  addMark(program, context, 'hide')
}

function addMark(program: Command, context: Context, mark: MemoryMark): void {
  const { about, undo: aboutUndo, example, marked, unmarked, notMarked } = messages.marks[mark]
  program
    .command(mark)
    .description(about)
    .argument('<memory>', messages.memoryId)
    .option('--undo', aboutUndo)
    .option('--source-type <type>', messages.memorySource, sourceTypeArgument)
    .option('--json', terminal.responseJson)
    .addHelpText('after', terminal.example(example))
    .action(async (customId: string, { undo = false, json = false, sourceType }: Options) => {
      const memory = await context.memory()
      const ref = reference(customId, sourceType)
      const result = undo ? await memory.unmark(mark, ref) : await memory.mark(mark, ref)
      const unmarking = 'undone' in result && (result.undone === 0 ? notMarked : unmarked)
      const sentence = (unmarking || marked)(customId)
      context.io.stdout.write(`${json ? jsonText(result, 2) : printable(sentence)}\n`)
    })
}

function reference(customId: string, sourceType: SourceType | undefined): MemoryRef {
  return { customId, ...(sourceType !== undefined && { sourceType }) }
}
