import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { type Command, InvalidArgumentError } from 'commander'
import { findConnectionEntry, writeConnectionEntry } from '../config/connection-entry.ts'
import { commentedConfig } from '../config/documents.ts'
import { prepareHome } from '../config/home-folder.ts'
import { writePrivateFile } from '../config/private-file.ts'
import { SETTINGS } from '../config.ts'
import { AppError } from '../domain/errors.ts'
import { closestName } from '../kit/closest-name.ts'
import { connectSteps } from './connect-steps.ts'
import type { Context } from './context.ts'
import { failureSentence } from './failure.ts'
import { type Input, readSecret } from './secret-input.ts'
import { printable, styleFor, table } from './style.ts'
import type { ConnectorView, SyncDesk, SyncTarget } from './sync-contract.ts'
import { needsThePerson } from './sync-report.ts'

export interface ConnectContext extends Context {
  /** Where the token is typed or piped in; else the standard input of the process. */
  readonly stdin?: Input
}

interface Options {
  readonly name: string
  readonly path?: readonly string[]
  readonly device?: boolean
  readonly clientId?: string
}

const HELP = `
Examples:
  $ recalld connect                                  the connectors there are, and what each needs
  $ recalld connect slack --name acme                asks for the token and does not show it
  $ recalld connect github < token.txt               takes the first line
  $ recalld connect technical_docs --path ~/docs

A token is never an argument: others could read it in the list of processes.`

export function addConnect(program: Command, context: ConnectContext): void {
  program
    .command('connect')
    .description('let recalld read a source: gets its token and adds it to config.yaml')
    .argument('[provider]', 'a connector such as slack; without it, all are listed')
    .option('--name <name>', 'what you call this connection', nameArgument, 'me')
    .option(
      '--path <folder...>',
      'folders that are read, for a connector of folders; else those that it reads by itself',
    )
    .option('--device', 'get the token by typing a code in the browser; needs --client-id')
    .option('--client-id <id>', 'of the OAuth app that you registered for --device')
    .addHelpText('after', HELP)
    .action(async (provider: string | undefined, options: Options, command: Command) => {
      if (options.device !== (options.clientId === undefined ? undefined : true)) {
        command.error('error: --device and --client-id belong together: give both')
      }
      if (provider === undefined) await listConnectors(context)
      else await connect(provider, options, context)
    })
}

/** As connections may be called in config.yaml; a token file is named after it. */
function nameArgument(value: string): string {
  if (/^[\p{L}\p{N}][\p{L}\p{N}_.-]{0,63}$/u.test(value)) return value
  throw new InvalidArgumentError('It must begin with a letter or digit and hold only those and . _ -, at most 64.')
}

async function listConnectors(context: Context): Promise<void> {
  await using desk = await context.sync()
  const rows = (await desk.connectors()).map(({ id, title, needs, configured }) => [
    id,
    title,
    configured.length === 0 ? '-' : configured.join(', '),
    needs,
  ])
  context.io.stdout.write(table([['connector', 'title', 'configured', 'needs'], ...rows]))
  context.io.stdout.write('\n"recalld connect CONNECTOR" leads through it.\n')
}

async function connect(connector: string, options: Options, context: ConnectContext): Promise<void> {
  // Says what is wrong in config.yaml before anything is asked.
  context.config()
  const target = { connector, name: options.name }
  const files = context.home()
  const tokenFile = join(files.home, 'tokens', `${connector}-${options.name}`)
  const { token, settings } = await askFor(target, { ...options, tokenFile }, context)

  prepareHome(files.home)
  if (!existsSync(files.config)) writePrivateFile(files.config, commentedConfig(SETTINGS))
  const putBack = snapshot([files.config, tokenFile])
  if (token !== undefined) {
    mkdirSync(dirname(tokenFile), { recursive: true, mode: 0o700 })
    writePrivateFile(tokenFile, `${token}\n`)
  }
  const existing = findConnectionEntry(files.config, target)
  const isNew = existing === undefined || Object.keys(settings).some((key) => !(key in existing))
  if (isNew) writeConnectionEntry(files.config, target, settings)
  const warnings = await check(target, context, putBack)
  context.io.stdout.write(nextSteps(target, { warnings, isNew, config: files.config }, context.io))
}

interface Given {
  readonly token?: string
  /** For config.yaml. */
  readonly settings: Readonly<Record<string, unknown>>
}

type AskOptions = Options & { readonly tokenFile: string }

/** What the connection needs, from the arguments, the person or the provider. Changes nothing. */
async function askFor(target: SyncTarget, options: AskOptions, context: ConnectContext): Promise<Given> {
  await using desk = await context.sync()
  const view = findConnector(await desk.connectors(), target.connector)
  const existing = findConnectionEntry(context.home().config, target)
  const connection = `${target.connector}/${target.name}`
  if (view.auth === 'none') return { settings: pathSettings(view, { ...options, connection, existing }, context) }
  if (view.auth === 'oauth') {
    throw new AppError('invalid', `This version cannot connect ${view.title}: it needs ${view.needs}`)
  }
  const { tokenFile } = options
  if (existing?.token !== undefined || (existing?.token_file ?? tokenFile) !== tokenFile) {
    const remedy = 'Change it there, or give this connection another --name.'
    throw new AppError('invalid', `config.yaml says where ${connection} has its token. ${remedy}`)
  }
  const token =
    options.clientId === undefined
      ? await typedToken(view, context)
      : await deviceToken(desk, view, options.clientId, context)
  return { token, settings: { token_file: tokenFile } }
}

