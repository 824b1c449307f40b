import type { ConnectionChange } from '../config/connection-entry.ts'
import { AppError } from '../domain/errors.ts'
import { closestName } from '../lib/closest-name.ts'
import type { GrantView, OAuthGrants } from './oauth/oauth-grants.ts'
import type { ConnectionAccess, ConnectorView, SyncTarget } from './sync-service.ts'

export type Provider = Awaited<ReturnType<OAuthGrants['providers']>>[number]
export type Family = Provider['families'][number]

/** The request for one consent. */
export interface ConsentPlan {
  readonly provider: Provider
  readonly family: Family
  readonly sources: readonly PlannedSource[]
}

export interface PlannedSource {
  readonly connector: ConnectorView
  /** The scopes that the connection requires. */
  readonly scopes: readonly string[]
}

interface SourceChoice {
  /** Ids of connectors; absent: those of the first family, except the ones requested by name only. */
  readonly sources?: readonly string[]
  /** Of the connections. */
  readonly name: string
}

/**
 * One consent for each family of the sources, in the order of the provider.
 * @throws AppError `invalid` for a source that the provider does not have
 */
export function planConsents(
  provider: Provider,
  { sources, name }: SourceChoice,
  { connectors, access }: { connectors: readonly ConnectorView[]; access: readonly ConnectionAccess[] },
): readonly ConsentPlan[] {
  const families = provider.families.flatMap((family) => {
    const views = connectors.filter(({ grant }) => grant?.provider === provider.id && grant.family === family.id)
    return views.length === 0 ? [] : [{ family, views }]
  })
  const known = families.flatMap(({ views }) => views.map(({ id }) => id))
  if (known.length === 0) {
    throw new AppError('invalid', `This version has no sources for ${provider.title}.`)
  }
  const unknown = sources?.find((source) => !known.includes(source))
  if (unknown !== undefined) throw new AppError('invalid', unknownSource(unknown, provider, known))
  const [first] = families
  const isLeft = (id: string) => isOnlyNamed(first?.family, id) && !isReadByGrant({ connector: id, name }, access)
  const chosen = sources ?? first?.views.map(({ id }) => id).filter((id) => !isLeft(id)) ?? []
  return families.flatMap(({ family, views }) => {
    const planned = views.filter(({ id }) => chosen.includes(id))
    return planned.length === 0
      ? []
      : [{ provider, family, sources: planned.map((view) => withScopes(view, name, access)) }]
  })
}

/** Sources of the planned families that were not requested, because nobody named them. */
export function unnamedSources(plans: readonly ConsentPlan[], connectors: readonly ConnectorView[]): readonly string[] {
  return plans.flatMap(({ family, sources }) =>
    connectors
      .map(({ id }) => id)
      .filter((id) => isOnlyNamed(family, id) && !sources.some(({ connector }) => connector.id === id)),
  )
}

function isOnlyNamed(family: Family | undefined, id: string): boolean {
  return family?.onlyNamed?.includes(id) ?? false
}

/** Whether config.yaml has the connection, without its own access. */
function isReadByGrant(target: SyncTarget, access: readonly ConnectionAccess[]): boolean {
  return access.some(
    ({ connector, name, by }) => by === 'grant' && connector === target.connector && name === target.name,
  )
}

function unknownSource(source: string, { title }: Provider, known: readonly string[]): string {
  const meant = closestName(source, known)
  return `${title} has no source ${source}. ${meant === undefined ? `Choose one of: ${known.join(', ')}.` : `Did you mean ${meant}?`}`
}

/** A configured connection may need other scopes than a new one. */
function withScopes(connector: ConnectorView, name: string, access: readonly ConnectionAccess[]): PlannedSource {
  const configured = access.find((one) => one.connector === connector.id && one.name === name)
  const scopes = configured?.need?.scopes ?? connector.grant?.scopes
  if (scopes !== undefined) return { connector, scopes }
  const advice = { action: 'connect', source: connector.id, oauth: false } as const
  const sentence = `${connector.title} needs settings: ${connector.needs}. Add it to connectors in config.yaml first.`
  throw new AppError('invalid', sentence, { advice })
}

export interface OtherFamily {
  readonly title: string
  readonly source: string
}

/** Families that were not chosen, each with a source for connecting it. */
export function otherFamilies(
  plans: readonly ConsentPlan[],
  connectors: readonly ConnectorView[],
): readonly OtherFamily[] {
  const [first] = plans
  if (first === undefined) return []
  return first.provider.families
    .filter((family) => !plans.some((plan) => plan.family.id === family.id))
    .flatMap((family) => {
      const ids = family.connectors.filter((id) =>
        connectors.some((view) => view.id === id && view.grant !== undefined),
      )
      const [source] = ids
      return source === undefined ? [] : [{ title: family.title, source }]
    })
}

