import type { ConnectionChange } from '../../config/connection-entry.ts'
import {
  type ConsentPlan,
  grantsOf,
  isOf,
  otherFamilies,
  planConsents,
  scopesNotGranted,
  scopesToAsk,
  servingGrant,
  shortScope,
  unnamedSources,
} from '../../connections/grantable-sources.ts'
import type { GrantView, OAuthGrants } from '../../connections/oauth/oauth-grants.ts'
import { ConsentRefused } from '../../connections/oauth/token-client.ts'
import type { ConnectionAccess, ConnectorView, SyncService } from '../../connections/sync-service.ts'
import { AppError } from '../../domain/errors.ts'
import { printable } from '../../lib/terminal-text.ts'
import { ExitCode, failureSentence } from '../terminal/failure.ts'
import type { Input } from '../terminal/prompter.ts'
import { openPrompter, type Prompter } from '../terminal/prompter.ts'
import { asksForContent, chooseContent, pausedChange } from './choose.ts'
import { connectEntries } from './config-entries.ts'
import type { TokenContext } from './connect-by-token.ts'
import { type Assigned, type AssignOptions, assignConnections } from './connection-names.ts'
import { type ConsentOptions, consent, type Granted } from './consent.ts'
import { messages } from './messages.ts'
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
  /** Opens an address in the browser; otherwise the platform's opener is used, if somebody is at the machine. */
  readonly openBrowser?: (url: string) => void
}

type Options = GrantOptions & ClientChoice & ConsentOptions & { readonly name: string }

/** Long enough to look up a password or a second factor; then the listener closes. */
const PATIENCE_MS = 5 * 60_000

/** Shared by all steps of one command. */
interface Session {
  readonly options: Options
  readonly context: GrantContext
  readonly service: OAuthGrants
  readonly prompter: Prompter
  readonly connectors: readonly ConnectorView[]
  readonly access: readonly ConnectionAccess[]
  readonly stop: AbortSignal
  /** For the person; with JSON, on standard error. */
  readonly say: (text: string) => void
}

/** Runs the consents for sources of one provider, writes their connections to config.yaml and checks them. */
export async function connectByGrant(
  provider: string,
  options: Options,
  context: GrantContext & { readonly stdin: Input },
): Promise<void> {
  const { io } = context
  const say = (text: string) => void (options.json ? io.stderr : io.stdout).write(text)
  const stopping = new AbortController()
  void context.stopRequested().then(() => stopping.abort())
  const obtained = await obtainGrants(provider, options, { ...context, say, stop: stopping.signal })
  const { connectors, changes, others } = obtained
  const { config } = context.home()
  const chosen = options.json
    ? []
    : changes.filter((one) => {
        const view = connectors.find(({ id }) => id === one.ref.connector)
        return asksForContent(view, one, { config, stdin: context.stdin })
      })
  const written = changes.map((one) => (chosen.includes(one) ? pausedChange(one) : one))
  const { checked, isChanged } = await connectEntries(written, others, context, stopping.signal)
  for (const { ref } of chosen) {
    if (!checked.some(({ target, refusal }) => target === ref && refusal === undefined)) continue
    await chooseContent(ref, { context, stdin: context.stdin, stop: stopping.signal })
  }
  const outcome: ConnectOutcome = { ...obtained, checked, isChanged, config }
  if (options.json) io.stdout.write(`${outcomeJson(outcome)}\n`)
  else io.stdout.write(outcomeText(outcome, io))
  if (!checked.some(({ refusal }) => refusal === undefined)) throw new ExitCode(1)
  // Sources that were named must all be connected; without names, people may deselect some.
  if (options.sources !== undefined && (obtained.left.length > 0 || checked.some(({ refusal }) => refusal))) {
    throw new ExitCode(1)
  }
}

interface Obtained {
  readonly connectors: readonly ConnectorView[]
  readonly granted: readonly Granted[]
  readonly changes: readonly ConnectionChange[]
  readonly others: readonly ConnectionChange[]
  readonly left: readonly LeftOut[]
  /** Other families of the provider, each with its command. */
  readonly more: readonly string[]
}

type ObtainContext = GrantContext & Pick<Session, 'say' | 'stop'> & { readonly stdin: Input }

