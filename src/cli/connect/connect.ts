import process from 'node:process'
import { type Command, InvalidArgumentError } from 'commander'
import { grantUses } from '../../connections/grant-views.ts'
import type { ConnectorView, SyncTarget } from '../../connections/sync-service.ts'
import { AppError } from '../../domain/errors.ts'
import { closestName } from '../../lib/closest-name.ts'
import { jsonText } from '../../lib/terminal-text.ts'
import { integerArgument } from '../terminal/arguments.ts'
import { cut, pageFor, table } from '../terminal/layout.ts'
import { connectByGrant, type GrantContext, type GrantOptions } from './connect-by-grant.ts'
import { connectByToken } from './connect-by-token.ts'
import { CONNECTION_NAME } from './connection-names.ts'
import type { ConsentOptions } from './consent.ts'
import { grantsIn, listGrants } from './grant-table.ts'
import type { ClientChoice } from './oauth-client.ts'
import { revokeGrants } from './revoke-grants.ts'

export type ConnectContext = GrantContext

interface Options extends ConsentOptions, ClientChoice, GrantOptions {
  readonly name: string
  readonly path?: readonly string[]
  readonly oauth?: boolean
  readonly list?: boolean
  readonly revoke?: string
  readonly yes?: boolean
}

const HELP = `
Examples:
  $ recalld connect                                  the connectors there are, and what each needs
  $ recalld connect slack --name acme                asks for the token and does not show it
  $ recalld connect github < token.txt               takes the first line
  $ recalld connect technical_docs --path ~/docs
  $ recalld connect google                           asks in the browser for mail, calendar, documents and more
  $ recalld connect google --sources email,calendar --client-file client_secret.json
  $ recalld connect calendar                         adds one source to what was granted
  $ recalld connect microsoft --device --sources ms-outlook
  $ recalld connect --list                           what was granted, and until when
  $ recalld connect --revoke ada@acme.test

Neither a token nor a client secret is ever an argument: others could read it in the list of processes. Both are typed
without being shown, or piped in.`

export function addConnect(program: Command, context: ConnectContext): void {
  program
    .command('connect')
    .description('let recalld read a source: gets access to it and adds it to config.yaml')
    .argument('[provider]', 'a connector such as slack, or google or microsoft; without it, all are listed')
    .option('--name <name>', 'what you call this connection', nameArgument, 'me')
    .option(
      '--path <folder...>',
      'folders that are read, for a connector of folders; else those that it reads by itself',
    )
    .option('--sources <list>', 'connectors to grant access to, separated by commas', namesArgument)
    .option('--oauth', 'grant access in the browser, for a connector that is asked for a token otherwise')
    .option('--client-id <id>', 'of the OAuth client that you registered; else the one of the last grant')
    .option('--client-file <file>', 'JSON with client_id and client_secret, as the console of Google has it downloaded')
    .option('--account <account>', 'whose access: an address such as ada@acme.test')
    .option('--tenant <tenant>', 'Microsoft: tenant id or domain, organizations, consumers or common')
    .option('--cloud <cloud>', 'Microsoft: a national cloud, such as us-government or china')
    .option('--auth-url <url>', 'where sign-in and tokens are, when not at the standard address')
    .option('--api-url <url>', 'where the API is, when not at the standard address')
    .option('--device', 'type a code in a browser anywhere, where the provider offers that')
    .option('--paste', 'paste the address that the browser ends at, instead of listening for it')
    .option('--port <port>', 'listen for the browser on this port of 127.0.0.1', integerArgument(1, 65_535))
    .option('--no-browser', 'show the address, and open no browser')
    .option('--list', 'show what was granted')
    .option('--revoke <account>', 'withdraw what was granted for an account, or by the id that --list shows')
    .option('--yes', 'with --revoke: do not ask')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action((provider: string | undefined, options: Options, command: Command) => {
      if (options.revoke !== undefined) return revokeGrants(options.revoke, { ...options, provider }, context)
      if (options.list === true) return listGrants(options, context)
      if (provider === undefined) return listConnectors(options, context)
      return connect(provider, options, { context, command })
    })
}

