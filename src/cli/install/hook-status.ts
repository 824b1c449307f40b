import { resolve } from 'node:path'
import type { Command } from 'commander'
import { HookRecords, type ShownRecord } from '../../hooks/hook-records.ts'
import { SwitchedOff } from '../../hooks/switched-off.ts'
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

/** `recalld hook`. For speed, src/main.ts runs the hook events before it loads this program. */
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
  for (const isOff of [true, false]) {
    hook
      .command(isOff ? 'off' : 'on')
      .description(isOff ? messages.hookOff : messages.hookOn)
      .argument('[folder]', messages.hookFolder, '.')
      .action((folder: string) => switchHooks(context, resolve(folder), isOff))
  }
}

function switchHooks({ io, home }: Context, folder: string, isOff: boolean): void {
  const switched = new SwitchedOff(home().hooks)
  switched.set(folder, isOff)
  const still = isOff ? undefined : switched.above(folder)
  if (still !== undefined) io.stdout.write(`${messages.hookStillOff(folder, still)}\n`)
  else io.stdout.write(`${isOff ? messages.hookIsOff(folder) : messages.hookIsOn(folder)}\n`)
}

function showStatus({ io, home }: Context, { limit, json }: Options): void {
  const folder = home().hooks
  const shown = new HookRecords(folder).shown(limit)
  const off = new SwitchedOff(folder).folders()
  if (json) io.stdout.write(`${jsonText(shown, 2)}\n`)
  else {
    const lines = off.map((one) => `${messages.hookIsOff(printable(one))}\n`).join('')
    io.stdout.write(`${shown.length === 0 ? `${messages.hookNothing}\n` : statusText(shown)}${lines}`)
  }
}

function statusText(shown: readonly ShownRecord[]): string {
  const rows = shown.map(({ at, event, host, probability, tokens, ms, folder, passages }) => [
    at.slice(0, 16).replace('T', ' '),
    host,
    event === 'session-start' ? messages.hookAtStart : messages.hookAtPrompt(probability?.toFixed(2) ?? ''),
    String(tokens),
    String(ms),
    folder,
    [...new Set(passages.map(({ source, item_id, title }) => title ?? `${source}/${item_id}`))].join('; '),
  ])
  const mean = Math.round(shown.reduce((sum, { tokens }) => sum + tokens, 0) / shown.length)
  const sums = messages.hookSums(counted(shown.length, 'time', 'times'), counted(mean, 'token', 'tokens'))
  return `${printable(table([messages.hookColumns, ...rows]))}\n${sums}\n`
}