/**
 * The scopes to request: those that the sources need, and those of the replaced grant, so that adding a source loses
 * nothing. All scopes of the family, if the replaced grant is unknown.
 */
export function scopesToAsk(
  { provider, family, sources }: ConsentPlan,
  {
    grants,
    access,
    account,
    bound,
  }: {
    readonly grants: readonly GrantView[]
    readonly access: readonly ConnectionAccess[]
    /** As typed. */
    readonly account?: string
    /** The grant that the connections currently use. */
    readonly bound?: GrantView
  },
): readonly string[] {
  const ofFamily = grantsOf(provider.id, family.id, grants)
  const replaced = account !== undefined ? ofFamily.filter((grant) => isOf(grant, account)) : bound ? [bound] : ofFamily
  const configured = access.filter(({ by, need }) => {
    if (by !== 'grant' || need?.provider !== provider.id || need.family !== family.id) return false
    const served = servingGrant(need.account, ofFamily)
    return served === undefined ? account === undefined || need.account === account : replaced.includes(served)
  })
  const all = [
    ...sources.flatMap(({ scopes }) => scopes),
    ...replaced.flatMap(({ scopes }) => scopes),
    ...configured.flatMap(({ need }) => need?.scopes ?? []),
  ]
  return [...new Set(all)].filter((scope) => !provider.baseScopes.includes(scope))
}

export function grantsOf(provider: string, family: string, grants: readonly GrantView[]): readonly GrantView[] {
  return grants.filter((grant) => grant.provider === provider && grant.family === family)
}

/** Whether this text names the grant. @param account title, account id or id of the grant */
export function isOf(grant: GrantView, account: string): boolean {
  return [grant.title.toLowerCase(), grant.account.toLowerCase(), grant.id].includes(account.toLowerCase())
}

/** The grant of a family that a connection uses. @param account from its settings */
export function servingGrant(account: string | undefined, ofFamily: readonly GrantView[]): GrantView | undefined {
  if (account !== undefined) return ofFamily.find((grant) => isOf(grant, account))
  return ofFamily.length === 1 ? ofFamily[0] : undefined
}

/** Scopes that a grant does not cover. */
export function scopesNotGranted(
  { hasScope }: Provider,
  granted: readonly string[],
  needed: readonly string[],
): string[] {
  return needed.filter((scope) => !(hasScope?.(granted, scope) ?? granted.includes(scope)))
}

/** `gmail.readonly`: the last part of a scope URL. */
export function shortScope(scope: string): string {
  return scope.includes('://') ? (scope.replace(/\/+$/, '').split('/').at(-1) ?? scope) : scope
}

/** The value of the setting `account` for a grant: its title, or the account id if two accounts have the same title. */
export function accountSetting(grant: GrantView, ofFamily: readonly GrantView[]): string {
  const isUnique = ofFamily.filter((other) => other.title.toLowerCase() === grant.title.toLowerCase()).length === 1
  return isUnique ? grant.title : grant.account
}

/** Connections that used the only grant of a family, and need the setting `account` now that there is another one. */
export function pinnedConnections(
  grant: GrantView,
  before: readonly GrantView[],
  access: readonly ConnectionAccess[],
): readonly ConnectionChange[] {
  const [only, ...more] = before
  if (only === undefined || more.length > 0 || only.account === grant.account) return []
  return access
    .filter(({ by, need }) => {
      const isServed = need?.provider === only.provider && need.family === only.family && need.account === undefined
      return by === 'grant' && isServed
    })
    .map(({ connector, name }) => ({
      ref: { connector, name },
      settings: { account: accountSetting(only, [only, grant]) },
    }))
}

/** How to register an OAuth client, as numbered lines. */
export function clientSteps({ id, clientSteps: steps }: Pick<Provider, 'id' | 'clientSteps'>): string {
  return numbered([
    ...steps.map((step) => (typeof step === 'string' ? step : step.terminal)),
    `More, and why: docs/connect/${id}.md`,
  ])
}

/** How to create a token, as numbered lines. */
export function tokenSteps({ tokenSteps: steps, needs }: Pick<ConnectorView, 'tokenSteps' | 'needs'>): string {
  return numbered(steps ?? [`Get what this connector needs: ${needs}`])
}

function numbered(steps: readonly string[]): string {
  return steps.map((step, index) => `  ${index + 1}. ${step}\n`).join('')
}
