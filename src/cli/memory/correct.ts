import type { Command } from 'commander'
import type { UndoResult } from '../../domain/change-results.ts'
import type { EditableMemory, MemoryMark, MemoryRef } from '../../domain/memory.ts'
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
  addStatement(program, context, 'correct')
}

export function addNote(program: Command, context: Context): void {
  addStatement(program, context, 'note')
}

function addStatement(program: Command, context: Context, name: 'correct' | 'note'): void {
  const sentences = messages.statements[name]
  program
    .command(name)
    .description(sentences.about)
    .argument('<memory>', messages.memoryId)
    .argument('[text...]', sentences.text)
    .option('--undo', sentences.undo)
    .option('--source-type <type>', messages.memorySource, sourceTypeArgument)
    .option('--json', terminal.responseJson)
    .addHelpText('after', terminal.example(sentences.example))
    .action(async (customId: string, words: string[], { undo = false, json = false, sourceType }: Options, command) => {
      const text = words.join(' ')
      if (undo === (text !== '')) command.error(sentences.textOrUndo)
      const memory = await context.memory()
      const ref = reference(customId, sourceType)
      const result = undo ? await undoOf(memory, name, ref) : await memory[name]({ memory: ref, text })
      const sentence =
        'undone' in result
          ? sentences.undone(result.undone, customId)
          : sentences.stated(result.custom_id, 'corrects' in result ? result.corrects : result.note_on)
      context.io.stdout.write(`${json ? jsonText(result, 2) : printable(sentence)}\n`)
    })
}

function undoOf(memory: EditableMemory, name: 'correct' | 'note', ref: MemoryRef): Promise<UndoResult> {
  return name === 'correct' ? memory.undoCorrection(ref) : memory.undoNote(ref)
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
