import { Command, CommanderError } from 'commander'
import { AppError, type ErrorCode } from '../domain/errors.ts'
import { jsonText, printable } from '../lib/terminal-text.ts'
import { listCommands, loadCommand } from './commands.ts'
import type { ConnectContext } from './connect/connect.ts'
import { messages } from './messages.ts'
import { ExitCode, failureSentence } from './terminal/failure.ts'
import { styleFor } from './terminal/layout.ts'
import { messages as terminal } from './terminal/messages.ts'

export interface ProgramContext extends ConnectContext {
  /** Reads the value of --home, before a command runs. */
  setHome(folder: string): void
}

type HelpContext = Pick<ProgramContext, 'io' | 'version' | 'setHome'>

/** @param add adds the commands */
function createProgram(argv: readonly string[], context: HelpContext, add: (program: Command) => void): Command {
  const program = new Command('recalld')
    .description(messages.about)
    .version(context.version)
    .option('--home <folder>', messages.home)
    .addHelpText('after', messages.help)
    .hook('preAction', () => {
      const { home: folder } = program.opts<{ home?: string }>()
      if (folder !== undefined) context.setHome(folder)
    })
  const configure = (command: Command): void => {
    command.exitOverride().showHelpAfterError(wantsJson(argv) ? false : helpAfterError(command))
    command.configureOutput({
      writeOut: (text) => void context.io.stdout.write(text),
      writeErr: (text) => void context.io.stderr.write(text),
      outputError: (text, write) =>
        write(
          wantsJson(argv)
            ? errorJson(
                usageError(text)
                  .trim()
                  .replace(/^error: /, ''),
                'invalid',
              )
            : usageError(text),
        ),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    command.commands.forEach(configure)
  }
  add(program)
  configure(program)
  return program
}

/** Runs a command line that names no command: shows the help, without what commands need. */
export function runHelp(argv: readonly string[], context: Omit<HelpContext, 'setHome'>): Promise<number> {
  const helpContext = { ...context, setHome: () => undefined }
  return run(argv, context, async () => createProgram(argv, helpContext, listCommands))
}

/**
 * Runs one command line.
 *
 * @param argv without node and script
 * @returns the exit code: 0, 1 when the command failed, 2 when it was used wrongly, or the code of an `ExitCode`
 */
export function runProgram(argv: readonly string[], context: ProgramContext): Promise<number> {
  return run(argv, context, async () => {
    const add = await loadCommand(argv)
    return createProgram(argv, context, add === undefined ? listCommands : (program) => add(program, context))
  })
}

async function run(
  argv: readonly string[],
  context: Pick<ProgramContext, 'io'>,
  create: () => Promise<Command>,
): Promise<number> {
  try {
    const program = await create()
    await program.parseAsync(argv, { from: 'user' })
    return 0
  } catch (error) {
    // Commander has printed its message already; help and version end with code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    if (error instanceof ExitCode) {
      if (error.message !== '') printFailure(argv, context, error.message, 'invalid')
      return error.code
    }
    printFailure(argv, context, failureSentence(error), error instanceof AppError ? error.code : 'internal')
    return 1
  }
}

/** An unknown command is answered with all of them, a wrong use of one with its own help. */
function helpAfterError(command: Command): string {
  if (command.parent === null) return messages.helpAfterError
  const names: string[] = []
  for (let one: Command | null = command; one !== null; one = one.parent) names.unshift(one.name())
  return messages.commandHelpAfterError(names.join(' '))
}

/** Rewrites commander's message about an invalid value. */
function usageError(text: string): string {
  return text
    .replace(/command-argument value '(.*)' is invalid for argument '(.*?)'\. (.*)/s, (_, value, name, reason) =>
      terminal.invalidArgument(name, value, reason),
    )
    .replace(/option '(?:-\w, )?(--[\w-]+).*?' argument '(.*)' is invalid\. (.*)/s, (_, flag, value, reason) =>
      terminal.invalidOption(flag, value, reason),
    )
}

function printFailure(
  argv: readonly string[],
  { io }: Pick<ProgramContext, 'io'>,
  message: string,
  code: ErrorCode,
): void {
  const style = styleFor(io.stderr, io.env)
  io.stderr.write(wantsJson(argv) ? errorJson(message, code) : `${style('red', 'recalld:')} ${printable(message)}\n`)
}

function wantsJson(argv: readonly string[]): boolean {
  return argv.includes('--json')
}

function errorJson(error: string, code: string): string {
  return `${jsonText({ error, code })}\n`
}
