import type { ConnectionChange } from '../../config/connection-entry.ts'
import {
  type ConsentPlan,
  grantsOf,
  isOf,
  lackingScopes,
  otherFamilies,
  planConsents,
  scopesToAsk,
  servingGrant,
  shortScope,
  unnamedSources,
} from '../../connections/grantable-sources.ts'
import type { GrantView, OAuthGrants } from '../../connections/oauth/oauth-grants.ts'
import type { ConnectionAccess, ConnectorView, SyncService } from '../../connections/sync-service.ts'
import { AppError } from '../../domain/errors.ts'
import { printable } from '../../lib/terminal-text.ts'
import { ExitCode, failureSentence } from '../terminal/failure.ts'
import type { Input } from '../terminal/prompter.ts'
import { openPrompter, type Prompter } from '../terminal/prompter.ts'
import { connectEntries } from './config-entries.ts'
import type { TokenContext } from './connect-by-token.ts'
import { type Assigned, type AssignOptions, assignConnections } from './connection-names.ts'
import { type ConsentOptions, consent, type Granted } from './consent.ts'
import { type ClientChoice, oauthClient } from './oauth-client.ts'
import { hasBrowser, openBrowser } from './open-browser.ts'
import { type ConnectOutcome, type LeftOut, outcomeJson, outcomeText } from './outcome.ts'

export interface GrantOptions {
  readonly sources?: readonly string[]
  readonly account?: string
  readonly tenant?: string
  readonly cloud?: string
  readonly authUrl?: string
  readonly apiUrl?: string
  readonly browser?: boolean
  readonly json?: boolean
}

export interface GrantContext extends TokenContext {
  /** Opens an address in the browser of the person; else the opener of the platform, where somebody sits at it. */
  readonly openBrowser?: (url: string) => void
}

type Options = GrantOptions & ClientChoice & ConsentOptions & { readonly name: string }

/** A person looks for a password or a second factor in it; whoever went away should not leave a listener behind. */
const PATIENCE_MS = 5 * 60_000

/** What all steps of one command share. */
interface Session {
  readonly options: Options
  readonly context: GrantContext
  readonly desk: OAuthGrants
  readonly prompter: Prompter
  readonly connectors: readonly ConnectorView[]
  readonly access: readonly ConnectionAccess[]
  readonly stop: AbortSignal
  /** For the person; beside JSON, on standard error. */
  readonly say: (text: string) => void
}

/** Leads through the consents for sources of one provider, writes their connections to config.yaml and checks them. */
export async function connectByGrant(
  provider: string,
  options: Options,
  context: GrantContext & { readonly stdin: Input },
): Promise<void> {
  const { io } = context
  const say = (text: string) => void (options.json ? io.stderr : io.stdout).write(text)
  const stopping = new AbortController()
  void context.stopRequested().then(() => stopping.abort())
  const decided = await decide(provider, options, { ...context, say, stop: stopping.signal })
  const { changes, others } = decided
  const { checked, isChanged } = await connectEntries(changes, others, context, stopping.signal)
  const outcome: ConnectOutcome = { ...decided, checked, isChanged, config: context.home().config }
  if (options.json) io.stdout.write(`${outcomeJson(outcome)}\n`)
  else io.stdout.write(outcomeText(outcome, io))
  if (!checked.some(({ refusal }) => refusal === undefined)) throw new ExitCode(1)
  // Whoever names sources wants all of them; of those that a provider has, some are often left unticked.
  if (options.sources !== undefined && (decided.left.length > 0 || checked.some(({ refusal }) => refusal))) {
    throw new ExitCode(1)
  }
}

interface Decided {
  readonly granted: readonly Granted[]
  readonly changes: readonly ConnectionChange[]
  readonly others: readonly ConnectionChange[]
  readonly left: readonly LeftOut[]
  /** What else the provider offers, each with its command. */
  readonly more: readonly string[]
}

type DecideContext = GrantContext & Pick<Session, 'say' | 'stop'> & { readonly stdin: Input }

