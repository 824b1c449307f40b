import { z } from 'zod'
import { apiUrlField, connectionFields, sinceField, tokenFields } from '../../src/connector/connection-fields.ts'

const channelRules = z.array(z.string().trim().min(1))

export const slackConfig = z.strictObject({
  ...connectionFields(),
  ...tokenFields(),
  api_url: apiUrlField('https://slack.com/api/'),
  since: sinceField(),
  include: channelRules
    .optional()
    .describe(
      'Names or ids of channels to take instead of those you are a member of; `*` stands for anything: ["team-*"].',
    ),
  exclude: channelRules.default([]).describe('Names or ids of channels to leave out, e.g. ["random", "C04ABCDEF"].'),
  private_channels: z.boolean().default(true).describe('`false`: private channels are left out.'),
  direct_messages: z.boolean().default(false).describe('`true`: direct messages and group messages are taken too.'),
  bots: z.enum(['include', 'exclude']).default('include').describe('`exclude`: what bots and apps post is left out.'),
  relist_days: z
    .int()
    .min(1)
    .max(90)
    .default(14)
    .describe(
      'At each run messages of this many days are compared again, for edits, deletions and new replies. Once a week it is 90 days.',
    ),
})

export type SlackConfig = z.infer<typeof slackConfig>
