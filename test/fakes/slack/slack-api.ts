import type { FakeChannel, FakeMessage, FakeSlack } from './fake-slack.ts'

export type ApiAnswer = Record<string, unknown> & { readonly ok: boolean }

/** Who asks, and what they may. */
export interface ApiCaller {
  readonly userId: string
  readonly isBot: boolean
  readonly scopes: readonly string[]
  /** The plan hides what is older. */
  readonly visibleFrom?: string
  /** The workspaces that a token for an organization can read. */
  readonly organization?: readonly { readonly id: string; readonly name: string }[]
  /** Most messages in an answer. */
  readonly mostMessages: number
}

const SCOPE_PREFIX = { public_channel: 'channels', private_channel: 'groups', im: 'im', mpim: 'mpim' } as const

/** Answers a method of the Web API from the state of a fake Slack. */
export function slackApi(fake: FakeSlack, method: string, params: URLSearchParams, caller: ApiCaller): ApiAnswer {
  switch (method) {
    case 'auth.test':
      return {
        ok: true,
        url: 'https://fernwald.slack.test/',
        team: 'Fernwald',
        team_id: caller.organization === undefined ? fake.teamId : 'E0FERN',
        ...(caller.organization && { enterprise_id: 'E0FERN', is_enterprise_install: true }),
        user: fake.users.get(caller.userId)?.name ?? 'recalld',
        user_id: caller.userId,
        ...(caller.isBot && { bot_id: 'B0RECALLD' }),
      }
    case 'auth.teams.list':
      return page(
        (caller.organization ?? []).map(({ id, name }) => ({ id, name })),
        params,
        'teams',
      )
    case 'conversations.list':
      return list(fake, params, caller, () => true)
    case 'users.conversations':
      // Bots have to leave a channel that is archived.
      return list(fake, params, caller, ({ isMember, isArchived }) => isMember && !(caller.isBot && isArchived))
    case 'conversations.info': {
      const channel = fake.channels.get(params.get('channel') ?? '')
      return channel === undefined ? failure('channel_not_found') : { ok: true, channel: channelJson(channel) }
    }
    case 'conversations.history':
      return inChannel(fake, params, caller, (channel) => history(channel, params, caller))
    case 'conversations.replies':
      return inChannel(fake, params, caller, (channel) => replies(channel, params, caller))
    case 'users.list': {
      if (!caller.scopes.includes('users:read')) return missing('users:read')
      if (caller.organization && params.get('team_id') !== fake.teamId) return failure('missing_argument')
      const members = [...fake.users.values()].filter(({ isForeign }) => !isForeign).map(userJson)
      return page(members, params, 'members')
    }
    case 'usergroups.list': {
      if (!caller.scopes.includes('usergroups:read')) return missing('usergroups:read')
      return { ok: true, usergroups: [...fake.groups].map(([id, handle]) => ({ id, handle, name: `The ${handle}` })) }
    }
    case 'users.info': {
      if (!caller.scopes.includes('users:read')) return missing('users:read')
      const user = fake.users.get(params.get('user') ?? '')
      return user === undefined ? failure('user_not_found') : { ok: true, user: userJson(user) }
    }
    default:
      return failure('unknown_method')
  }
}

function list(
  fake: FakeSlack,
  params: URLSearchParams,
  { scopes, isBot, organization }: ApiCaller,
  isListed: (channel: FakeChannel) => boolean,
): ApiAnswer {
  if (organization !== undefined && params.get('team_id') !== fake.teamId) return failure('missing_argument')
  const types = (params.get('types') ?? 'public_channel').split(',')
  for (const type of types) {
    const scope = `${SCOPE_PREFIX[type as keyof typeof SCOPE_PREFIX]}:read`
    if (!scopes.includes(scope)) return missing(scope)
  }
  const channels = [...fake.channels.values()]
    .filter(isListed)
    .filter(({ kind, isMember }) => types.includes(kind) && (kind === 'public_channel' || isMember || !isBot))
    .filter(({ isArchived }) => params.get('exclude_archived') !== 'true' || !isArchived)
  return page(channels.map(channelJson), params, 'channels')
}

function inChannel(
  fake: FakeSlack,
  params: URLSearchParams,
  { scopes, isBot }: ApiCaller,
  answer: (channel: FakeChannel) => ApiAnswer,
): ApiAnswer {
  const channel = fake.channels.get(params.get('channel') ?? '')
  if (channel === undefined) return failure('channel_not_found')
  const scope = `${SCOPE_PREFIX[channel.kind]}:history`
  if (!scopes.includes(scope)) return missing(scope)
  // Bots read where they are members, and nobody is a member of an archived channel.
  if (isBot && (!channel.isMember || channel.isArchived)) return failure('not_in_channel')
  if (channel.kind === 'private_channel' && !channel.isMember) return failure('channel_not_found')
  return answer(channel)
}

