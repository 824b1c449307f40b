import { z } from 'zod'
import { apiUrlField, connectionFields, grantFields, sinceField } from '../../src/connector/connection-fields.ts'
import type { ChannelKind, SlackChannel } from './slack-answers.ts'

const conversationRules = z.array(z.string().trim().min(1))

export const slackConfig = z.strictObject({
  ...connectionFields(),
  ...grantFields(),
  api_url: apiUrlField('https://slack.com/api/'),
  team_id: z
    .string()
    .regex(/^T[A-Z0-9]+$/)
    .optional()
    .describe(
      'The workspace to sync, e.g. T024BE7LD, when the app is installed for a whole organization; otherwise not needed.',
    ),
  app_token: z
    .string()
    .min(1)
    .optional()
    .describe(
      'App-level token (xapp-...) of an app with Socket Mode: new messages, edits and deletions are then read within seconds, and all channels are compared every six hours.',
    ),
  app_token_file: z.string().min(1).optional().describe('File with the app-level token.'),
  since: sinceField().describe(
    'Sync only messages from this day on, e.g. 2024-01-01; a thread counts from its first message.',
  ),
  include: conversationRules
    .optional()
    .describe(
      'Names or IDs of channels to sync; `*` matches any text: ["team-*"]. Default: channels you are or were a member of. Does not affect direct messages.',
    ),
  exclude: conversationRules
    .default([])
    .describe(
      'Names or IDs of conversations to exclude, with `*` as above: direct messages by the name or ID of the person, group messages by the user names: ["random", "C04ABCDEF", "@Ada Lovelace", "@ada, bob, carl"].',
    ),
  private_channels: z.boolean().default(true).describe('`false`: skip private channels.'),
  direct_messages: z.boolean().default(false).describe('`true`: also sync direct messages and group messages.'),
  bots: z.enum(['include', 'exclude']).default('include').describe('`exclude`: skip messages by bots and apps.'),
  relist_days: z
    .int()
    .min(1)
    .max(90)
    .default(14)
    .describe(
      'How many days back each run looks for edits, deletions and new replies; always at least about the newest 200 messages (15 where Slack gives the app no more). Once a week a run looks back 90 days, and also for edited replies in threads with new messages. A thread is as old as its first message; use `recalld sync slack --full` for older ones.',
    ),
})

export type SlackConfig = z.infer<typeof slackConfig>

/** Seconds since 1970; older messages are skipped. */
export function sinceSeconds({ since }: Pick<SlackConfig, 'since'>): number {
  return Math.ceil((since?.getTime() ?? 0) / 1000)
}

export type ChosenKinds = Pick<SlackConfig, 'private_channels' | 'direct_messages'>

/** The requested kinds of conversations. */
export function chosenKinds(config: ChosenKinds): ChannelKind[] {
  return [
    'public_channel',
    ...(config.private_channels ? (['private_channel'] as const) : []),
    ...(config.direct_messages ? (['im', 'mpim'] as const) : []),
  ]
}

/**
 * Whether a conversation is selected. Without `include`, only the person's own ones are listed, and archived ones that
 * were read before.
 *
 * @param title as displayed, `#general` or `@Bob`
 */
export function includesChannel(channel: SlackChannel, title: string, { include, exclude }: SlackConfig): boolean {
  const matches = (rules: readonly string[]) => rules.some((rule) => fits(rule, channel, title))
  if (matches(exclude)) return false
  if (channel.kind === 'im' || channel.kind === 'mpim') return true
  if (include !== undefined) return matches(include)
  return channel.isMember || channel.isArchived || channel.kind === 'private_channel'
}

/** Whether a conversation is excluded by the name of a person whom Slack does not name. */
export function isNameless({ kind, user, id }: SlackChannel, title: string, { exclude }: SlackConfig): boolean {
  return kind === 'im' && title === `@${user ?? id}` && exclude.some((rule) => rule.startsWith('@'))
}

function fits(rule: string, { id, name, user }: SlackChannel, title: string): boolean {
  if (rule === id || rule === user) return true
  const wanted = rule.replace(/^[#@]/, '').toLowerCase()
  const pattern = new RegExp(`^${wanted.split('*').map(escaped).join('.*')}$`, 'su')
  return [name, title.slice(1)].some((candidate) => candidate !== undefined && pattern.test(candidate.toLowerCase()))
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
