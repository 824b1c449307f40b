import process from 'node:process'
import { type Command, InvalidArgumentError } from 'commander'
import { parse } from 'yaml'
import { grantUses } from '../../connections/grant-views.ts'
import type { ConnectorView, SyncTarget } from '../../connections/sync-service.ts'
import { AppError } from '../../domain/errors.ts'
import { closestName } from '../../lib/closest-name.ts'
import { jsonText } from '../../lib/terminal-text.ts'
import { integerArgument } from '../terminal/arguments.ts'
import { cut, pageFor, table } from '../terminal/layout.ts'
import { messages as terminal } from '../terminal/messages.ts'
import { connectByGrant, type GrantContext, type GrantOptions } from './connect-by-grant.ts'
import { connectByToken } from './connect-by-token.ts'
import { CONNECTION_NAME } from './connection-names.ts'
import type { ConsentOptions } from './consent.ts'
import { connectorsCalled } from './everyday-names.ts'
import { grantsIn, listGrants } from './grant-table.ts'
import { messages } from './messages.ts'
import type { ClientChoice } from './oauth-client.ts'
import { revokeGrants } from './revoke-grants.ts'

export type ConnectContext = GrantContext

interface Options extends ConsentOptions, ClientChoice, GrantOptions {
  readonly name: string
  readonly path?: readonly string[]
  readonly set?: Readonly<Record<string, unknown>>
  readonly oauth?: boolean
  readonly list?: boolean
  readonly revoke?: string
  readonly yes?: boolean
}

export function addConnect(program: Command, context: ConnectContext): void {
  program
    .command('connect')
    .description(messages.connect)
    .argument('[provider]', messages.provider)
    .option('--name <name>', messages.name, nameArgument, 'me')
    .option('--path <folder...>', messages.path)
    .option('--set <setting>', messages.set, settingArgument)
    .option('--sources <list>', messages.sources, namesArgument)
    .option('--oauth', messages.oauth)
    .option('--client-id <id>', messages.clientId)
    .option('--client-file <file>', messages.clientFile)
    .option('--account <account>', messages.account)
    .option('--tenant <tenant>', messages.tenant)
    .option('--cloud <cloud>', messages.cloud)
    .option('--auth-url <url>', messages.authUrl)
    .option('--api-url <url>', messages.apiUrl)
    .option('--device', messages.device)
    .option('--paste', messages.paste)
    .option('--port <port>', messages.port, integerArgument(1, 65_535))
    .option('--no-browser', messages.noBrowser)
    .option('--list', messages.list)
    .option('--revoke <account>', messages.revoke)
    .option('--yes', messages.yes)
    .option('--json', terminal.json)
    .addHelpText('after', messages.help)
    .action((provider: string | undefined, options: Options, command: Command) => {
      if (options.revoke !== undefined) return revokeGrants(options.revoke, { ...options, provider }, context)
      if (options.list === true) return listGrants(options, context)
      if (provider === undefined) return listConnectors(options, context)
      return connect(provider, options, { context, command })
    })
}

function nameArgument(value: string): string {
  if (CONNECTION_NAME.test(value)) return value
  throw new InvalidArgumentError(messages.nameRule)
}

/** `host=imap.acme.test`; the value is YAML, so that lists and numbers can be given too. */
function settingArgument(
  value: string,
  earlier: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  const [, name, text] = /^([a-z][a-z0-9_]*)=(.+)$/s.exec(value) ?? []
  if (name === undefined || text === undefined) throw new InvalidArgumentError(messages.settingRule)
  if (SECRETS.has(name)) throw new InvalidArgumentError(messages.secretSetting)
  try {
    return { ...earlier, [name]: parse(text) }
  } catch (cause) {
    const [problem = ''] = cause instanceof Error ? cause.message.split('\n', 1) : []
    throw new InvalidArgumentError(messages.notYaml(name, problem))
  }
}

/** Never arguments, because others could see them in the process list. */
const SECRETS = new Set(['token', 'password'])

function namesArgument(value: string): readonly string[] {
  const names = value.split(',').map((part) => part.trim())
  if (names.includes('')) throw new InvalidArgumentError(messages.sourcesRule)
  return [...new Set(names)]
}