function findConnector(connectors: readonly ConnectorView[], id: string): ConnectorView {
  const found = connectors.find((connector) => connector.id === id)
  if (found !== undefined) return found
  const known = connectors.map((connector) => connector.id)
  const meant = closestName(id, known)
  const hint = meant === undefined ? `There are ${known.join(', ')}.` : `Did you mean ${meant}?`
  throw new AppError('invalid', `There is no connector ${id}. ${hint}`)
}

interface PathOptions {
  readonly path?: readonly string[]
  readonly connection: string
  readonly existing: object | undefined
}

function pathSettings(view: ConnectorView, { path, connection, existing }: PathOptions, { machine }: Context) {
  if (path !== undefined && !view.takesPaths) {
    throw new AppError('invalid', `${view.id} takes no --path: it knows where to look.`)
  }
  if (path === undefined && (view.standalone || existing !== undefined)) return {}
  if (existing !== undefined) {
    const remedy = 'Change its paths there, or give this connection another --name.'
    throw new AppError('invalid', `${connection} stands in config.yaml already. ${remedy}`)
  }
  if (path === undefined) {
    throw new AppError('invalid', `${view.id} needs folders: "recalld connect ${view.id} --path FOLDER".`)
  }
  // The service may run elsewhere, so what is relative here means nothing to it.
  const paths = path.map((folder) => resolve(folder.replace(/^~(?=$|[/\\])/, () => machine.userHome)))
  for (const folder of paths) {
    if (!existsSync(folder) || !statSync(folder).isDirectory()) throw new AppError('invalid', `${folder} is no folder.`)
  }
  return { paths }
}

async function typedToken(view: ConnectorView, context: ConnectContext): Promise<string> {
  const { io, stdin = process.stdin } = context
  io.stdout.write(`To connect ${view.title}:\n${connectSteps(view.id, view.needs)}\n`)
  const token = await readSecret(stdin, io.stderr, 'Token (it is not shown): ')
  if (!token) throw new AppError('invalid', 'No token was given; nothing was stored.')
  // Never repeated in the message: what was pasted may be another secret.
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new AppError(
      'invalid',
      'A token has no spaces and no letters beyond ASCII; nothing was stored. Copy it again.',
    )
  }
  return token
}

async function deviceToken(desk: SyncDesk, view: ConnectorView, clientId: string, { io }: Context): Promise<string> {
  if (desk.authorize === undefined) {
    throw new AppError('invalid', `${view.title} cannot be connected with --device: leave it out to use a token.`)
  }
  const onCode = (code: string, url: string) => {
    io.stdout.write(`Open ${printable(url)} and type this code there: ${printable(code)}\nWaiting for it ...\n`)
  }
  return await desk.authorize(view.id, { clientId, onCode })
}

/** What these files hold now; to be called when that is to be put back. */
function snapshot(files: readonly string[]): () => void {
  const contents = files.map((file) => {
    const place = existsSync(file) ? realpathSync(file) : file
    return { place, content: existsSync(place) ? readFileSync(place, 'utf8') : undefined }
  })
  return () => {
    for (const { place, content } of contents) {
      if (content === undefined) rmSync(place, { force: true })
      else writePrivateFile(place, content)
    }
  }
}

/**
 * Says whose account it is. When the source or a setting refuses, nothing of this connection stays: one that cannot work
 * would be reported as a problem for ever. When the source cannot be reached, the first run will tell.
 */
async function check(target: SyncTarget, context: Context, putBack: () => void): Promise<readonly string[]> {
  try {
    await using desk = await context.sync()
    const { account, warnings } = await desk.check(target)
    context.io.stdout.write(`${target.connector}/${target.name} reads as ${printable(account)}.\n`)
    return warnings
  } catch (error) {
    if (needsThePerson(error)) {
      putBack()
      throw new AppError('invalid', `${failureSentence(error)} Nothing was stored.`, { cause: error })
    }
    return [`It could not be checked now: ${failureSentence(error)} It is stored, and the first run checks it again.`]
  }
}

interface Connected {
  readonly warnings: readonly string[]
  readonly isNew: boolean
  readonly config: string
}

function nextSteps({ connector, name }: SyncTarget, { warnings, isNew, config }: Connected, io: Context['io']): string {
  const style = styleFor(io.stdout, io.env)
  const place = isNew ? `It now stands in ${config}` : `It stood in ${config} already`
  return [
    ...warnings.map((warning) => `${style('yellow', `Note: ${printable(warning)}`)}\n`),
    `${place}, where schedule and more can be set.\n`,
    `"recalld sync ${connector}/${name}" reads it now. A service that is running reads it on its schedule after a restart.\n`,
  ].join('')
}
