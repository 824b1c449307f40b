import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import type { Command } from 'commander'
import { readCredentials } from '../../config/credentials.ts'
import { hadDatabase } from '../../config/database-marker.ts'
import type { Config } from '../../config.ts'
import { AppError } from '../../domain/errors.ts'
import { jsonText } from '../../lib/terminal-text.ts'
import type { Context } from '../context.ts'
import { failureSentence } from '../terminal/failure.ts'
import { styleFor } from '../terminal/layout.ts'
import { messages as terminal } from '../terminal/messages.ts'
import { alertFindings } from './alerts.ts'
import { type Finding, ok, problem, skipped } from './finding.ts'
import { limitFinding } from './limit-findings.ts'
import { messages } from './messages.ts'
import { modelFindings } from './model-findings.ts'
import { ocrFinding } from './ocr-finding.ts'
import { healthProblem } from './service-health.ts'
import { blobFindings, integrityFindings } from './storage-findings.ts'

type Check = (context: Context) => Promise<Finding | Finding[]> | Finding

export function addDoctor(program: Command, context: Context): void {
  program
    .command('doctor')
    .description(messages.doctor)
    .option('--json', terminal.json)
    .action(async (options: { json?: boolean }) => {
      const findings: Finding[] = []
      for (const check of CHECKS) findings.push(...[await check(context)].flat())
      context.io.stdout.write(options.json ? `${jsonText(findings, 2)}\n` : findingsText(findings, context))
      const problems = findings.filter((finding) => finding.result === 'problem').length
      if (problems > 0) throw new AppError('invalid', messages.problemsFound(problems))
    })
}

const CHECKS: readonly Check[] = [
  node,
  home,
  settings,
  connectorPackages,
  credentials,
  database,
  integrityFindings,
  blobFindings,
  modelFindings,
  ocrFinding,
  limitFinding,
  alertFindings,
  service,
]

function node({ machine }: Context): Finding {
  const major = Number.parseInt(machine.nodeVersion, 10)
  if (major >= 24) return ok('node', messages.nodeVersion(machine.nodeVersion))
  return problem('node', messages.nodeTooOld(machine.nodeVersion))
}

function home({ home, machine }: Context): Finding {
  const folder = home().home
  if (!existsSync(folder)) return skipped('home', messages.noHome(folder))
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return problem('home', messages.homeReadOnly(folder))
  }
  const open = machine.platform === 'win32' ? [] : [folder, ...privateFiles(home())].filter(isOpenToOthers)
  if (open.length === 0) return ok('home', folder)
  return problem('home', messages.openToOthers(open))
}

function privateFiles(files: ReturnType<Context['home']>): string[] {
  const { database, credentials, secretKey, config } = files
  return [database, `${database}-wal`, credentials, secretKey, config].filter((file) => existsSync(file))
}

function isOpenToOthers(path: string): boolean {
  return (statSync(path).mode & 0o077) !== 0
}

async function settings(context: Context): Promise<Finding> {
  try {
    await using sync = await context.sync()
    const mistakes = (await sync.targets([])).flatMap(({ mistake }) => mistake ?? [])
    if (mistakes.length > 0) return problem('settings', mistakes.join('; '))
    return ok('settings', existsSync(context.home().config) ? context.home().config : messages.defaults)
  } catch (error) {
    return problem('settings', failureSentence(error))
  }
}

/** Those that could not be loaded are mistakes in the settings. */
async function connectorPackages(context: Context): Promise<Finding[]> {
  try {
    if (context.config().connectorPackages.length === 0) return []
    await using sync = await context.sync()
    const views = (await sync.connectors()).filter((view) => view.package !== undefined)
    const byPackage = Map.groupBy(views, (view) => `${view.package?.name} ${view.package?.version}`)
    return [...byPackage].map(([name, connectors]) =>
      ok(
        'packages',
        messages.connectorPackage(
          name,
          connectors.map(({ id }) => id),
        ),
      ),
    )
  } catch (error) {
    return [skipped('packages', messages.notChecked(failureSentence(error)))]
  }
}

function credentials(context: Context): Finding {
  const { credentials } = context.home()
  try {
    if (readCredentials(credentials) !== undefined) return ok('credentials', credentials)
    if (!existsSync(context.home().database)) return skipped('credentials', missingCredentials(context))
    return problem('credentials', messages.noCredentials(credentials))
  } catch (error) {
    return problem('credentials', failureSentence(error))
  }
}

/** With a database server, this home may need none: the process that created the first account has them. */
function missingCredentials({ io }: Context): string {
  return io.env.RECALLD_API_KEY ? messages.keyOfEnvironment : messages.createdAtStart
}

async function database(context: Context): Promise<Finding | Finding[]> {
  const file = context.home().database
  try {
    if (context.config().databaseUrl !== undefined) return await servers(context)
  } catch (error) {
    return skipped('database', messages.notChecked(failureSentence(error)))
  }
  if (!existsSync(file) && !hadDatabase(context.home())) return skipped('database', messages.createdAtStart)
  try {
    await using administration = await context.administration()
    const [first] = await administration.databaseProblems()
    if (first === undefined) return ok('database', messages.databaseSound(file))
    return problem('database', messages.databaseDamaged(file, first))
  } catch (error) {
    return problem('database', failureSentence(error))
  }
}

async function servers(context: Context): Promise<Finding[]> {
  try {
    const found = await context.databaseServers()
    return found.map(({ check, words, problems, measured }) =>
      problems.length === 0 ? ok(check, words, measured) : problem(check, `${words}. ${problems.join(' ')}`),
    )
  } catch (error) {
    return [problem('database', failureSentence(error))]
  }
}

async function service(context: Context): Promise<Finding | Finding[]> {
  const address = context.serviceUrl()
  const unhealthy = await healthProblem(address)
  if (unhealthy === undefined) return [ok('service', messages.serviceHealthy(address)), await key(context)]
  if (context.io.env.RECALLD_URL) return problem('service', messages.urlWrong(unhealthy))
  let config: Config
  try {
    config = context.config()
  } catch (error) {
    return skipped('service', messages.notChecked(failureSentence(error)))
  }
  const occupied = await portProblem(config)
  if (occupied !== undefined) return problem('service', occupied)
  return skipped('service', messages.notRunning(config.port))
}

/** Whether the service accepts the key that the other commands send, which may not be the one in this home. */
async function key(context: Context): Promise<Finding> {
  try {
    const memory = await context.memory()
    await memory.list({ sourceType: 'text', limit: 1, offset: 0 })
    return ok('key', messages.keyAccepted)
  } catch (error) {
    // A key for other sources is a valid one.
    const isLimited = error instanceof AppError && error.code === 'forbidden'
    return isLimited ? ok('key', messages.keyAccepted) : problem('key', failureSentence(error))
  }
}

/** Tests the port by listening on it briefly. */
function portProblem({ host, port }: Config): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error) => {
      const code = 'code' in error ? String(error.code) : error.message
      resolve(messages.portTaken(port, host, code))
    })
    server.listen(port, host, () => server.close(() => resolve(undefined)))
  })
}

function findingsText(findings: readonly Finding[], { io }: Context): string {
  const style = styleFor(io.stdout, io.env)
  const marks = { ok: style('green', 'ok     '), problem: style('red', 'PROBLEM'), skipped: style('dim', '-      ') }
  return findings.map(({ check, result, message }) => `${marks[result]}  ${check.padEnd(12)}${message}\n`).join('')
}
