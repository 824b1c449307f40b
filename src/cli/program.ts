import { Command, CommanderError } from 'commander'
import { AppError, type ErrorCode } from '../domain/errors.ts'
import { jsonText, printable } from '../lib/terminal-text.ts'
import { addAccounts } from './administration/accounts.ts'
import { addActivity } from './administration/activity.ts'
import { addBackup, addRestore } from './administration/backup.ts'
import { addBilling } from './administration/billing.ts'
import { addBlobs } from './administration/blobs.ts'
import { addKeys } from './administration/keys.ts'
import { addMigrateStore } from './administration/migrate-store.ts'
import { addPeople } from './administration/people.ts'
import { addRetention } from './administration/retention.ts'
import { addConnect, type ConnectContext } from './connect/connect.ts'
import { addCreateConnector } from './connect/create-connector.ts'
import { addPhotos } from './connect/photos.ts'
import { addDoctor } from './health/doctor.ts'
import { addStatus } from './health/status.ts'
import { addHook } from './install/hook-status.ts'
import { addInstallAgent } from './install/install-agent.ts'
import { addInstallService } from './install/install-service.ts'
import { addCorrect, addPin } from './memory/correct.ts'
import { addGolden } from './memory/golden.ts'
import { addDownload, addForget, addList } from './memory/items.ts'
import { addMemorize } from './memory/memorize.ts'
import { addModels } from './memory/models.ts'
import { addProfile, addSubjects } from './memory/profile.ts'
import { addAsk, addRecall, addRecent } from './memory/recall.ts'
import { addRefine } from './memory/refine.ts'
import { addReindex } from './memory/reindex.ts'
import { messages } from './messages.ts'
import { addDemo } from './serve/demo.ts'
import { addMcp, addUp } from './serve/serve.ts'
import { addRetry } from './sync/retry.ts'
import { addSync } from './sync/sync.ts'
import { ExitCode, failureSentence } from './terminal/failure.ts'
import { styleFor } from './terminal/layout.ts'
import { messages as terminal } from './terminal/messages.ts'

const COMMANDS = [
  addUp,
  addDemo,
  addMemorize,
  addRecall,
  addAsk,
  addRecent,
  addProfile,
  addSubjects,
  addList,
  addDownload,
  addForget,
  addCorrect,
  addPin,
  addConnect,
  addSync,
  addPhotos,
  addCreateConnector,
  addInstallAgent,
  addHook,
  addInstallService,
  addStatus,
  addRetry,
  addGolden,
  addReindex,
  addModels,
  addRefine,
  addMcp,
  addDoctor,
  addKeys,
  addAccounts,
  addPeople,
  addBilling,
  addActivity,
  addRetention,
  addBackup,
  addRestore,
  addMigrateStore,
  addBlobs,
]

export interface ProgramContext extends ConnectContext {
  /** Reads the value of --home, before a command runs. */
  setHome(folder: string): void
}

function createProgram(argv: readonly string[], context: ProgramContext): Command {
  const program = new Command('recalld')
    .description(messages.about)
    .version(context.version)
    .option('--home <folder>', messages.home)
    .addHelpText('after', messages.help)
    .showHelpAfterError(wantsJson(argv) ? false : messages.helpAfterError)
    .hook('preAction', () => {
      const { home: folder } = program.opts<{ home?: string }>()
      if (folder !== undefined) context.setHome(folder)
    })
  const configure = (command: Command): void => {
    command.exitOverride().configureOutput({
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
  for (const add of COMMANDS) add(program, context)
  configure(program)
  return program
}

/**
 * Runs one command line.
 *
 * @param argv without node and script
 * @returns the exit code: 0, 1 when the command failed, 2 when it was used wrongly, or the code of an `ExitCode`
 */
export async function runProgram(argv: readonly string[], context: ProgramContext): Promise<number> {
  try {
    await createProgram(argv, context).parseAsync(argv, { from: 'user' })
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

function printFailure(argv: readonly string[], { io }: ProgramContext, message: string, code: ErrorCode): void {
  const style = styleFor(io.stderr, io.env)
  io.stderr.write(wantsJson(argv) ? errorJson(message, code) : `${style('red', 'recalld:')} ${printable(message)}\n`)
}

function wantsJson(argv: readonly string[]): boolean {
  return argv.includes('--json')
}

function errorJson(error: string, code: string): string {
  return `${jsonText({ error, code })}\n`
}
