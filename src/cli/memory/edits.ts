import { type Command, Option } from 'commander'
import { EDIT_KINDS, type EditedMemory, type EditKind, type EditList } from '../../domain/change-results.ts'
import { type Io, jsonText, printable } from '../../lib/terminal-text.ts'
import type { Context } from '../context.ts'
import { integerArgument } from '../terminal/arguments.ts'
import { lineWidth, wrapped } from '../terminal/layout.ts'
import { messages as terminal } from '../terminal/messages.ts'
import { messages } from './messages.ts'

interface Options {
  readonly kind?: EditKind
  readonly limit?: number
  readonly offset?: number
  readonly undo?: string
  readonly json?: boolean
}

/** `recalld edits`: what people changed, and undoing it. */
export function addEdits(program: Command, context: Context): void {
  program
    .command('edits')
    .description(messages.edits)
    .addOption(new Option('--kind <kind>', messages.editKind).choices(EDIT_KINDS))
    .option('--limit <count>', messages.editLimit, integerArgument(1, 200))
    .option('--offset <count>', messages.editOffset, integerArgument(0, 1_000))
    .option('--undo <id>', messages.undoEdit)
    .option('--json', terminal.responseJson)
    .addHelpText('after', terminal.example(messages.editsExample))
    .action(async ({ undo, json = false, ...query }: Options) => {
      const memory = await context.memory()
      const write = (result: object, text: string): void =>
        void context.io.stdout.write(`${json ? jsonText(result, 2) : text}\n`)
      if (undo !== undefined) return write(await memory.undoEdit(undo), printable(messages.editUndone(undo)))
      const list = await memory.edits(query)
      write(list, editsText(list, context.io))
    })
}

function editsText({ edits, total, offset }: EditList, io: Io): string {
  if (edits.length === 0) return messages.noEdits
  const shown = edits.map((edit) => printable(editText(edit, lineWidth(io.stdout)))).join('\n\n')
  const isWhole = offset === 0 && edits.length === total
  return isWhole ? shown : `${shown}\n\n${messages.someEdits(offset + 1, offset + edits.length, total)}`
}

function editText(edit: EditedMemory, width: number): string {
  const { id, kind, by, at, source_type, item_id, title, custom_id, text, correction, note } = edit
  const paragraph = (words: string): string => wrapped(words, width, '  ').trimEnd()
  const memory = custom_id ?? `${source_type}/${item_id}`
  return [
    messages.editHead(kind, by, at.slice(0, 10), memory, title ?? undefined),
    ...(text === null ? [] : [paragraph(text)]),
    ...(correction === null ? [] : [paragraph(messages.correctedTo(correction))]),
    ...(note === null ? [] : [paragraph(messages.noteText(note))]),
    `  ${messages.undoWith(id)}`,
  ].join('\n')
}