function history({ messages }: FakeChannel, params: URLSearchParams, caller: ApiCaller): ApiAnswer {
  const isInclusive = params.get('inclusive') === 'true'
  const oldest = params.get('oldest') ?? '0'
  const latest = params.get('latest') ?? '9999999999.999999'
  const cursor = params.get('cursor')
  const before = cursor ? decoded(cursor, 'next_ts') : undefined
  if (cursor && before === undefined) return failure('invalid_cursor')
  const visible = caller.visibleFrom ?? '0'
  let end = messages.length
  while (end > 0 && !isBelow(messages[end - 1]!.ts, before ?? latest, before === undefined && isInclusive)) end -= 1
  const limit = limitOf(params, caller)
  const found: FakeMessage[] = []
  let at = end - 1
  const fits = (ts: string) => ts >= visible && isBelow(oldest, ts, isInclusive)
  for (; at >= 0 && found.length < limit && fits(messages[at]!.ts); at -= 1) found.push(messages[at]!)
  const hasMore = at >= 0 && fits(messages[at]!.ts)
  return {
    ok: true,
    messages: found.map((message) => messageJson(message)),
    has_more: hasMore,
    ...(caller.visibleFrom !== undefined && { is_limited: true }),
    response_metadata: { next_cursor: hasMore ? encoded('next_ts', found.at(-1)!.ts) : '' },
  }
}

function replies({ messages }: FakeChannel, params: URLSearchParams, caller: ApiCaller): ApiAnswer {
  const ts = params.get('ts') ?? ''
  const root = messages.find((message) => message.ts === ts || message.replies.some((reply) => reply.ts === ts))
  if (root === undefined) return failure('thread_not_found')
  const cursor = params.get('cursor')
  const after = cursor ? decoded(cursor, 'next_reply') : (params.get('oldest') ?? undefined)
  if (cursor && after === undefined) return failure('invalid_cursor')
  const rest = root.replies.filter((reply) => after === undefined || reply.ts > after)
  // The root stands on every page and counts.
  const shown = rest.slice(0, limitOf(params, caller) - 1)
  const hasMore = shown.length < rest.length
  return {
    ok: true,
    messages: [messageJson(root), ...shown.map((reply) => messageJson(reply, root))],
    has_more: hasMore,
    ...(hasMore && { response_metadata: { next_cursor: encoded('next_reply', shown.at(-1)!.ts) } }),
  }
}

function messageJson(message: FakeMessage, root?: FakeMessage): Record<string, unknown> {
  const { ts, text, user, subtype, editedTs, extra, replies: answers } = message
  const last = answers.at(-1)
  return {
    type: 'message',
    ts,
    text,
    ...(user && { user }),
    ...(subtype && { subtype }),
    ...(editedTs && { edited: { user: user ?? 'U0', ts: editedTs } }),
    ...(root && { thread_ts: root.ts, parent_user_id: root.user }),
    ...(last && {
      thread_ts: ts,
      reply_count: answers.length,
      latest_reply: last.ts,
      reply_users: [...new Set(answers.map((reply) => reply.user))].slice(0, 5),
    }),
    ...extra,
  }
}

function channelJson({ id, name, kind, user, isMember, isArchived, isShared }: FakeChannel): Record<string, unknown> {
  if (kind === 'im') return { id, user, is_im: true, is_archived: isArchived }
  return {
    id,
    name,
    is_channel: kind === 'public_channel',
    is_private: kind !== 'public_channel',
    is_mpim: kind === 'mpim',
    is_im: false,
    is_archived: isArchived,
    // As Slack answers: nobody is a member of an archived channel.
    is_member: isMember && !isArchived,
    is_ext_shared: isShared,
  }
}

function userJson({ id, name }: { readonly id: string; readonly name: string }): Record<string, unknown> {
  const handle = name.toLowerCase().replace(/\s+/g, '.')
  return { id, name: handle, real_name: name, profile: { display_name: name, real_name: name } }
}

/** Lists go on by the number of entries that were given. */
function page(entries: readonly Record<string, unknown>[], params: URLSearchParams, name: string): ApiAnswer {
  const cursor = params.get('cursor')
  const from = cursor ? Number(decoded(cursor, 'next') ?? Number.NaN) : 0
  if (Number.isNaN(from)) return failure('invalid_cursor')
  const to = from + Number(params.get('limit') ?? 100)
  const next = to < entries.length ? encoded('next', String(to)) : ''
  return { ok: true, [name]: entries.slice(from, to), response_metadata: { next_cursor: next } }
}

function limitOf(params: URLSearchParams, { mostMessages }: ApiCaller): number {
  return Math.min(Number(params.get('limit') ?? 100), mostMessages)
}

function isBelow(low: string, high: string, isInclusive: boolean): boolean {
  // Written with six digits or none: compared as numbers of the same width.
  const [a, b] = [low, high].map((ts) => {
    const [seconds = '', micros = ''] = ts.split('.')
    return `${seconds.padStart(12, '0')}.${micros.padEnd(6, '0')}`
  })
  return isInclusive ? a! <= b! : a! < b!
}

function encoded(kind: string, value: string): string {
  return Buffer.from(`${kind}:${value}`).toString('base64')
}

function decoded(cursor: string, kind: string): string | undefined {
  const [is, value] = Buffer.from(cursor, 'base64').toString().split(':')
  return is === kind ? value : undefined
}

function failure(error: string, more: Record<string, unknown> = {}): ApiAnswer {
  return { ok: false, error, ...more }
}

function missing(scope: string): ApiAnswer {
  return failure('missing_scope', { needed: scope })
}
