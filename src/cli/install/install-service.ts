import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { prepareHome, ROLES } from '../../config/home-folder.ts'
import { AppError } from '../../domain/errors.ts'
import { closestName } from '../../lib/closest-name.ts'
import { jsonText } from '../../lib/terminal-text.ts'
import type { Context } from '../context.ts'
import { shellWord, styleFor } from '../terminal/layout.ts'
import { messages as terminal } from '../terminal/messages.ts'
import { messages } from './messages.ts'
import { removeServiceFile, serviceFileState, writeServiceFile } from './service-file.ts'
import { type ServiceCommand, type ServicePlan, servicePlan } from './service-plan.ts'

interface Options {
  readonly print?: boolean
  readonly system?: boolean
  readonly roles?: readonly string[]
  readonly uninstall?: boolean
  readonly now?: boolean
  readonly force?: boolean
  readonly json?: boolean
}

/** The change of the service, made or, with --print, only shown. */
interface Outcome {
  readonly file: string
  readonly result: 'written' | 'unchanged' | 'removed' | 'absent' | 'printed'
  /** The remaining commands to run; empty with --now. */
  readonly next: readonly string[]
  readonly notes: readonly string[]
}

export function addInstallService(program: Command, context: Context): void {
  program
    .command('install-service')
    .description(messages.installService)
    .option('--print', messages.print)
    .option('--user', messages.user)
    .addOption(new Option('--system', messages.system).conflicts('user'))
    .option('--roles <list>', messages.roles(ROLES), roleList)
    .option('--uninstall', messages.uninstall)
    .option('--now', messages.now)
    .option('--force', messages.force)
    .option('--json', terminal.json)
    .addHelpText('after', messages.serviceHelp)
    .action(async (options: Options) => {
      const plan = servicePlan(
        { isSystem: options.system === true, ...(options.roles && { roles: options.roles }) },
        context,
      )
      const outcome = await carryOut(plan, options, context)
      const { io } = context
      io.stdout.write(
        options.json ? `${jsonText(outcomeJson(plan, outcome), 2)}\n` : outcomeText(plan, outcome, context),
      )
    })
}

function roleList(value: string): readonly string[] {
  const named = value.split(',').map((role) => role.trim())
  for (const role of named) {
    if (ROLES.some((known) => known === role)) continue
    const meant = closestName(role, ROLES)
    throw new InvalidArgumentError(meant === undefined ? messages.chooseRoles(ROLES) : terminal.didYouMean(meant))
  }
  return ROLES.filter((role) => named.includes(role))
}

async function carryOut(plan: ServicePlan, options: Options, context: Context): Promise<Outcome> {
  if (options.print) return { file: plan.file, result: 'printed', next: [], notes: plan.notes }
  return options.uninstall ? uninstallService(plan, options, context) : installService(plan, options, context)
}

async function installService(plan: ServicePlan, { now, force }: Options, context: Context): Promise<Outcome> {
  const { file, text, enable, definition } = plan
  const state = serviceFileState(file, text)
  if (state === 'foreign' && !force) throw new AppError('conflict', messages.foreignOverwrite(file))
  // The sandbox of the service can write to the home, but can't create it.
  if (!definition.isSystem) prepareHome(definition.home)
  if (state !== 'same') writeServiceFile(file, text)
  const result = state === 'same' ? 'unchanged' : 'written'
  if (now) await runAll(enable, context)
  return { file, result, next: now ? [] : typedCommands(enable), notes: plan.notes }
}

async function uninstallService(plan: ServicePlan, { now, force }: Options, context: Context): Promise<Outcome> {
  const { file, text, disable, forget } = plan
  const state = serviceFileState(file, text)
  if (state === 'absent') return { file, result: 'absent', next: [], notes: [] }
  if (state === 'foreign' && !force) throw new AppError('conflict', messages.foreignRemove(file))
  if (now) await runAll(disable, context)
  removeServiceFile(file)
  if (now) await runAll(forget, context)
  return { file, result: 'removed', next: now ? [] : typedCommands([...disable, ...forget]), notes: [] }
}

async function runAll(commands: readonly ServiceCommand[], { io }: Context): Promise<void> {
  for (const { argv, mayFail } of commands) {
    const [program, ...args] = argv
    try {
      await promisify(execFile)(program, args, { env: io.env })
    } catch (cause) {
      if (!(cause instanceof Error)) throw cause
      if (mayFail) continue
      const output = 'stderr' in cause && String(cause.stderr).trim()
      throw new AppError('invalid', messages.commandFailed(argv.map(shellWord).join(' '), output || cause.message), {
        cause,
      })
    }
  }
}

/** As typed in a shell, with a remark on those that are only needed if it runs. */
function typedCommands(commands: readonly ServiceCommand[]): string[] {
  return commands.map(
    ({ argv, mayFail }) => `${argv.map(shellWord).join(' ')}${mayFail ? `   ${messages.ifRunning}` : ''}`,
  )
}

function outcomeJson({ text, logs }: ServicePlan, outcome: Outcome): object {
  return { ...outcome, logs, ...(outcome.result === 'printed' && { text }) }
}

function outcomeText(plan: ServicePlan, { file, result, next, notes }: Outcome, { io }: Context): string {
  const style = styleFor(io.stdout, io.env)
  const noted = notes.map((note) => `${style('yellow', messages.note(note))}\n`).join('')
  const toDo = next.map((line) => `  ${style('bold', line)}\n`).join('')
  switch (result) {
    case 'printed':
      return `${messages.printed(file, plan.text)}\n${noted}${messages.nothingWritten}\n`
    case 'absent':
      return `${messages.nothingToRemove(file)}\n`
    case 'removed':
      return `${messages.serviceRemoved(file, plan.definition.home)}\n${toDo === '' ? '' : `${messages.stopIt}\n${toDo}`}`
    default: {
      const wrote = result === 'written' ? messages.wrote(file) : messages.unchanged(file)
      const started = toDo === '' ? `${messages.started}\n` : `${messages.startIt}\n${toDo}`
      return `${wrote}\n${started}${noted}${messages.signIn(plan.logs)}\n`
    }
  }
}
