import { z } from 'zod'
import { digest } from '../../src/connector/source-item-id.ts'
import { speakerName, spokenTurn } from '../../src/connector/spoken-turn.ts'
import { graphTime } from './graph-address.ts'
import { attachmentAnswer, teamsText } from './teams-text.ts'

const named = z.looseObject({ displayName: z.string().nullish() }).nullish()

const plainMessage = z.looseObject({
  id: z.string().min(1),
  messageType: z.string().nullish(),
  createdDateTime: z.string().refine((time) => graphTime(time) !== undefined),
  lastModifiedDateTime: z.string().nullish(),
  lastEditedDateTime: z.string().nullish(),
  deletedDateTime: z.string().nullish(),
  subject: z.string().nullish(),
  webUrl: z.string().nullish(),
  from: z.looseObject({ user: named, application: named }).nullish(),
  body: z.looseObject({ contentType: z.string().nullish(), content: z.string().nullish() }).nullish(),
  attachments: z.array(attachmentAnswer).nullish().catch([]),
})

/** One reply in an unknown format must not hide the others. */
const replies = z
  .array(plainMessage.nullable().catch(null))
  .transform((messages) => messages.filter((message) => message !== null))

/** A message of a channel or chat (`chatMessage`); `replies` only if requested. */
export const messageAnswer = plainMessage.extend({
  replies: replies.nullish(),
  'replies@odata.nextLink': z.string().nullish(),
})

export type TeamsMessage = z.infer<typeof plainMessage>
export type TeamsRoot = z.infer<typeof messageAnswer>

/** Whether a person wrote it and it was not deleted. */
export function isSaid(message: TeamsMessage): boolean {
  return (message.messageType ?? 'message') === 'message' && !message.deletedDateTime && wordsOf(message) !== ''
}

/** @param messages written and not deleted, in order */
export function conversationText(messages: readonly TeamsMessage[]): string {
  return messages
    .map((message) => spokenTurn(speakerOf(message), new Date(message.createdDateTime), wordsOf(message)))
    .join('\n\n')
}

export function peopleOf(messages: readonly TeamsMessage[]): string[] {
  return [...new Set(messages.map(speakerOf))]
}

/** Changes when a message is added, edited or deleted; reactions change only `lastModifiedDateTime`. */
export function conversationRevision(messages: readonly TeamsMessage[]): string {
  const versions = messages.map((message) => [message.id, message.lastEditedDateTime, wordsOf(message)])
  return digest(versions)
}

export function lastChange(messages: readonly TeamsMessage[]): Date {
  const times = messages.map(({ createdDateTime, lastEditedDateTime }) =>
    (graphTime(lastEditedDateTime) ?? new Date(createdDateTime)).getTime(),
  )
  return new Date(Math.max(...times))
}

export function inOrder<T extends TeamsMessage>(messages: Iterable<T>): T[] {
  return [...messages].sort(
    (a, b) => Date.parse(a.createdDateTime) - Date.parse(b.createdDateTime) || (a.id < b.id ? -1 : 1),
  )
}

function speakerOf({ from }: TeamsMessage): string {
  return speakerName(from?.user?.displayName || from?.application?.displayName || 'Somebody')
}

function wordsOf({ body, attachments, subject }: TeamsMessage): string {
  const text = teamsText(body ?? {}, attachments ?? [])
  return [subject?.trim() ?? '', text].filter(Boolean).join('\n')
}
