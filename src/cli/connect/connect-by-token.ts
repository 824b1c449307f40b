import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { findConnectionEntry, writeConnectionEntries } from '../../config/connection-entry.ts'
import { isSecretOf } from '../../connections/entered-secret.ts'
import { tokenSteps } from '../../connections/grantable-sources.ts'
import type { ConnectorView, EntryChangeKind, SyncService, SyncTarget } from '../../connections/sync-service.ts'
import { AppError } from '../../domain/errors.ts'
import { writePrivateFile } from '../../lib/files.ts'
import { printable } from '../../lib/terminal-text.ts'
import type { Context } from '../context.ts'
import { styleFor } from '../terminal/layout.ts'
import { type Input, readSecret } from '../terminal/prompter.ts'
import { qrCode } from '../terminal/qr-code.ts'
import { asksForContent, chooseContent, pausedChange } from './choose.ts'
import {
  checkEntries,
  entryChangeKind,
  missingSettings,
  prepareConfig,
  type Snapshot,
  snapshot,
} from './config-entries.ts'
import { messages } from './messages.ts'

export interface TokenContext extends Context {
  /** The terminal or pipe for the token; otherwise the standard input of the process. */
  readonly stdin?: Input
}

export interface TokenOptions {
  readonly name: string
  readonly path?: readonly string[]
  /** Further settings, by name. */
  readonly set?: Readonly<Record<string, unknown>>
  /** For the device flow of the connector. */
  readonly clientId?: string
  readonly apiUrl?: string
}

/** Connects a source that uses its own token, or needs none. */
export async function connectByToken(connector: string, options: TokenOptions, context: TokenContext): Promise<void> {
  const target = { connector, name: options.name }
  const files = context.home()
  const tokenFile = join(files.home, 'tokens', `${connector}-${options.name}`)
  const { token, settings: given, view } = await tokenAndSettings(target, { ...options, tokenFile }, context)
  const { stdin = process.stdin } = context
  const isChosen = asksForContent(view, { ref: target, settings: given }, { config: files.config, stdin })
  const { settings } = isChosen ? pausedChange({ ref: target, settings: given }) : { settings: given }

  const stopping = new AbortController()
  void context.stopRequested().then(() => stopping.abort())
  const before = snapshot([files.config, tokenFile])
  prepareConfig(files)
  if (token !== undefined) {
    mkdirSync(dirname(tokenFile), { recursive: true, mode: 0o700 })
    writePrivateFile(tokenFile, `${token}\n`)
  }
  const news = missingSettings(files.config, { ref: target, settings })
  const kind =
    entryChangeKind(files.config, { ref: target, settings }) ?? (token === undefined ? undefined : 'source_changed')
  if (news !== undefined) writeConnectionEntries(files.config, [news])
  before.written()
  const warnings = await checkConnection(target, { context, before, stop: stopping.signal, kind })
  if (isChosen) await chooseContent(target, { context, stdin, stop: stopping.signal })
  context.io.stdout.write(nextSteps(target, { warnings, isNew: news !== undefined, config: files.config }, context.io))
}

interface Given {
  readonly view: ConnectorView
  readonly token?: string
  /** For config.yaml. */
  readonly settings: Readonly<Record<string, unknown>>
}

type AskOptions = TokenOptions & { readonly tokenFile: string }

/** What the connection needs, from the arguments, the person or the provider. Changes nothing. */
async function tokenAndSettings(target: SyncTarget, options: AskOptions, context: TokenContext): Promise<Given> {
  await using service = await context.sync()
  const view = (await service.connectors()).find(({ id }) => id === target.connector)
  if (view === undefined) throw new RangeError(`no connector ${target.connector}`)
  const existing = findConnectionEntry(context.home().config, target)
  const connection = `${target.connector}/${target.name}`
  const given = { ...options.set, ...(options.apiUrl !== undefined && { api_url: options.apiUrl }) }
  if (view.auth === 'none') {
    return { view, settings: { ...pathSettings(view, { ...options, connection, existing }, context), ...given } }
  }
  const { tokenFile } = options
  if (existing?.token !== undefined || (existing?.token_file ?? tokenFile) !== tokenFile) {
    throw new AppError('invalid', messages.tokenInConfig(connection))
  }
  const token =
    options.clientId === undefined
      ? await typedToken(view, context)
      : await deviceToken(service, view, { ...options, clientId: options.clientId }, context)
  return { view, token, settings: { ...given, token_file: tokenFile } }
}