function nameArgument(value: string): string {
  if (CONNECTION_NAME.test(value)) return value
  throw new InvalidArgumentError('It must begin with a letter or digit and hold only those and . _ -, at most 64.')
}

function namesArgument(value: string): readonly string[] {
  const names = value.split(',').map((part) => part.trim())
  if (names.includes('')) throw new InvalidArgumentError('It must be connectors separated by commas.')
  return [...new Set(names)]
}

async function listConnectors({ json }: Options, context: ConnectContext): Promise<void> {
  await using desk = await context.sync()
  const connectors = await desk.connectors()
  const { stdout } = context.io
  if (json) {
    const wire = connectors.map(({ id, title, auth, configured, needs, grant }) => {
      return { id, title, auth, provider: grant?.provider ?? null, configured, needs }
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
  // Whole in a pipe; on a terminal a line each.
  const { width } = pageFor(context.io, new Date())
  const lines = table([['connector', 'title', 'configured', 'needs'], ...rows]).split('\n')
  stdout.write(lines.map((line) => cut(line, width)).join('\n'))
  stdout.write('\n"recalld connect CONNECTOR" leads through it.\n')
}

async function connect(
  what: string,
  options: Options,
  { context, command }: { readonly context: ConnectContext; readonly command: Command },
): Promise<void> {
  // Says what is wrong in config.yaml before anything is asked.
  context.config()
  const { connectors, isByGrant } = await known({ connector: what, name: options.name }, context)
  const connector = connectors.find(({ id }) => id === what)
  const takesToken =
    connector !== undefined && !isByGrant && (connector.auth !== 'oauth' || connector.tokenSteps !== undefined)
  const isForToken = takesToken && !wantsGrant(options)
  if (isForToken && (options.device === true) !== (options.clientId !== undefined)) {
    command.error('error: --device and --client-id belong together: give both')
  }
  if (isForToken || connector?.auth === 'none') return connectByToken(what, options, context)
  const provider =
    connector?.grant?.provider ?? connectors.find(({ grant }) => grant?.provider === what)?.grant?.provider
  if (provider !== undefined) {
    const sources = options.sources ?? (connector === undefined ? undefined : [connector.id])
    const { stdin = process.stdin } = context
    return connectByGrant(provider, { ...options, ...(sources && { sources }) }, { ...context, stdin })
  }
  if (connector === undefined) throw unknown(what, connectors)
  throw new AppError('invalid', `${connector.title} is read with a token in this version: leave --oauth out.`)
}

/** The connectors there are, and whether a grant is what the connection is read by until now. */
async function known(target: SyncTarget, context: ConnectContext) {
  await using desk = await context.sync()
  const connectors = await desk.connectors()
  const access = (await desk.access()).filter(
    ({ connector, name }) => connector === target.connector && name === target.name,
  )
  const isWithout = access.every(({ by }) => by === 'token')
  if (isWithout) return { connectors, isByGrant: false }
  const uses = grantUses(await grantsIn(desk, context), access)
  return { connectors, isByGrant: uses.some(({ connections }) => connections.length > 0) }
}

/** Connectors that know the steps to a token take one unless something is typed that only a grant needs. */
function wantsGrant({ oauth, clientId, clientFile, device, sources, paste }: Options): boolean {
  if (oauth === true || clientFile !== undefined || sources !== undefined || paste === true) return true
  return clientId !== undefined && device !== true
}

function unknown(what: string, connectors: readonly ConnectorView[]): AppError {
  const providers = connectors.flatMap(({ grant }) => grant?.provider ?? [])
  const known = [...new Set([...connectors.map(({ id }) => id), ...providers])]
  const meant = closestName(what, known)
  const hint = meant === undefined ? `There are ${known.join(', ')}.` : `Did you mean ${meant}?`
  return new AppError('invalid', `There is no connector ${what}. ${hint}`)
}