/** All that is asked of the person. Grants are kept when it ends; config.yaml is as it was. */
async function decide(providerId: string, options: Options, context: DecideContext): Promise<Decided> {
  await using sync: SyncService = await context.sync()
  const [connectors, access, desk] = await Promise.all([sync.connectors(), sync.access(), sync.grants()])
  const provider = (await desk.providers()).find(({ id }) => id === providerId)
  if (provider === undefined) throw new AppError('invalid', `This version cannot ask ${providerId} for access.`)
  const plans = planConsents(provider, options, { connectors, access })
  const unnamed = options.sources === undefined ? unnamedSources(plans, connectors) : []
  refuseOwnAccess(plans, options.name, access)
  using prompter = openPrompter(context.stdin, context.io.stderr)
  const session: Session = { ...context, context, options, desk, prompter, connectors, access }
  const { granted, left } = await askAll(plans, session)
  left.push(...unnamed.map((connector) => ({ connector, reason: onlyNamedReason(connector) })))
  const assigned: Assigned[] = []
  for (const one of granted) {
    const { sources, lacking } = grantedSources(one)
    left.push(...lacking)
    const apiUrl = options.apiUrl ?? one.grant.place.apiUrl
    const settings = apiUrl === undefined ? {} : { api_url: apiUrl }
    const assign: AssignOptions = { name: options.name, settings, access, prompter, say: context.say }
    assigned.push(await assignConnections(one, sources, await desk.list(), assign))
  }
  return {
    granted,
    changes: assigned.flatMap(({ changes }) => changes),
    others: assigned.flatMap(({ others }) => others),
    left: [...left, ...assigned.flatMap(({ left }) => left)],
    more: otherFamilies(plans, connectors),
  }
}

function onlyNamedReason(connector: string): string {
  return `It was not asked for: its permissions may need an administrator, and without one nothing would be granted. "recalld connect ${connector}" asks for it.`
}

/** A connection with a token would never look at the grant. */
function refuseOwnAccess(plans: readonly ConsentPlan[], name: string, access: readonly ConnectionAccess[]): void {
  for (const { connector } of plans.flatMap(({ sources }) => sources)) {
    const own = access.find((one) => one.connector === connector.id && one.name === name && one.by === 'token')
    if (own === undefined) continue
    const remedy = 'Remove that there, or give this connection another --name.'
    throw new AppError('invalid', `config.yaml says where ${connector.id}/${name} has its access. ${remedy}`)
  }
}

async function askAll(plans: readonly ConsentPlan[], session: Session) {
  const granted: Granted[] = []
  const left: LeftOut[] = []
  for (const [index, plan] of plans.entries()) {
    if (plans.length > 1) session.say(`\n${index + 1} of ${plans.length}: ${printable(plan.family.title)}\n`)
    try {
      granted.push(await ask(plan, session))
    } catch (error) {
      // What was granted before is connected all the same.
      if (!(error instanceof AppError) || granted.length === 0) throw error
      const reason = failureSentence(error)
      left.push(...plan.sources.map(({ connector }) => ({ connector: connector.id, reason })))
      if (session.stop.aborted || session.prompter.interrupted.aborted) break
    }
  }
  return { granted, left }
}