interface PathOptions {
  readonly path?: readonly string[]
  readonly set?: Readonly<Record<string, unknown>>
  readonly connection: string
  readonly existing: object | undefined
}

function pathSettings(view: ConnectorView, { path, set, connection, existing }: PathOptions, { machine }: Context) {
  if (path !== undefined && !view.takesPaths) {
    throw new AppError('invalid', messages.noPath(view.id))
  }
  if (path === undefined && (view.standalone || existing !== undefined || set !== undefined)) return {}
  if (existing !== undefined) {
    throw new AppError('invalid', messages.pathsInConfig(connection))
  }
  if (!view.takesPaths) {
    throw new AppError('invalid', messages.needsSettings(view.title, view.needs))
  }
  if (path === undefined) {
    throw new AppError('invalid', messages.needsFolders(view.id))
  }
  // The service may run in another folder, so relative paths would mean nothing to it.
  const paths = path.map((one) => resolve(one.replace(/^~(?=$|[/\\])/, () => machine.userHome)))
  for (const one of paths) {
    const found = existsSync(one) ? statSync(one) : undefined
    if (view.takesFiles && found === undefined) throw new AppError('invalid', messages.noSuchPath(one))
    if (!view.takesFiles && !found?.isDirectory()) throw new AppError('invalid', messages.notFolder(one))
  }
  return { paths }
}

async function typedToken(view: ConnectorView, context: TokenContext): Promise<string> {
  const { io, stdin = process.stdin } = context
  io.stdout.write(`${messages.toConnect(view.title)}\n${tokenSteps(view)}\n`)
  const kind = view.secret ?? 'token'
  const secret = await readSecret(stdin, io.stderr, messages.secretPrompts[kind])
  if (!secret) throw new AppError('invalid', messages.noSecret[kind])
  // The message never repeats the value, because it may be another secret.
  if (!isSecretOf(kind, secret)) {
    throw new AppError('invalid', kind === 'password' ? messages.malformedPassword : messages.malformedToken)
  }
  return secret
}

async function deviceToken(
  service: SyncService,
  view: ConnectorView,
  { clientId, apiUrl }: { readonly clientId: string; readonly apiUrl?: string },
  { io }: Context,
): Promise<string> {
  if (service.authorize === undefined) {
    throw new AppError('invalid', messages.noDeviceToken(view.title))
  }
  const onCode = (code: string, url: string) => {
    io.stdout.write(`${qrCode(io.stdout, url)}${messages.enterCode(printable(url), printable(code))}\n`)
  }
  return await service.authorize(view.id, { clientId, onCode, ...(apiUrl !== undefined && { apiUrl }) })
}

interface Checking {
  readonly context: Context
  readonly before: Snapshot
  readonly stop: AbortSignal
  /** The activity to note. */
  readonly kind: EntryChangeKind | undefined
}

/** Prints the account. If the source or a setting refuses, everything is reverted. */
async function checkConnection(
  target: SyncTarget,
  { context, before, stop, kind }: Checking,
): Promise<readonly string[]> {
  const news = new Map(kind && [[target, kind]])
  const [checked] = await checkEntries([target], context, { stop, news }).catch((error: unknown) => {
    before.putBack()
    throw error
  })
  if (checked?.refusal !== undefined) {
    const rest = before.putBack() ? messages.nothingSaved : messages.changedMeanwhile
    throw new AppError('invalid', `${checked.refusal} ${rest}`)
  }
  if (checked?.account !== undefined) {
    context.io.stdout.write(`${messages.connected(`${target.connector}/${target.name}`, printable(checked.account))}\n`)
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
  return [
    ...warnings.map((warning) => `${style('yellow', messages.note(printable(warning)))}\n`),
    `${isNew ? messages.saved(config) : messages.alreadySaved(config)}\n`,
    `${messages.syncNow([`${connector}/${name}`])}\n`,
  ].join('')
}
