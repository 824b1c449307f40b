import type { Command } from 'commander'
import { HookRecords, type ShownRecord } from '../../hooks/hook-records.ts'
import { jsonText, printable } from '../../lib/terminal-text.ts'
import type { Context } from '../context.ts'
import { integerArgument } from '../terminal/arguments.ts'
import { counted, table } from '../terminal/layout.ts'
import { messages as terminal } from '../terminal/messages.ts'
import { messages } from './messages.ts'

interface Options {
  readonly limit: number
  readonly json?: boolean
}

const USUAL_LIMIT = 20
const MOST = 1_000

/** The hooks themselves are answered before the program is loaded: see src/main.ts. */
export function addHook(program: Command, context: Context): void {
  const hook = program.command('hook').description(messages.hook)
  hook
    .argument('[event]')
    .allowUnknownOption()
    .action((_event, _options, command: Command) => command.error(messages.hookUsage))
  hook
    .command('status')
    .description(messages.hookStatus)
    .option('--limit <number>', messages.hookMost, integerArgument(1, MOST), USUAL_LIMIT)
    .option('--json', terminal.json)
    .action((options: Options) => showStatus(context, options))
}

function showStatus({ io, home }: Context, { limit, json }: Options): void {
  const shown = new HookRecords(home().hooks).shown(limit)
  if (json) io.stdout.write(`${jsonText(shown, 2)}\n`)
  else io.stdout.write(shown.length === 0 ? `${messages.hookNothing}\n` : statusText(shown))
}

function statusText(shown: readonly ShownRecord[]): string {
  const rows = shown.map(({ at, probability, tokens, ms, folder, passages }) => [
    at.slice(0, 16).replace('T', ' '),
    probability.toFixed(2),
    String(tokens),
    String(ms),
    folder,
    passages.map(({ source, item_id, title }) => title ?? `${source}/${item_id}`).join('; '),
  ])
  const mean = Math.round(shown.reduce((sum, { tokens }) => sum + tokens, 0) / shown.length)
  const sums = messages.hookSums(counted(shown.length, 'prompt', 'prompts'), counted(mean, 'token', 'tokens'))
  return `${printable(table([messages.hookColumns, ...rows]))}\n${sums}\n`
}
