import type { ConnectionChange } from '../../config/connection-entry.ts'
import {
  accountSetting,
  grantsOf,
  isOf,
  type PlannedSource,
  pinnedConnections,
  servingGrant,
} from '../../connections/grantable-sources.ts'
import type { GrantView } from '../../connections/oauth/oauth-grants.ts'
import type { ConnectionAccess, SyncTarget } from '../../connections/sync-service.ts'
import { printable } from '../../lib/terminal-text.ts'
import type { Prompter } from '../terminal/prompter.ts'
import type { Granted } from './consent.ts'
import { messages } from './messages.ts'
import type { LeftOut } from './outcome.ts'

/** A valid connection name for config.yaml; a token file is named after it. */
export const CONNECTION_NAME = /^[\p{L}\p{N}][\p{L}\p{N}_.-]{0,63}$/u

export interface AssignOptions {
  /** The name requested for the connections. */
  readonly name: string
  /** For every connection. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly access: readonly ConnectionAccess[]
  readonly prompter: Prompter
  readonly say: (text: string) => void
}

/** The settings to write to config.yaml. */
export interface Assigned {
  readonly changes: readonly ConnectionChange[]
  /** Connections of another account that were the only ones so far, and now need the setting `account`. */
  readonly others: readonly ConnectionChange[]
  readonly left: readonly LeftOut[]
}

/**
 * Names the connections of a grant. A name in use for another account is not reused, because its cursors and items
 * belong to that account.
 * @param grants all current grants
 */
export async function assignConnections(
  { plan, grant, before }: Granted,
  sources: readonly PlannedSource[],
  grants: readonly GrantView[],
  options: AssignOptions,
): Promise<Assigned> {
  const ofFamily = grantsOf(plan.provider.id, plan.family.id, grants)
  const ids = sources.map(({ connector }) => connector.id)
  const ownerOf = (target: SyncTarget) => otherOwner(target, grant, { before, access: options.access })
  const { name, taken } = await freeName(ids, grant, { ...options, ownerOf })
  const free = ids.filter((id) => !taken.includes(id))
  const account = ofFamily.length > 1 ? { account: accountSetting(grant, ofFamily) } : {}
  return {
    changes: free.map((connector) => ({ ref: { connector, name }, settings: { ...account, ...options.settings } })),
    others: pinnedConnections(grant, before, options.access),
    left: taken.map((connector) => ({ connector, reason: takenReason({ connector, name }, grant, ownerOf) })),
  }
}

type OwnerOf = (target: SyncTarget) => string | undefined

/** The owner of the connection, if that is another account. */
function otherOwner(
  { connector, name }: SyncTarget,
  grant: GrantView,
  { before, access }: { readonly before: readonly GrantView[]; readonly access: readonly ConnectionAccess[] },
): string | undefined {
  const configured = access.find((one) => one.connector === connector && one.name === name)
  if (configured === undefined) return undefined
  const { account } = configured.need ?? {}
  if (account !== undefined) return isOf(grant, account) ? undefined : account
  const serving = servingGrant(undefined, before)
  return serving === undefined || serving.account === grant.account ? undefined : serving.title
}

/** The requested name, or another one that the person enters, and the connectors that use it for another account. */
async function freeName(
  ids: readonly string[],
  grant: GrantView,
  { name: wanted, prompter, say, ownerOf }: AssignOptions & { readonly ownerOf: OwnerOf },
): Promise<{ readonly name: string; readonly taken: readonly string[] }> {
  for (let name = wanted; ; ) {
    const taken = ids.filter((connector) => ownerOf({ connector, name }) !== undefined)
    const [first] = taken
    if (first === undefined || !prompter.isTerminal) return { name, taken }
    say(`${takenSentence({ connector: first, name }, grant, ownerOf)}\n`)
    const answer = await prompter.ask(messages.anotherName(printable(grant.title)))
    if (!answer) return { name, taken }
    if (CONNECTION_NAME.test(answer)) name = answer
    else say(`${messages.nameRule}\n`)
  }
}

function takenSentence({ connector, name }: SyncTarget, grant: GrantView, ownerOf: OwnerOf): string {
  return messages.taken(`${connector}/${name}`, printable(ownerOf({ connector, name }) ?? ''), printable(grant.title))
}

function takenReason(target: SyncTarget, grant: GrantView, ownerOf: OwnerOf): string {
  const advice = messages.takenAdvice(target.connector, printable(grant.title))
  return `${takenSentence(target, grant, ownerOf)} ${advice}`
}
