import { z } from 'zod'
import type { CheckContext, Connector, Context, Partition } from '../../src/connector/connector.ts'
import { perRun } from '../../src/connector/per-run.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { type ChannelSource, channelChanges, readThread } from './channel-changes.ts'
import { type ChatSource, chatChanges, readDay } from './chat-changes.ts'
import { graphAccount, isPersonalAccount } from './graph-account.ts'
import { GraphGateway, isNotThere } from './graph-gateway.ts'
import { CLOUD_HOSTS } from './microsoft-config.ts'
import {
  isTakenChannel,
  isTakenTeam,
  type TeamsConfig,
  type TeamsCursor,
  teamsConfig,
  teamsCursor,
  teamsScopes,
} from './teams-config.ts'

/** A fixed minute and hour on any days: at most once a day. */
const ONCE_A_DAY = /^(?:\d+ )?\d+ \d+ \S+ \S+ \S+$/
const OFTEN =
  'Microsoft allows apps to check Teams for changes once a day and may suspend apps that check more often. Set a schedule such as "20 4 * * *".'

const teamAnswer = z.looseObject({ id: z.string().min(1), displayName: z.string().nullish() })
const associatedTeamAnswer = teamAnswer.extend({ tenantId: z.string().nullish() })
/** The address of a channel names the team that hosts it. */
const channelAnswer = teamAnswer.extend({ '@odata.id': z.string().nullish(), membershipType: z.string().nullish() })
const chatAnswer = z.looseObject({
  id: z.string().min(1),
  topic: z.string().nullish(),
  members: z
    .array(z.looseObject({ displayName: z.string().nullish(), userId: z.string().nullish() }))
    .nullish()
    .catch([]),
})

/** Channel threads and chat days. */
export const msTeams: Connector<TeamsConfig, TeamsCursor> = {
  manifest: {
    id: 'ms-teams',
    title: 'Microsoft Teams',
    sourceTypes: ['ms-teams'],
    auth: 'oauth',
    config: teamsConfig,
    cursor: teamsCursor,
    schedule: '20 4 * * *',
    deletions: 'feed',
    exactFeed: true,
    inventoryEveryMs: 0,
    vanished: 'forget',
    provider: 'microsoft',
    version: 1,
    quietPeriodMs: 0,
    selection: ({ include, exclude, direct_messages, since }) => ({ include, exclude, direct_messages, since }),
    grant: { provider: 'microsoft', family: 'graph', scopes: teamsScopes },
    listing: {
      summary: 'Conversations of the channels you are in, and your chats if you choose.',
      icon: 'people',
      group: 'Microsoft',
      partNoun: { one: 'channel', many: 'channels' },
    },
    documentation: {
      item: 'a thread of a channel, also of one that another team shares with yours or with you; with `direct_messages`, a chat on one day (UTC)',
      removed: 'deleted messages, and teams and chats you leave, at the next sync',
      needs:
        "`recalld connect ms-teams` with a work or school account; the permissions Team.ReadBasic.All, Channel.ReadBasic.All, ChannelMessage.Read.All, which needs an administrator's consent, and Chat.Read for chats",
      api: 'Microsoft Graph v1.0: channel messages and their delta; chat messages by lastModifiedDateTime',
      cursor: 'nextLink and deltaLink of each channel; the time of the last run of each chat',
      limits:
        'channels that a team of another organization shares with you alone are not listed; Microsoft allows checking for changes once a day; delta goes back eight months, older messages are listed once',
      verified: 'local fake server with working deltas; recorded responses',
    },
  },

  async check(context) {
    const account = await graphAccount(gatewayOf(context))
    if (isPersonalAccount(account)) {
      const remedy = 'connect a work or school account, or remove this connection'
      throw new SourceError('reconfigure', `Apps can't read Teams of personal accounts: ${remedy}.`)
    }
    const { schedule } = context.config
    if (schedule === undefined || ONCE_A_DAY.test(schedule.trim())) return account
    return { ...account, warnings: [...(account.warnings ?? []), OFTEN] }
  },

  async *partitions(context) {
    const gateway = gatewayOf(context)
    const joined = new Map<string, string>()
    for await (const { id, displayName } of gateway.list(teamAnswer, '/me/joinedTeams'))
      joined.set(id, displayName || id)
    const taken = [...joined].filter(([, team]) => isTakenTeam(team, context.config))
    for (const [id, team] of taken)
      yield* hostPartitions(id, team, channelPartitions(id, team, gateway, context), context)
    yield* sharedPartitions(taken, joined, gateway, context)
    if (!context.config.direct_messages) return
    const isChat = ({ id }: Partition) => id.startsWith('chat ')
    yield* unlessRefused({ part: 'chats', title: 'Chats', isOfPart: isChat }, chatPartitions(gateway, context), context)
  },

  async *changes(partition, cursor, context) {
    const refused = refusals(context).get(partition.id)
    if (refused !== undefined) throw refused
    const source = sourceOf(partition, context)
    if ('chatId' in source) yield* chatChanges(source, cursor)
    else yield* channelChanges(source, cursor)
  },

  async read({ partition, locator }, context) {
    if (locator === undefined) return undefined
    const source = sourceOf(partition, context)
    return 'chatId' in source ? readDay(source, locator) : readThread(source, locator)
  },
}

