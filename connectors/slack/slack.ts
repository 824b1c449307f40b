import { configuredToken } from '../../src/connector/connection-fields.ts'
import type { Connector, Context, Partition } from '../../src/connector/connector.ts'
import { perRun } from '../../src/connector/per-run.ts'
import { SourceError } from '../../src/connector/source-error.ts'
import { dayMessages, HIDDEN, isHiddenBefore, readSetting, threadMessages } from './channel-history.ts'
import { scanChannel } from './channel-scan.ts'
import { type ChannelRef, dayItem, namedBy, threadItem } from './conversation-item.ts'
import type { SlackChannel } from './slack-answers.ts'
import { includesChannel, isNameless, type SlackConfig, slackConfig } from './slack-config.ts'
import { hasReadBackTo, type SlackCursor, slackCursor } from './slack-cursor.ts'
import { type SlackRun, slackRun } from './slack-run.ts'
import { missingScopes, slackAppLink, slackScopes } from './slack-scopes.ts'
import { DAY_SECONDS, messageSeconds } from './slack-time.ts'
import { listensToEvents, slackEvents } from './socket-events.ts'

/** With a shorter wait, a thread in progress would be memorized many times. */
const QUIET_PERIOD_MS = 10 * 60_000

/** Tokens of apps with token rotation look like this and expire after twelve hours. */
const ROTATING = /^xoxe\.xox[bp]-/
const ROTATION =
  'The token expires within 12 hours because its app uses token rotation. Use an app without token rotation, or renew the token in time.'

/** Threads and days of the channels that a token can read. */
export const slack: Connector<SlackConfig, SlackCursor> = {
  manifest: {
    id: 'slack',
    title: 'Slack',
    sourceTypes: ['slack'],
    auth: 'token',
    config: slackConfig,
    cursor: slackCursor,
    schedule: '*/15 * * * *',
    listening: { isOn: listensToEvents, schedule: '25 */6 * * *' },
    deletions: 'feed',
    inventoryEveryMs: 0,
    vanished: 'forget',
    provider: 'slack',
    // 50 requests a minute and method are promised, bursts of more allowed; a limit halves these.
    quotas: { 'conversations.replies': { atOnce: 16 }, 'conversations.history': { atOnce: 16 } },
    version: 2,
    quietPeriodMs: QUIET_PERIOD_MS,
    recentRead: (cursor, since) => cursor.readAt !== undefined || hasReadBackTo(cursor.walk, since),
    selection: ({ since, include, exclude, private_channels, direct_messages, bots }) => ({
      since,
      include,
      exclude,
      private_channels,
      direct_messages,
      bots,
    }),
    grant: { provider: 'slack', family: 'workspace', scopes: slackScopes },
    listing: {
      summary: 'Threads and messages of the channels you are in, and direct messages if you choose.',
      icon: 'messages',
      group: 'Work',
      partNoun: { one: 'channel', many: 'channels' },
      tokenSteps: [
        `Open this link, choose your workspace and create the app; its read-only scopes are filled in: ${slackAppLink({ private_channels: true, direct_messages: false })}`,
        `To sync direct messages too (\`direct_messages: true\`), open this link instead: ${slackAppLink({ private_channels: true, direct_messages: true })}`,
        'Choose "Install App" and install it in your workspace. If Slack says "Request to install", an administrator approves it under "Manage apps"; until then there is no token.',
        'Copy the "User OAuth Token"; it starts with xoxp-.',
      ],
    },
    documentation: {
      item: 'a thread; the other messages of a channel on one day (UTC)',
      removed:
        'deleted messages: the newest 200 or so in a channel and those of the last 14 days at the next sync, those of the last 90 days within a week, older ones with `recalld sync slack --full` (a thread is as old as its first message); channels you leave or exclude: at the next sync; messages hidden by the plan of the workspace: never',
      api: 'Slack Web API: users.conversations; conversations.list, history, replies; users.list; usergroups.list',
      cursor: 'time of the newest message; a digest of each day and thread of the last 90 days',
      limits:
        'Slack gives apps that are distributed outside the Marketplace one request per minute, which is respected',
      verified: 'local fake server with limits and faults; simulation; recorded responses',
      needs:
        'a user token (`xoxp-...`) or bot token (`xoxb-...`) of your own Slack app, with the scopes channels:read, channels:history, groups:read, groups:history, and users:read and usergroups:read for names; for direct messages also im:read, im:history, mpim:read, mpim:history',
    },
  },

  async check(context) {
    const { teamId, team, user, userId, scopes } = await runOf(context).identity()
    const { warnings: lacks, problem } = missingScopes(scopes, context.config)
    if (problem !== undefined) throw new SourceError('reconfigure', problem)
    const warnings = [...lacks, ...(endsSoon(context.config) ? [ROTATION] : [])]
    return {
      account: userId === undefined ? teamId : `${teamId}:${userId}`,
      title: user === undefined ? team : `${team} (${user})`,
      ...(warnings.length > 0 && { warnings }),
    }
  },

  async *partitions(context) {
    const run = runOf(context)
    for (const channel of (await run.channels(context)).values()) {
      const title = await run.title(channel)
      if (!includesChannel(channel, title, context.config)) continue
      // Private messages must not be synced because the person's name is unknown.
      if (isNameless(channel, title, context.config)) throw new SourceError('reconfigure', nameless(channel))
      yield { id: channel.id, title }
    }
  },

  async *changes(partition, cursor, context) {
    const run = runOf(context)
    const channelRef = await openChannel(partition, context, run)
    yield* scanChannel(channelRef, cursor, context, run)
  },

  listen: slackEvents,

  async read({ partition, itemId }, context) {
    const run = runOf(context)
    const channelRef = await openChannel(partition, context, run)
    const named = namedBy(itemId)
    if (named === undefined) return undefined
    if ('thread' in named) {
      const messages = await threadMessages(named.thread, channelRef, context, run)
      if (messages !== undefined)
        return threadItem(named.thread, messages, await readSetting(channelRef, messages, run))
    } else {
      const messages = await dayMessages(named.day, channelRef, context, run)
      if (messages.length > 0) return dayItem(named.day, messages, await readSetting(channelRef, messages, run))
    }
    const before =
      'thread' in named ? Math.ceil(messageSeconds(named.thread)) : Date.parse(named.day) / 1000 + DAY_SECONDS
    if (await isHiddenBefore(before, channelRef, run)) throw new SourceError('skip', HIDDEN)
    return undefined
  },
}

/** Tokens of a grant are renewed. */
function endsSoon(config: SlackConfig): boolean {
  const isOwn = config.token !== undefined || config.token_file !== undefined
  return isOwn && ROTATING.test(configuredToken(config))
}

function nameless({ id, user = id }: SlackChannel): string {
  return `exclude lists people by name, but the token can't read the name of ${user}. Add the scope users:read to its app, or exclude people by ID, such as ${user}.`
}

/** The token's owner, channels and people are requested once per run. */
const runOf = perRun(slackRun)

async function openChannel(partition: Partition, context: Context<SlackConfig>, run: SlackRun): Promise<ChannelRef> {
  const { account } = context
  const channel = await run.channel(partition, context)
  const [teamId = account.account] = account.account.split(':')
  return { teamId, channel, title: await run.title(channel) }
}
