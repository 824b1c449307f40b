import { z } from 'zod'
import { sinceField } from '../../src/connector/connection-fields.ts'
import { microsoftFields } from './microsoft-config.ts'

const names = z.array(z.string().trim().min(1))

export const teamsConfig = z.strictObject({
  ...microsoftFields(),
  include: names
    .min(1)
    .optional()
    .describe(
      'Channels to sync, as "Team / Channel" or the name of either; `*` matches any text: ["Engineering / *"]. Default: all channels of your teams.',
    ),
  exclude: names.default([]).describe('Channels to exclude, as above.'),
  direct_messages: z
    .boolean()
    .default(false)
    .describe('`true`: also sync chats and meeting messages; needs the permission Chat.Read.'),
  since: sinceField(),
})

export type TeamsConfig = z.infer<typeof teamsConfig>

const CHANNEL_SCOPES = ['Team.ReadBasic.All', 'Channel.ReadBasic.All', 'ChannelMessage.Read.All']

/** The last of the channel permissions needs an administrator's consent. */
export function teamsScopes({ direct_messages: chats }: Pick<TeamsConfig, 'direct_messages'>): readonly string[] {
  return chats ? [...CHANNEL_SCOPES, 'Chat.Read'] : CHANNEL_SCOPES
}

export function isTakenChannel(team: string, channel: string, { include, exclude }: TeamsConfig): boolean {
  const names = [`${team} / ${channel}`, team, channel]
  return !matches(exclude, names) && (include === undefined || matches(include, names))
}

/** Whether any of its channels can be selected. */
export function isTakenTeam(team: string, { exclude }: TeamsConfig): boolean {
  return !matches(exclude, [team])
}

function matches(patterns: readonly string[], names: readonly string[]): boolean {
  return patterns.some((pattern) => {
    const whole = new RegExp(`^${pattern.split('*').map(escaped).join('.*')}$`, 'iu')
    return names.some((name) => whole.test(name))
  })
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

/** How far a channel or a chat was read. Links and paths are relative to Graph's root; times are ISO 8601. */
export const teamsCursor = z.discriminatedUnion('step', [
  /** A channel, read from its newest message back; `link` leads to the next page. */
  z.strictObject({ step: z.literal('history'), begun: z.string(), link: z.string().optional() }),
  z.strictObject({ step: z.literal('delta'), link: z.string() }),
  /** A chat, read from its newest day back; everything at or after `before` has been read. */
  z.strictObject({ step: z.literal('days'), begun: z.string(), before: z.string().optional() }),
  /** Every change before `at` has been read. */
  z.strictObject({ step: z.literal('changes'), at: z.string() }),
])

export type TeamsCursor = z.infer<typeof teamsCursor>