/** Why listings were refused, by the partition that says so. */
const refusals = perRun((_: Context<TeamsConfig>) => new Map<string, SourceError>())

/**
 * The channels or chats of a listing. A refused listing fails for itself, as a partition, and what was read of it before
 * stays and is read on: left out, it would look lost.
 */
async function* unlessRefused(
  { part, title, isOfPart }: { readonly part: string; readonly title: string; isOfPart(known: Partition): boolean },
  listing: AsyncIterable<Partition>,
  context: Context<TeamsConfig>,
): AsyncGenerator<Partition> {
  const found = new Set<string>()
  try {
    for await (const partition of listing) {
      found.add(partition.id)
      yield partition
    }
  } catch (cause) {
    if (!(cause instanceof SourceError) || cause.remedy !== 'skip') throw cause
    for (const known of await context.knownPartitions()) if (!found.has(known.id) && isOfPart(known)) yield known
    const problem = `${title} can't be listed: ask for access, or leave them out in the settings. ${cause.message}`
    refusals(context).set(part, new SourceError('skip', problem, { cause }))
    yield { id: part, title }
  }
}

/** @param shared for a team that the person is not in: the channels that were found already */
async function* channelPartitions(
  teamId: string,
  team: string,
  gateway: GraphGateway,
  { config }: Context<TeamsConfig>,
  shared?: ReadonlySet<string>,
): AsyncGenerator<Partition> {
  for await (const { id: channelId, displayName, membershipType } of channelsOf(teamId, 'channels', gateway)) {
    const channel = displayName || channelId
    const id = `channel ${teamId} ${channelId}`
    const isOther = shared !== undefined && (membershipType !== 'shared' || shared.has(id))
    if (!isOther && isTakenChannel(team, channel, config)) yield { id, title: `${team} / ${channel}` }
  }
}

/** Channels of teams that the person is not in, shared with their teams or with them: each once, whoever it is shared with. */
async function* sharedPartitions(
  taken: readonly (readonly [string, string])[],
  joined: ReadonlyMap<string, string>,
  gateway: GraphGateway,
  context: Context<TeamsConfig>,
): AsyncGenerator<Partition> {
  // The cloud in China doesn't list them.
  if ((await gateway.access()).root.startsWith(CLOUD_HOSTS.china.graph)) return
  const shared = new Set<string>()
  const isOfPart = ({ id }: Partition) => id.startsWith('channel ') && !joined.has(id.split(' ')[1] ?? '')
  for (const [id, team] of taken) {
    const listing = incomingPartitions([id, team], { joined, shared }, gateway, context)
    const part = { part: `shared ${id}`, title: `Channels shared with ${team}`, isOfPart }
    yield* unlessRefused(part, listing, context)
  }
  const others = associatedPartitions({ joined, shared }, gateway, context)
  yield* unlessRefused({ part: 'shared', title: 'Channels shared with you', isOfPart }, others, context)
}