/** Asks the person for everything. Keeps the grants, and doesn't touch config.yaml. */
async function obtainGrants(providerId: string, options: Options, context: ObtainContext): Promise<Obtained> {
  await using sync: SyncService = await context.sync()
  const [connectors, access, service] = await Promise.all([sync.connectors(), sync.access(), sync.grants()])
  const provider = (await service.providers()).find(({ id }) => id === providerId)
  if (provider === undefined) throw new AppError('invalid', messages.providerUnknown(providerId))
  const plans = planConsents(provider, options, { connectors, access })
  const unnamed = options.sources === undefined ? unnamedSources(plans, connectors) : []
  refuseOwnAccess(plans, options.name, access)
  using prompter = openPrompter(context.stdin, context.io.stderr)
  const session: Session = { ...context, context, options, service, prompter, connectors, access }
  const { granted, left } = await askAll(plans, session)
  left.push(...unnamed.map((connector) => ({ connector, reason: messages.onlyNamed(connector) })))
  const assigned: Assigned[] = []
  for (const one of granted) {
    const { sources, lacking } = grantedSources(one)
    left.push(...lacking)
    const apiUrl = options.apiUrl ?? one.grant.place.apiUrl
    const settings = apiUrl === undefined ? {} : { api_url: apiUrl }
    const assign: AssignOptions = { name: options.name, settings, access, prompter, say: context.say }
    assigned.push(await assignConnections(one, sources, await service.list(), assign))
  }
  return {
    connectors,
    granted,
    changes: assigned.flatMap(({ changes }) => changes),
    others: assigned.flatMap(({ others }) => others),
    left: [...left, ...assigned.flatMap(({ left }) => left)],
    more: otherFamilies(plans, connectors).map(({ title, source }) => `${title}: "recalld connect ${source}"`),
  }
}

/** A connection with its own token would never use the grant. */
function refuseOwnAccess(plans: readonly ConsentPlan[], name: string, access: readonly ConnectionAccess[]): void {
  for (const { connector } of plans.flatMap(({ sources }) => sources)) {
    const own = access.find((one) => one.connector === connector.id && one.name === name && one.by === 'token')
    if (own === undefined) continue
    throw new AppError('invalid', messages.accessInConfig(`${connector.id}/${name}`))
  }
}

async function askAll(plans: readonly ConsentPlan[], session: Session) {
  const granted: Granted[] = []
  const left: LeftOut[] = []
  for (const [index, plan] of plans.entries()) {
    if (plans.length > 1) session.say(`\n${messages.step(index + 1, plans.length, printable(plan.family.title))}\n`)
    try {
      granted.push(await askConsent(plan, session))
    } catch (error) {
      if (error instanceof ConsentRefused && plan.family.oneByOne && plan.sources.length > 1) {
        const each = await askEach(plan, session)
        granted.push(...each.granted)
        left.push(...each.left)
        if (granted.length === 0) throw error
        continue
      }
      // Earlier grants are connected even if this one fails.
      if (!(error instanceof AppError) || granted.length === 0) throw error
      const reason = failureSentence(error)
      left.push(...plan.sources.map(({ connector }) => ({ connector: connector.id, reason })))
      if (session.stop.aborted || session.prompter.interrupted.aborted) break
    }
  }
  return { granted, left }
}

/** One refused permission must not keep the other sources out. */
async function askEach(plan: ConsentPlan, session: Session) {
  const granted: Granted[] = []
  const left: LeftOut[] = []
  session.say(`\n${messages.askingEach(plan.provider.title)}\n`)
  for (const source of plan.sources) {
    if (session.stop.aborted || session.prompter.interrupted.aborted) break
    try {
      granted.push(await askConsent({ ...plan, sources: [source] }, session))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      left.push({ connector: source.connector.id, reason: failureSentence(error) })
    }
  }
  return { granted, left }
}

