import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { prepareHome, ROLES } from '../../config/home-folder.ts'
import { AppError } from '../../domain/errors.ts'
import { closestName } from '../../lib/closest-name.ts'
import { jsonText } from '../../lib/terminal-text.ts'
import type { Context } from '../context.ts'
import { shellWord, styleFor } from '../terminal/layout.ts'
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

/** What was done, or with --print would be. */
interface Outcome {
  readonly file: string
  readonly result: 'written' | 'unchanged' | 'removed' | 'absent' | 'printed'
  /** What is left to type; empty with --now. */
  readonly next: readonly string[]
  readonly notes: readonly string[]
}

const HELP = `
Examples:
  $ recalld install-service --now              runs from now on, whenever you are signed in
  $ recalld install-service --print            what would be written, and where; writes nothing
  $ sudo recalld install-service --system      for the machine, as the user recalld
  $ recalld install-service --roles worker     one role alone, where database_url names a server
  $ recalld install-service --uninstall --now  ends it; the memory stays

Variables of this shell are not taken along. What config.yaml refers to as \${NAME} goes as NAME=value into recalld.env
in the home folder, which only its owner may read.`

export function addInstallService(program: Command, context: Context): void {
  program
    .command('install-service')
    .description('let systemd or launchd run recalld: writes the unit or the agent')
    .option('--print', 'show what would be written and where; writes nothing')
    .option('--user', 'for you, while you are signed in (what it does without being told)')
    .addOption(new Option('--system', 'for the machine, as the user recalld (Linux)').conflicts('user'))
    .option('--roles <list>', `some of ${ROLES.join(', ')}; a service of its own for each list`, roleList)
    .option('--uninstall', 'take the service out again')
    .option('--now', 'run the commands that start it, or with --uninstall end it')
    .option('--force', 'also when the file was written or changed by somebody else')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action(async (options: Options) => {
      const plan = servicePlan(
        { isSystem: options.system === true, ...(options.roles && { roles: options.roles }) },
        context,
      )
      const outcome = await carriedOut(plan, options, context)
      const { io } = context
      io.stdout.write(options.json ? `${jsonText(wire(plan, outcome), 2)}\n` : sentences(plan, outcome, context))
    })
}

function roleList(value: string): readonly string[] {
  const named = value.split(',').map((role) => role.trim())
  for (const role of named) {
    if (ROLES.some((known) => known === role)) continue
    const meant = closestName(role, ROLES)
    throw new InvalidArgumentError(meant === undefined ? `Name some of ${ROLES.join(', ')}.` : `Did you mean ${meant}?`)
  }
  return ROLES.filter((role) => named.includes(role))
}

async function carriedOut(plan: ServicePlan, options: Options, context: Context): Promise<Outcome> {
  if (options.print) return { file: plan.file, result: 'printed', next: [], notes: plan.notes }
  return options.uninstall ? uninstalled(plan, options, context) : installed(plan, options, context)
}

async function installed(plan: ServicePlan, { now, force }: Options, context: Context): Promise<Outcome> {
  const { file, text, enable, definition } = plan
  const state = serviceFileState(file, text)
  if (state === 'foreign' && !force) throw foreign(file, 'overwrite')
  // Nothing else could be made in a sandbox in which only the home is written.
  if (!definition.isSystem) prepareHome(definition.home)
  if (state !== 'same') writeServiceFile(file, text)
  const result = state === 'same' ? 'unchanged' : 'written'
  if (now) await runAll(enable, context)
  return { file, result, next: now ? [] : typed(enable), notes: plan.notes }
}

async function uninstalled(plan: ServicePlan, { now, force }: Options, context: Context): Promise<Outcome> {
  const { file, text, disable, forget } = plan
  const state = serviceFileState(file, text)
  if (state === 'absent') return { file, result: 'absent', next: [], notes: [] }
  if (state === 'foreign' && !force) throw foreign(file, 'remove')
  if (now) await runAll(disable, context)
  removeServiceFile(file)
  if (now) await runAll(forget, context)
  return { file, result: 'removed', next: now ? [] : typed([...disable, ...forget]), notes: [] }
}

function foreign(file: string, verb: 'overwrite' | 'remove'): AppError {
  const remedy = `Look at it, then ${verb} it with --force`
  return new AppError('conflict', `${file} was not written by this command, or was changed since. ${remedy}.`)
}

async function runAll(commands: readonly ServiceCommand[], { io }: Context): Promise<void> {
  for (const { argv, mayFail } of commands) {
    const [program, ...args] = argv
    try {
      await promisify(execFile)(program, args, { env: io.env })
    } catch (cause) {
      if (!(cause instanceof Error)) throw cause
      if (mayFail) continue
      const said = 'stderr' in cause && String(cause.stderr).trim()
      throw new AppError('invalid', `"${argv.map(shellWord).join(' ')}" failed: ${said || cause.message}`, { cause })
    }
  }
}

/** As they are typed. What may fail is for those who cannot know whether it is needed. */
function typed(commands: readonly ServiceCommand[]): string[] {
  return commands.map(({ argv, mayFail }) => `${argv.map(shellWord).join(' ')}${mayFail ? '   # where it runs' : ''}`)
}

function wire({ text, logs }: ServicePlan, outcome: Outcome): object {
  return { ...outcome, logs, ...(outcome.result === 'printed' && { text }) }
}

function sentences(plan: ServicePlan, { file, result, next, notes }: Outcome, { io }: Context): string {
  const style = styleFor(io.stdout, io.env)
  const noted = notes.map((note) => `${style('yellow', `Note: ${note}`)}\n`).join('')
  const toDo = next.map((line) => `  ${style('bold', line)}\n`).join('')
  switch (result) {
    case 'printed':
      return `In ${file}:\n\n${plan.text}\n${noted}Nothing was written.\n`
    case 'absent':
      return `There is nothing to do: no ${file} exists.\n`
    case 'removed':
      return `${file} was removed. The memory stays in ${plan.definition.home}\n${toDo === '' ? '' : `It runs until you type:\n${toDo}`}`
    default: {
      const said = result === 'written' ? `Wrote ${file}\n` : `There is nothing to change in ${file}\n`
      const started = toDo === '' ? 'It was started.\n' : `Start it:\n${toDo}`
      const first = `Sign in to the app by the link of "recalld people invite --owner"; what the service says: ${plan.logs}\n`
      return said + started + noted + first
    }
  }
}
