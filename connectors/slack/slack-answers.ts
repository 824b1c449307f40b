import { z } from 'zod'
import { messageText } from './message-text.ts'
import { slackTime } from './slack-time.ts'

/** Display-only fields: an unexpected value in one of them must not cost the message. */
const text = z.string().optional().catch(undefined)
const flag = z.boolean().default(false).catch(false)
const time = slackTime.optional().catch(undefined)

const profile = z.looseObject({ display_name: text, real_name: text, name: text }).optional().catch(undefined)

const message = z
  .looseObject({
    ts: slackTime,
    user: text,
    username: text,
    text,
    subtype: text,
    thread_ts: time,
    reply_count: z.number().optional().catch(undefined),
    latest_reply: time,
    edited: z.looseObject({ ts: slackTime }).optional().catch(undefined),
    bot_id: text,
    bot_profile: profile,
    user_profile: profile,
  })
  .transform((raw) => ({
    ts: raw.ts,
    /** Id of the author; bots may have none. */
    user: raw.user,
    /** What the message says about its author: bots, and people of other workspaces. */
    name:
      raw.username ||
      raw.user_profile?.display_name ||
      raw.user_profile?.real_name ||
      (raw.user === undefined ? raw.bot_profile?.name : undefined) ||
      undefined,
    fromBot: Boolean(raw.bot_id) || raw.subtype === 'bot_message',
    /** The whole text, with attachments, as mrkdwn. */
    text: messageText(raw),
    subtype: raw.subtype,
    threadTs: raw.thread_ts,
    /** Unknown where replies are not counted. */
    replyCount: raw.reply_count,
    latestReply: raw.latest_reply,
    editedTs: raw.edited?.ts,
  }))
export type SlackMessage = z.infer<typeof message>

const paging = {
  has_more: flag,
  response_metadata: z
    .looseObject({ next_cursor: text, scopes: z.array(z.string()).optional().catch(undefined) })
    .optional()
    .catch(undefined),
}

/** A message in an unknown format must not hide the others; the number of such messages is counted. */
export const messagesAnswer = z
  .looseObject({ messages: z.array(z.unknown()), is_limited: flag, ...paging })
  .transform(({ messages, is_limited, has_more, response_metadata }) => {
    const read = messages.flatMap((raw) => message.safeParse(raw).data ?? [])
    return {
      messages: read,
      given: messages.length,
      isLimited: is_limited,
      hasMore: has_more || Boolean(response_metadata?.next_cursor),
      nextCursor: response_metadata?.next_cursor || undefined,
    }
  })

const channel = z
  .looseObject({
    id: z.string().min(1),
    name: text,
    user: text,
    is_im: flag,
    is_mpim: flag,
    is_private: flag,
    is_group: flag,
    is_archived: flag,
    is_user_deleted: flag,
    /** Absent where there is nothing to join, and in incomplete responses. */
    is_member: z.boolean().default(true).catch(true),
    is_ext_shared: flag,
  })
  .transform((raw) => ({
    id: raw.id,
    name: raw.name,
    kind: kindOf(raw),
    /** The other person of a direct message. */
    user: raw.user,
    /** Nobody writes in it; also direct messages with a deactivated person. */
    isArchived: raw.is_archived || raw.is_user_deleted,
    isMember: raw.is_member,
    /** Shared with another company. */
    isShared: raw.is_ext_shared,
  }))
export type SlackChannel = z.infer<typeof channel>
export const CHANNEL_KINDS = ['public_channel', 'private_channel', 'im', 'mpim'] as const
export type ChannelKind = (typeof CHANNEL_KINDS)[number]

export const channelAnswer = z.looseObject({ channel }).transform((raw) => raw.channel)

export const teamsAnswer = z
  .looseObject({ teams: z.array(z.looseObject({ id: z.string().min(1), name: text })), ...paging })
  .transform((raw) => ({
    entries: raw.teams.map(({ id, name }) => ({ id, name: name ?? id })),
    nextCursor: raw.response_metadata?.next_cursor || undefined,
  }))

export const channelsAnswer = z
  .looseObject({ channels: z.array(channel), ...paging })
  .transform((raw) => ({ entries: raw.channels, nextCursor: raw.response_metadata?.next_cursor || undefined }))

const person = z.looseObject({ id: z.string().min(1), name: text, real_name: text, profile }).transform((raw) => ({
  id: raw.id,
  name: raw.profile?.display_name || raw.profile?.real_name || raw.real_name || raw.name || raw.id,
}))
export type SlackPerson = z.infer<typeof person>

/** Names are display-only: a person in an unknown format must not hide the others. */
export const peopleAnswer = z.looseObject({ members: z.array(z.unknown()), ...paging }).transform((raw) => ({
  entries: raw.members.flatMap((member) => person.safeParse(member).data ?? []),
  nextCursor: raw.response_metadata?.next_cursor || undefined,
}))
export const personAnswer = z.looseObject({ user: person }).transform((raw) => raw.user)

const group = z.looseObject({ id: z.string().min(1), name: text, handle: text }).transform((raw) => ({
  id: raw.id,
  /** As in `@designers`. */
  name: raw.handle || raw.name,
}))
export const groupsAnswer = z
  .looseObject({ usergroups: z.array(z.unknown()) })
  .transform((raw) => raw.usergroups.flatMap((one) => group.safeParse(one).data ?? []))

export const identityAnswer = z
  .looseObject({
    team_id: z.string().min(1),
    team: text,
    url: text,
    user_id: text,
    user: text,
    bot_id: text,
    is_enterprise_install: flag,
    ...paging,
  })
  .transform((raw) => ({
    teamId: raw.team_id,
    team: raw.team ?? raw.team_id,
    /** The token is for all workspaces of an organization. */
    isOrganization: raw.is_enterprise_install,
    /** `https://acme.slack.com/` */
    url: raw.url,
    user: raw.user,
    /** The owner of the token; bots have none. */
    userId: raw.bot_id ? undefined : raw.user_id,
    /** The scopes of the token; unknown where the response does not state them. */
    scopes: raw.response_metadata?.scopes?.some(Boolean) ? raw.response_metadata.scopes : undefined,
  }))
export type SlackIdentity = z.infer<typeof identityAnswer>

function kindOf(raw: { is_im: boolean; is_mpim: boolean; is_private: boolean; is_group: boolean }): ChannelKind {
  if (raw.is_im) return 'im'
  if (raw.is_mpim) return 'mpim'
  return raw.is_private || raw.is_group ? 'private_channel' : 'public_channel'
}