interface SharedChannels {
  readonly joined: ReadonlyMap<string, string>
  /** Ids of the partitions that were found. */
  readonly shared: Set<string>
}

async function* incomingPartitions(
  [teamId, team]: readonly [string, string],
  { joined, shared }: SharedChannels,
  gateway: GraphGateway,
  { config }: Context<TeamsConfig>,
): AsyncGenerator<Partition> {
  for await (const found of channelsOf(teamId, 'incomingChannels', gateway)) {
    const channel = found.displayName || found.id
    const [, host] = /\/teams\/([^/]+)\/channels\//.exec(found['@odata.id'] ?? '') ?? []
    if (host === undefined || joined.has(host) || !isTakenChannel(team, channel, config)) continue
    const id = `channel ${host} ${found.id}`
    if (!shared.has(id)) yield { id, title: `${team} / ${channel}` }
    shared.add(id)
  }
}

async function* associatedPartitions(
  { joined, shared }: SharedChannels,
  gateway: GraphGateway,
  context: Context<TeamsConfig>,
): AsyncGenerator<Partition> {
  const [tenant] = context.account.account.split('.')
  for await (const host of associatedTeams(gateway)) {
    const team = host.displayName || host.id
    if (joined.has(host.id) || host.tenantId !== tenant || !isTakenTeam(team, context.config)) continue
    const listing = channelPartitions(host.id, team, gateway, context, shared)
    yield* hostPartitions(host.id, team, listing, context)
  }
}

/** The channels of one team. */
function hostPartitions(id: string, team: string, listing: AsyncIterable<Partition>, context: Context<TeamsConfig>) {
  const isOfPart = (known: Partition) => known.id.startsWith(`channel ${id} `)
  return unlessRefused({ part: `team ${id}`, title: `Channels of ${team}`, isOfPart }, listing, context)
}

/** The person's teams, and those with a channel that is shared with the person. */
async function* associatedTeams(gateway: GraphGateway): AsyncGenerator<z.infer<typeof associatedTeamAnswer>> {
  try {
    yield* gateway.list(associatedTeamAnswer, '/me/teamwork/associatedTeams')
  } catch (error) {
    // Not every cloud has this list.
    if (!isNotThere(error)) throw error
  }
}

async function* channelsOf(
  teamId: string,
  which: 'channels' | 'incomingChannels',
  gateway: GraphGateway,
): AsyncGenerator<z.infer<typeof channelAnswer>> {
  try {
    yield* gateway.list(channelAnswer, `/teams/${encodeURIComponent(teamId)}/${which}`)
  } catch (error) {
    if (!isNotThere(error)) throw error
  }
}

async function* chatPartitions(gateway: GraphGateway, { account }: Context<TeamsConfig>): AsyncGenerator<Partition> {
  const [, me] = account.account.split('.')
  const query = { $expand: 'members', $top: 50 }
  for await (const { id, topic, members } of gateway.list(chatAnswer, '/me/chats', { query })) {
    const others = (members ?? []).filter(({ userId }) => userId !== me).map(({ displayName }) => displayName)
    // Graph returns them in any order.
    const names = others.filter(Boolean).sort().slice(0, 5).join(', ')
    yield { id: `chat ${id}`, title: topic || (names === '' ? 'Chat' : `Chat with ${names}`) }
  }
}

function sourceOf({ id, title }: Partition, context: Context<TeamsConfig>): ChannelSource | ChatSource {
  const [kind, first = '', second = ''] = id.split(' ')
  const gateway = gatewayOf(context)
  const taken = { title, since: context.config.since, now: context.clock(), gateway }
  if (kind === 'channel') return { teamId: first, channelId: second, ...taken }
  return { tenantId: context.account.account.split('.')[0] ?? '', chatId: first, ...taken }
}

function gatewayOf(context: CheckContext<TeamsConfig>): GraphGateway {
  return new GraphGateway(context, { workload: 'teams', scopes: teamsScopes(context.config) })
}
