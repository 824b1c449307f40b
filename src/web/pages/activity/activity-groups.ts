import type { ActivityActor, ActivityKind, ActivityRecord } from '../../../http/app/schemas/activity.ts'
import { formatDay } from '../../ui/formats.ts'
import { shownText } from '../../ui/source-text.tsx'
import { messages } from './messages.ts'

/** Kinds of activity, grouped for the filter. */
export const KIND_GROUPS: readonly {
  readonly value: string
  readonly label: string
  readonly kinds: readonly ActivityKind[] | undefined
}[] = [
  { value: '', label: messages.everything, kinds: undefined },
  { value: 'questions', label: messages.questions, kinds: ['recall', 'ask', 'shown'] },
  { value: 'items', label: messages.items, kinds: ['upload', 'forget', 'reprocess', 'retention'] },
  {
    value: 'sources',
    label: messages.sources,
    kinds: [
      'sync',
      'source_connected',
      'source_changed',
      'source_paused',
      'source_resumed',
      'source_disconnected',
      'grant_made',
      'grant_removed',
    ],
  },
  {
    value: 'account',
    label: messages.keysAndPeople,
    kinds: [
      'key_created',
      'key_changed',
      'key_regenerated',
      'key_deleted',
      'agent_connected',
      'agent_disconnected',
      'person_invited',
      'person_joined',
      'person_removed',
      'person_role',
      'person_admin',
      'person_reset',
      'account_created',
      'signed_in',
      'signed_out',
      'signed_out_everywhere',
      'password_changed',
      'passkey_added',
      'passkey_removed',
      'billing',
      'settings',
      'sign_in_failed',
      'account_exported',
      'account_imported',
      'backup',
      'database_damaged',
      'item_damaged',
    ],
  },
]

/** The filter value of an actor. */
export function actorValue(actor: ActivityActor): string {
  return 'id' in actor ? `${actor.type}:${actor.id}` : actor.type
}

export function actorLabel(actor: ActivityActor): string {
  switch (actor.type) {
    case 'key':
      return messages.key(shownText(actor.name ?? actor.id))
    case 'person':
      return shownText(actor.name)
    case 'connection':
      return messages.connection(shownText(actor.id))
    case 'server':
      return messages.server
  }
}

/** Groups by day in the browser's time zone, keeping the order. */
export function byDay(records: readonly ActivityRecord[], now: Date): [title: string, records: ActivityRecord[]][] {
  const today = formatDay(now)
  const yesterday = formatDay(new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1))
  const title = (day: string) => (day === today ? messages.today : day === yesterday ? messages.yesterday : day)
  return [...Map.groupBy(records, ({ at }) => title(formatDay(at)))]
}