async function ask(plan: ConsentPlan, session: Session): Promise<Granted> {
  const { options, desk, access, prompter, say, stop, context } = session
  const { provider, family, sources } = plan
  const grants = await desk.list()
  const before = grantsOf(provider.id, family.id, grants)
  const held = heldGrant(plan, before, options)
  const names = sources.map(({ connector }) => connector.title).join(', ')
  if (held !== undefined) {
    say(`${printable(held.title)} has granted access to ${names} already.\n`)
    return { plan, grant: held, before }
  }
  const bound = boundGrant(plan, options.name, { access, before })
  const account = options.account ?? bound?.title
  const replaced = options.account === undefined ? bound : before.find((grant) => isOf(grant, account ?? ''))
  const earlier = replaced ?? grants.findLast((grant) => grant.provider === provider.id)
  const client = await oauthClient(provider, options, { desk, prompter, say, ...(earlier && { earlier }) })
  const scopes = scopesToAsk(plan, {
    grants,
    access,
    ...(options.account !== undefined && { account: options.account }),
    ...(bound && { bound }),
  })
  // Also those that tell whose access it is: the person sees all of them at the provider.
  const shown = [...provider.baseScopes, ...scopes].map(shortScope).join(', ')
  say(`${provider.title} asks for your consent to read ${names}${shown === '' ? '.' : `:\n  ${printable(shown)}`}\n\n`)
  const request = {
    provider: provider.id,
    family: family.id,
    scopes,
    client,
    place: placeOf(options, earlier, say),
    ...(account !== undefined && { account }),
  }
  const patienceMs = PATIENCE_MS
  const grant = await consent(desk, { provider, request }, options, {
    prompter,
    say,
    stop,
    patienceMs,
    openBrowser: openerFor(options, context),
  })
  say(`\n${printable(grant.title)} granted it.\n`)
  for (const note of grant.notes) say(`Note: ${printable(note)}\n`)
  return { plan, grant, before }
}

/** What an account that is named has granted already needs no second consent. */
function heldGrant(plan: ConsentPlan, before: readonly GrantView[], options: Options): GrantView | undefined {
  const { account, clientId, clientFile } = options
  if (account === undefined || clientId !== undefined || clientFile !== undefined) return undefined
  const needed = plan.sources.flatMap(({ scopes }) => scopes)
  const found = before.find((grant) => isOf(grant, account))
  // One that is over, or ends soon, is why the person is here.
  if (found === undefined || found.refusal !== undefined || found.expiresAt !== undefined) return undefined
  return lackingScopes(plan.provider, found.scopes, needed).length === 0 ? found : undefined
}

/** The grant that the connections of this name are read by until now, when they agree. */
function boundGrant(
  { sources }: ConsentPlan,
  name: string,
  { access, before }: { readonly access: readonly ConnectionAccess[]; readonly before: readonly GrantView[] },
): GrantView | undefined {
  const ids = sources.map(({ connector }) => connector.id)
  const serving = access
    .filter((one) => one.name === name && ids.includes(one.connector))
    .map(({ need }) => servingGrant(need?.account, before))
  return new Set(serving).size === 1 ? serving[0] : undefined
}

const PLACE_OPTIONS = [
  ['tenant', '--tenant'],
  ['cloud', '--cloud'],
  ['authUrl', '--auth-url'],
  ['apiUrl', '--api-url'],
] as const

/** What is not typed again is as it was. */
function placeOf(options: Options, earlier: GrantView | undefined, say: Session['say']): GrantView['place'] {
  const place: Partial<Record<keyof GrantView['place'], string>> = {}
  for (const [name, option] of PLACE_OPTIONS) {
    const before = earlier?.place[name]
    const value = options[name] ?? before
    if (value !== undefined) place[name] = value
    if (options[name] === undefined && before !== undefined) say(`As before: ${option} ${printable(before)}\n`)
  }
  return place
}

function openerFor({ browser }: Options, { io, machine, openBrowser: given }: GrantContext) {
  if (browser === false) return undefined
  if (given !== undefined) return given
  return hasBrowser(io, machine) ? (url: string) => openBrowser(url, machine) : undefined
}

/** People can untick what they do not want; the sources that need it are left out. */
function grantedSources({ plan, grant }: Granted) {
  const lacksOf = (scopes: readonly string[]) => lackingScopes(plan.provider, grant.scopes, scopes)
  const lacking = plan.sources.flatMap(({ connector, scopes }) => {
    const lacks = lacksOf(scopes).map(shortScope)
    if (lacks.length === 0) return []
    const reason = `${printable(grant.title)} did not grant ${lacks.join(', ')}. "recalld connect ${connector.id}" asks again.`
    return [{ connector: connector.id, reason }]
  })
  return { sources: plan.sources.filter(({ scopes }) => lacksOf(scopes).length === 0), lacking }
}
