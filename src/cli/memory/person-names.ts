import type { Command } from 'commander'
import type { NameDecisionEntry } from '../../domain/name-decision.ts'
import { jsonText, printable } from '../../lib/terminal-text.ts'
import type { Context } from '../context.ts'
import { table } from '../terminal/layout.ts'
import { messages as terminal } from '../terminal/messages.ts'
import { messages } from './messages.ts'

interface Options {
  readonly json?: boolean
}

/** `recalld person merge`, `split`, `undo` and `decisions`. */
export function addPersonNames(person: Command, context: Context): void {
  // `--json` of `person` itself is read before its subcommands' own.
  const asJson = (options: Options) => options.json === true || person.opts<Options>().json === true
  const print = (text: string) => context.io.stdout.write(`${text}\n`)
  person
    .command('merge')
    .description(messages.mergePeople)
    .argument('<name>', messages.mergedName)
    .argument('<into>', messages.mergeInto)
    .option('--json', terminal.responseJson)
    .addHelpText('after', terminal.example(messages.mergeExample))
    .action(async (name: string, into: string, options: Options) => {
      const result = await (await context.memory()).mergeNames({ name, into })
      const { decision } = result
      print(
        asJson(options) ? jsonText(result, 2) : printable(messages.merged(decision.name, decision.merged_into ?? into)),
      )
    })
  person
    .command('split')
    .description(messages.splitPerson)
    .argument('<name>', messages.splitName)
    .option('--json', terminal.responseJson)
    .action(async (name: string, options: Options) => {
      const result = await (await context.memory()).splitName(name)
      print(asJson(options) ? jsonText(result, 2) : printable(messages.split(result.decision.name)))
    })
  person
    .command('undo')
    .description(messages.undoName)
    .argument('<name>', messages.decidedName)
    .option('--json', terminal.responseJson)
    .action(async (name: string, options: Options) => {
      const result = await (await context.memory()).undoNameDecision(name)
      const sentence = result.undone === 0 ? messages.nothingDecided(name) : messages.nameUndone(name)
      print(asJson(options) ? jsonText(result, 2) : printable(sentence))
    })
  person
    .command('decisions')
    .description(messages.nameDecisions)
    .option('--json', terminal.responseJson)
    .action(async (options: Options) => {
      const result = await (await context.memory()).nameDecisions()
      print(asJson(options) ? jsonText(result, 2) : decisionsText(result.decisions))
    })
}

function decisionsText(decisions: readonly NameDecisionEntry[]): string {
  if (decisions.length === 0) return messages.noNameDecisions
  const rows = decisions.map(({ name, merged_into, by, at }) => [
    printable(name),
    printable(merged_into ?? messages.ownPerson),
    printable(by),
    at.slice(0, 10),
  ])
  return table([messages.decisionColumns, ...rows]).trimEnd()
}
