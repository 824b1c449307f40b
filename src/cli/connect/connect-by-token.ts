import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { findConnectionEntry, writeConnectionEntries } from '../../config/connection-entry.ts'
import { tokenSteps } from '../../connections/grantable-sources.ts'
import type { ConnectorView, EntryNews, SyncService, SyncTarget } from '../../connections/sync-service.ts'
import { AppError } from '../../domain/errors.ts'
import { writePrivateFile } from '../../lib/files.ts'
import { printable } from '../../lib/terminal-text.ts'
import type { Context } from '../context.ts'
import { styleFor } from '../terminal/layout.ts'
import { type Input, readSecret } from '../terminal/prompter.ts'
import { checkEntries, entryNews, newsOf, prepareConfig, type Snapshot, snapshot } from './config-entries.ts'

export interface TokenContext extends Context {
  /** Where the token is typed or piped in; else the standard input of the process. */
  readonly stdin?: Input
}

export interface TokenOptions {
  readonly name: string
  readonly path?: readonly string[]
  /** For the device flow of the connector. */
  readonly clientId?: string
  readonly apiUrl?: string
}

/** Connects a source that is read with a token of its own, or needs none. */
export async function connectByToken(connector: string, options: TokenOptions, context: TokenContext): Promise<void> {
  const target = { connector, name: options.name }
  const files = context.home()
  const tokenFile = join(files.home, 'tokens', `${connector}-${options.name}`)
  const { token, settings } = await askFor(target, { ...options, tokenFile }, context)

  const stopping = new AbortController()
  void context.stopRequested().then(() => stopping.abort())
  const before = snapshot([files.config, tokenFile])
  prepareConfig(files)
  if (token !== undefined) {
    mkdirSync(dirname(tokenFile), { recursive: true, mode: 0o700 })
    writePrivateFile(tokenFile, `${token}\n`)
  }
  const news = newsOf(files.config, { ref: target, settings })
  const kind =
    entryNews(files.config, { ref: target, settings }) ?? (token === undefined ? undefined : 'source_changed')
  if (news !== undefined) writeConnectionEntries(files.config, [news])
  before.written()
  const warnings = await check(target, { context, before, stop: stopping.signal, kind })
  context.io.stdout.write(nextSteps(target, { warnings, isNew: news !== undefined, config: files.config }, context.io))
}

const CHANGED_MEANWHILE = 'config.yaml was changed meanwhile, so the connection still stands there: take it out.'

interface Given {
  readonly token?: string
  /** For config.yaml. */
  readonly settings: Readonly<Record<string, unknown>>
}

type AskOptions = TokenOptions & { readonly tokenFile: string }

/** What the connection needs, from the arguments, the person or the provider. Changes nothing. */
async function askFor(target: SyncTarget, options: AskOptions, context: TokenContext): Promise<Given> {
  await using desk = await context.sync()
  const view = (await desk.connectors()).find(({ id }) => id === target.connector)
  if (view === undefined) throw new RangeError(`no connector ${target.connector}`)
  const existing = findConnectionEntry(context.home().config, target)
  const connection = `${target.connector}/${target.name}`
  const place = options.apiUrl === undefined ? {} : { api_url: options.apiUrl }
  if (view.auth === 'none') return { settings: pathSettings(view, { ...options, connection, existing }, context) }
  const { tokenFile } = options
  if (existing?.token !== undefined || (existing?.token_file ?? tokenFile) !== tokenFile) {
    const remedy = 'Change it there, or give this connection another --name.'
    throw new AppError('invalid', `config.yaml says where ${connection} has its token. ${remedy}`)
  }
  const token =
    options.clientId === undefined
      ? await typedToken(view, context)
      : await deviceToken(desk, view, { ...options, clientId: options.clientId }, context)
  return { token, settings: { token_file: tokenFile, ...place } }
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
  if (!view.takesPaths) {
    const place = 'Write it below connectors in config.yaml, as config/README.md shows'
    throw new AppError('invalid', `${view.title} needs settings: ${view.needs}. ${place}.`)
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

async function typedToken(view: ConnectorView, context: TokenContext): Promise<string> {
  const { io, stdin = process.stdin } = context
  io.stdout.write(`To connect ${view.title}:\n${tokenSteps(view)}\n`)
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

async function deviceToken(
  desk: SyncService,
  view: ConnectorView,
  { clientId, apiUrl }: { readonly clientId: string; readonly apiUrl?: string },
  { io }: Context,
): Promise<string> {
  if (desk.authorize === undefined) {
    throw new AppError('invalid', `${view.title} cannot be connected with --device: leave it out to use a token.`)
  }
  const onCode = (code: string, url: string) => {
    io.stdout.write(`Open ${printable(url)} and type this code there: ${printable(code)}\nWaiting for it ...\n`)
  }
  return await desk.authorize(view.id, { clientId, onCode, ...(apiUrl !== undefined && { apiUrl }) })
}

interface Checking {
  readonly context: Context
  readonly before: Snapshot
  readonly stop: AbortSignal
  /** What is told as activity. */
  readonly kind: EntryNews | undefined
}

/** Says whose account it is. When the source or a setting refuses, nothing of this connection stays. */
async function check(target: SyncTarget, { context, before, stop, kind }: Checking): Promise<readonly string[]> {
  const news = new Map(kind && [[target, kind]])
  const [checked] = await checkEntries([target], context, { stop, news }).catch((error: unknown) => {
    before.putBack()
    throw error
  })
  if (checked?.refusal !== undefined) {
    const rest = before.putBack() ? 'Nothing was stored.' : CHANGED_MEANWHILE
    throw new AppError('invalid', `${checked.refusal} ${rest}`)
  }
  if (checked?.account !== undefined) {
    context.io.stdout.write(`${target.connector}/${target.name} reads as ${printable(checked.account)}.\n`)
  }
  return checked?.warnings ?? []
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
    `"recalld sync ${connector}/${name}" reads it now. A service that is running reads it on its schedule.\n`,
  ].join('')
}