async function askConsent(plan: ConsentPlan, session: Session): Promise<Granted> {
  const { options, service, access, prompter, say, stop, context } = session
  const { provider, family, sources } = plan
  const grants = await service.list()
  const before = grantsOf(provider.id, family.id, grants)
  const held = heldGrant(plan, before, options)
  const names = sources.map(({ connector }) => connector.title).join(', ')
  if (held !== undefined) {
    say(`${messages.alreadyGranted(printable(held.title), names)}\n`)
    return { plan, grant: held, before }
  }
  const bound = boundGrant(plan, options.name, { access, before })
  const account = options.account ?? bound?.title
  const replaced = options.account === undefined ? bound : before.find((grant) => isOf(grant, account ?? ''))
  const earlier = replaced ?? grants.findLast((grant) => grant.provider === provider.id)
  const client = await oauthClient(provider, options, { service, prompter, say, ...(earlier && { earlier }) })
  const scopes = scopesToAsk(plan, {
    grants,
    access,
    ...(options.account !== undefined && { account: options.account }),
    ...(bound && { bound }),
  })
  // The provider also shows the scopes that identify the account.
  const shown = [...provider.baseScopes, ...scopes].map(shortScope).join(', ')
  say(`${messages.asksFor(provider.title, names)}${shown === '' ? '.' : `:\n  ${printable(shown)}`}\n\n`)
  const request = {
    provider: provider.id,
    family: family.id,
    scopes,
    client,
    place: endpoints(options, earlier, say),
    ...(account !== undefined && { account }),
  }
  const patienceMs = PATIENCE_MS
  const grant = await consent(service, { provider, request }, options, {
    prompter,
    say,
    output: options.json ? context.io.stderr : context.io.stdout,
    stop,
    patienceMs,
    openBrowser: openerFor(options, context),
  })
  say(`\n${messages.granted(printable(grant.title))}\n`)
  for (const note of grant.notes) say(`${messages.note(printable(note))}\n`)
  return { plan, grant, before }
}

/** The grant of the named account, if it already covers everything and needs no second consent. */
function heldGrant(plan: ConsentPlan, before: readonly GrantView[], options: Options): GrantView | undefined {
  const { account, clientId, clientFile } = options
  if (account === undefined || clientId !== undefined || clientFile !== undefined) return undefined
  const needed = plan.sources.flatMap(({ scopes }) => scopes)
  const found = before.find((grant) => isOf(grant, account))
  // An ended or expiring grant needs to be renewed.
  if (found === undefined || found.refusal !== undefined || found.expiresAt !== undefined) return undefined
  return scopesNotGranted(plan.provider, found.scopes, needed).length === 0 ? found : undefined
}

/** The grant that the connections of this name have used so far, if all use the same. */
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

const ENDPOINT_OPTIONS = [
  ['tenant', '--tenant'],
  ['cloud', '--cloud'],
  ['authUrl', '--auth-url'],
  ['apiUrl', '--api-url'],
] as const

/** The provider's address; omitted options keep their earlier value. */
function endpoints(options: Options, earlier: GrantView | undefined, say: Session['say']): GrantView['place'] {
  const place: Partial<Record<keyof GrantView['place'], string>> = {}
  for (const [name, option] of ENDPOINT_OPTIONS) {
    const before = earlier?.place[name]
    const value = options[name] ?? before
    if (value !== undefined) place[name] = value
    if (options[name] === undefined && before !== undefined) say(`${messages.asBefore(option, printable(before))}\n`)
  }
  return place
}

function openerFor({ browser }: Options, { io, machine, openBrowser: given }: GrantContext) {
  if (browser === false) return undefined
  if (given !== undefined) return given
  return hasBrowser(io, machine) ? (url: string) => openBrowser(url, machine) : undefined
}

/** The sources whose scopes were all granted; people can deselect some. */
function grantedSources({ plan, grant }: Granted) {
  const lacksOf = (scopes: readonly string[]) => scopesNotGranted(plan.provider, grant.scopes, scopes)
  const lacking = plan.sources.flatMap(({ connector, scopes }) => {
    const lacks = lacksOf(scopes).map(shortScope)
    if (lacks.length === 0) return []
    const reason = messages.notGranted(printable(grant.title), lacks.join(', '), connector.id)
    return [{ connector: connector.id, reason }]
  })
  return { sources: plan.sources.filter(({ scopes }) => lacksOf(scopes).length === 0), lacking }
}
