import { z } from 'zod'
import { apiUrlField, connectionFields, grantFields, sinceField } from '../../src/connector/connection-fields.ts'
import type { ChannelKind, SlackChannel } from './slack-answers.ts'

const conversationRules = z.array(z.string().trim().min(1))

export const slackConfig = z.strictObject({
  ...connectionFields(),
  ...grantFields(),
  api_url: apiUrlField('https://slack.com/api/'),
  since: sinceField().describe(
    'Take only what is from this day or later, e.g. 2024-01-01; a thread is from the day of its first message.',
  ),
  include: conversationRules
    .optional()
    .describe(
      'Names or ids of channels to take instead of those you are a member of and the archived ones; `*` stands for anything: ["team-*"]. Direct messages are not concerned.',
    ),
  exclude: conversationRules
    .default([])
    .describe(
      'Names or ids of conversations to leave out, with `*` as above: direct messages by the name or id of the person, those of a group by its user names: ["random", "C04ABCDEF", "@Ada Lovelace", "@ada, bob, carl"].',
    ),
  private_channels: z.boolean().default(true).describe('`false`: private channels are left out.'),
  direct_messages: z.boolean().default(false).describe('`true`: direct messages and group messages are taken too.'),
  bots: z.enum(['include', 'exclude']).default('include').describe('`exclude`: what bots and apps post is left out.'),
  relist_days: z
    .int()
    .min(1)
    .max(90)
    .default(14)
    .describe(
      'At each run messages of this many days, and about the newest 200 in any case (15 where Slack gives the app no more), are compared again, for edits, deletions and new replies. Once a week it is 90 days, and threads that were written in meanwhile are read again for edited replies. A thread is as old as its first message; what happens in older ones is seen by `recalld sync slack --full` only.',
    ),
})

export type SlackConfig = z.infer<typeof slackConfig>

/** Seconds since 1970; nothing older is taken. */
export function sinceSeconds({ since }: Pick<SlackConfig, 'since'>): number {
  return Math.ceil((since?.getTime() ?? 0) / 1000)
}

export type ChosenKinds = Pick<SlackConfig, 'private_channels' | 'direct_messages'>

/** The kinds of conversations that are asked for. */
export function chosenKinds(config: ChosenKinds): ChannelKind[] {
  return [
    'public_channel',
    ...(config.private_channels ? (['private_channel'] as const) : []),
    ...(config.direct_messages ? (['im', 'mpim'] as const) : []),
  ]
}

/**
 * Whether a conversation is taken. Slack calls nobody a member of an archived channel, so archived ones count as joined:
 * what was read of a channel is not to be forgotten when it is archived.
 *
 * @param title as people see it, `#general` or `@Bob`
 */
export function includesChannel(channel: SlackChannel, title: string, { include, exclude }: SlackConfig): boolean {
  const matches = (rules: readonly string[]) => rules.some((rule) => fits(rule, channel, title))
  if (matches(exclude)) return false
  if (channel.kind === 'im' || channel.kind === 'mpim') return true
  if (include !== undefined) return matches(include)
  return channel.isMember || channel.isArchived || channel.kind === 'private_channel'
}

/** Whether a conversation is to be left out by the name of a person whom Slack does not name. */
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
