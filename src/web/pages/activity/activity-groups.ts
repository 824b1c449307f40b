import type { ActivityActor, ActivityKind, ActivityRecord } from '../../../http/app/schemas/activity.ts'
import { formatDay } from '../../ui/formats.ts'
import { shownText } from '../../ui/source-text.tsx'

/** Kinds that people look for together. */
export const KIND_GROUPS: readonly {
  readonly value: string
  readonly label: string
  readonly kinds: readonly ActivityKind[] | undefined
}[] = [
  { value: '', label: 'Everything', kinds: undefined },
  { value: 'questions', label: 'Questions', kinds: ['recall', 'ask'] },
  { value: 'items', label: 'Items', kinds: ['upload', 'forget', 'reprocess', 'retention'] },
  {
    value: 'sources',
    label: 'Sources',
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
    label: 'Keys and people',
    kinds: [
      'key_created',
      'key_changed',
      'key_regenerated',
      'key_deleted',
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

/** As the service is asked for what they did. */
export function actorValue(actor: ActivityActor): string {
  return 'id' in actor ? `${actor.type}:${actor.id}` : actor.type
}

export function actorLabel(actor: ActivityActor): string {
  switch (actor.type) {
    case 'key':
      return `Key ${shownText(actor.name ?? actor.id)}`
    case 'person':
      return shownText(actor.name)
    case 'connection':
      return `Connection ${shownText(actor.id)}`
    case 'server':
      return 'The server'
  }
}

/** In the time zone of the browser, in the order in which they come. */
export function byDay(records: readonly ActivityRecord[], now: Date): [title: string, records: ActivityRecord[]][] {
  const today = formatDay(now)
  const yesterday = formatDay(new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1))
  const title = (day: string) => (day === today ? 'Today' : day === yesterday ? 'Yesterday' : day)
  return [...Map.groupBy(records, ({ at }) => title(formatDay(at)))]
}