async function listConnectors({ json }: Options, context: ConnectContext): Promise<void> {
  await using service = await context.sync()
  const connectors = await service.connectors()
  const { stdout } = context.io
  if (json) {
    const wire = connectors.map(({ id, title, auth, configured, needs, grant, package: from }) => {
      return { id, title, auth, provider: grant?.provider ?? null, configured, needs, ...(from && { package: from }) }
    })
    stdout.write(`${jsonText(wire, 2)}\n`)
    return
  }
  const rows = connectors.map(({ id, title, needs, configured }) => [
    id,
    title,
    configured.length === 0 ? '-' : configured.join(', '),
    needs,
  ])
  // On a terminal, each connector takes one line.
  const { width } = pageFor(context.io, new Date())
  const lines = table([['connector', 'title', 'configured', 'needs'], ...rows]).split('\n')
  stdout.write(lines.map((line) => cut(line, width)).join('\n'))
  const notes = connectors.flatMap((connector) => packageNote(connector) ?? [])
  stdout.write(['', ...notes, messages.howToConnect, ''].join('\n'))
}

async function connect(
  what: string,
  options: Options,
  { context, command }: { readonly context: ConnectContext; readonly command: Command },
): Promise<void> {
  // Reports mistakes in config.yaml before asking for anything.
  context.config()
  const { connectors, isByGrant } = await connectorsAndGrant({ connector: what, name: options.name }, context)
  const connector = connectors.find(({ id }) => id === what)
  const note = connector && packageNote(connector)
  if (note !== undefined) context.io.stderr.write(`${note}\n`)
  const takesToken =
    connector !== undefined && !isByGrant && (connector.auth !== 'oauth' || connector.tokenSteps !== undefined)
  const isForToken = takesToken && !wantsGrant(options)
  if (isForToken && (options.device === true) !== (options.clientId !== undefined)) {
    command.error(messages.clientWithDevice)
  }
  if (isForToken || connector?.auth === 'none') return connectByToken(what, options, context)
  const provider =
    connector?.grant?.provider ?? connectors.find(({ grant }) => grant?.provider === what)?.grant?.provider
  if (provider !== undefined) {
    const sources = options.sources ?? (connector === undefined ? undefined : [connector.id])
    const { stdin = process.stdin } = context
    return connectByGrant(provider, { ...options, ...(sources && { sources }) }, { ...context, stdin })
  }
  if (connector === undefined) throw unknownConnector(what, connectors)
  throw new AppError('invalid', messages.tokenOnly(connector.title))
}

/** All connectors, and whether the connection has been read with a grant so far. */
async function connectorsAndGrant(target: SyncTarget, context: ConnectContext) {
  await using service = await context.sync()
  const connectors = await service.connectors()
  const access = (await service.access()).filter(
    ({ connector, name }) => connector === target.connector && name === target.name,
  )
  const isTokenOnly = access.every(({ by }) => by === 'token')
  if (isTokenOnly) return { connectors, isByGrant: false }
  const uses = grantUses(await grantsIn(service, context), access)
  return { connectors, isByGrant: uses.some(({ connections }) => connections.length > 0) }
}

/** Connectors with token instructions use a token, unless an option is given that only a grant needs. */
function wantsGrant({ oauth, clientId, clientFile, device, sources, paste }: Options): boolean {
  if (oauth === true || clientFile !== undefined || sources !== undefined || paste === true) return true
  return clientId !== undefined && device !== true
}

function packageNote({ title, package: from }: ConnectorView): string | undefined {
  return from && messages.note(messages.fromPackage(title, `${from.name} ${from.version}`))
}

function unknownConnector(what: string, connectors: readonly ConnectorView[]): AppError {
  const providers = connectors.flatMap(({ grant }) => grant?.provider ?? [])
  const known = [...new Set([...connectors.map(({ id }) => id), ...providers])]
  const closest = closestName(what, known)
  const called = connectorsCalled(what).filter((id) => known.includes(id))
  const meant = called.length > 0 || closest === undefined ? called : [closest]
  const either = new Intl.ListFormat('en', { type: 'disjunction' })
  const hint = meant.length === 0 ? terminal.chooseOneOf(known) : terminal.didYouMean(either.format(meant))
  return new AppError('invalid', `${messages.unknownConnector(what)} ${hint}`)
}
