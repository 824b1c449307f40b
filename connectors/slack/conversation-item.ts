import type { ItemRef, SourceItem } from '../../src/connector/connector.ts'
import { digest, sourceItemId } from '../../src/connector/source-item-id.ts'
import { speakerName, spokenTurn } from '../../src/connector/spoken-turn.ts'
import { type Names, plainText } from './message-text.ts'
import type { SlackChannel, SlackMessage } from './slack-answers.ts'
import { messageDate } from './slack-time.ts'

/** The place of the messages. */
export interface ChannelRef {
  readonly teamId: string
  readonly channel: SlackChannel
  /** `#general` */
  readonly title: string
}

export interface Setting extends ChannelRef {
  readonly team: string
  /** `https://acme.slack.com/` */
  readonly teamUrl: string | undefined
  readonly names: Names
}

/** Characters of the first message in a title. */
const TITLE_LENGTH = 80

/** What ids are made of. */
interface ChannelPlace extends Pick<ChannelRef, 'teamId' | 'title'> {
  readonly channel: Pick<SlackChannel, 'id'>
}

export function threadRef({ teamId, channel, title }: ChannelPlace, rootTs: string): ItemRef {
  const itemId = sourceItemId('slack', teamId, channel.id, 'th', rootTs.replace('.', '-'))
  return { sourceType: 'slack', itemId, title: `${title}: thread of ${messageDate(rootTs).toISOString().slice(0, 10)}` }
}

export function dayRef({ teamId, channel, title }: ChannelPlace, day: string): ItemRef {
  const itemId = sourceItemId('slack', teamId, channel.id, { name: 'day', value: day })
  return { sourceType: 'slack', itemId, title: `${title} on ${day}` }
}

/** What an id made by `threadRef` or `dayRef` refers to. */
export function namedBy(itemId: string): { readonly thread: string } | { readonly day: string } | undefined {
  const thread = /:th:(\d+)-(\d+)$/.exec(itemId)
  if (thread) return { thread: `${thread[1]}.${thread[2]}` }
  const day = /:day=(\d{4}-\d{2}-\d{2})$/.exec(itemId)?.[1]
  return day === undefined ? undefined : { day }
}

/** Whether an id was made by `threadRef` or `dayRef` for this channel. */
export function belongsTo({ teamId, channel }: ChannelRef, itemId: string): boolean {
  return itemId.startsWith(`${sourceItemId('slack', teamId, channel.id)}:`)
}

/** @param messages of the thread, oldest first; at least one */
export function threadItem(rootTs: string, messages: readonly SlackMessage[], setting: Setting): SourceItem {
  const opening = plainText(messages[0]?.text ?? '', setting.names).replace(/\s+/g, ' ')
  const cut = [...opening].length > TITLE_LENGTH ? `${[...opening].slice(0, TITLE_LENGTH - 1).join('')}…` : opening
  const ref = threadRef(setting, rootTs)
  return item(
    { ...ref, title: cut === '' ? (ref.title ?? setting.title) : `${setting.title}: ${cut}` },
    rootTs,
    messages,
    setting,
  )
}

/** @param messages as for `threadItem` */
export function dayItem(day: string, messages: readonly SlackMessage[], setting: Setting): SourceItem {
  const ref = dayRef(setting, day)
  return item({ ...ref, title: ref.title ?? day }, messages[0]?.ts, messages, setting)
}

/** Changes when a message is added, edited or deleted, but not when someone changes their name. */
function revisionOf(messages: readonly SlackMessage[]): string {
  return digest(messages.map(({ ts, editedTs, user, name, text }) => [ts, editedTs, user ?? name, text]))
}

function item(
  ref: ItemRef & { readonly title: string },
  linked: string | undefined,
  messages: readonly SlackMessage[],
  setting: Setting,
): SourceItem {
  const { channel, teamUrl, names, team, title } = setting
  const people = [...new Set(messages.map((message) => author(message, names)))]
  const changes = messages.flatMap(({ ts, editedTs }) => [ts, ...(editedTs === undefined ? [] : [editedTs])])
  const latest = changes.toSorted().at(-1)
  const [first] = messages
  return {
    ...ref,
    revision: revisionOf(messages),
    ...(teamUrl !== undefined && linked !== undefined && { url: permalink(teamUrl, channel.id, linked) }),
    people,
    where: title,
    parents: [team, title],
    visibility: visibilityOf(channel),
    ...(first !== undefined && { createdAt: messageDate(first.ts) }),
    ...(latest !== undefined && { updatedAt: messageDate(latest) }),
    body: messages.map((message) => turn(message, names)).join('\n\n'),
  }
}

function turn(message: SlackMessage, names: Names): string {
  return spokenTurn(author(message, names), messageDate(message.ts), plainText(message.text, names))
}

function author({ user, name, fromBot }: SlackMessage, names: Names): string {
  return speakerName(name || (user !== undefined && names.person(user)) || user || (fromBot ? 'Bot' : 'Somebody'))
}

function permalink(teamUrl: string, channel: string, ts: string): string {
  return `${teamUrl.replace(/\/*$/, '/')}archives/${channel}/p${ts.replace('.', '')}`
}

function visibilityOf({ kind, isShared }: SlackChannel): SourceItem['visibility'] {
  if (kind === 'im' || kind === 'mpim') return 'direct'
  if (isShared) return 'shared'
  return kind === 'private_channel' ? 'private' : 'public'
}
