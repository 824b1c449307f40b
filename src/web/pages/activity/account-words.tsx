import type { ReactNode } from 'react'
import type { ActivityEntry } from '../../../http/app/schemas/activity.ts'
import { formatNoun } from '../../ui/formats.ts'
import { shownText } from '../../ui/source-text.tsx'
import { sourceTitle } from '../../ui/source-type.tsx'

const BILLING_WORDS: Readonly<Record<string, string>> = { none: 'no billing', active: 'active', past_due: 'past due' }

const REFUSED = { password: 'a wrong password', passkey: 'a passkey', provider: 'a sign-in by the provider' } as const

/** What was done with keys, people, sign-in and settings, after who did it. */
export function accountWords(entry: ActivityEntry): ReactNode {
  switch (entry.kind) {
    case 'key_created':
      return <>created the key {named(entry.name)}</>
    case 'key_changed':
      return <>changed the key {named(entry.name)}</>
    case 'key_regenerated':
      return <>gave the key {named(entry.name)} a new value</>
    case 'key_deleted':
      return <>revoked the key {named(entry.name)}</>
    case 'grant_made':
      return (
        <>
          gave access to {named(entry.account)} at {entry.provider}
        </>
      )
    case 'grant_removed':
      return (
        <>
          took back the access to {named(entry.account)} at {entry.provider}
        </>
      )
    case 'billing':
      return `changed the plan to ${entry.plan}, ${BILLING_WORDS[entry.status] ?? entry.status}`
    case 'settings':
      return entry.what === 'name' ? 'renamed the account' : 'changed the time zone of the account'
    case 'sign_in_failed':
      return (
        <>
          refused {REFUSED[entry.by ?? 'password']} for {named(entry.name)}, from {entry.network}
        </>
      )
    case 'retention':
      return `forgot ${formatNoun(entry.items, 'item')} of ${sourceTitle(entry.source)} older than ${formatNoun(entry.days, 'day')}`
    case 'account_exported':
      return `exported ${formatNoun(entry.items, 'item')}: all of the account`
    case 'account_imported':
      return `imported ${formatNoun(entry.items, 'item')}`
    case 'database_damaged':
      return 'found the database damaged: its administrator can restore a backup'
    case 'item_damaged':
      return (
        <>
          found the stored file of {named(entry.item_id)} in {sourceTitle(entry.source)} damaged: upload it again
        </>
      )
    default:
      return peopleWords(entry)
  }
}

function peopleWords(entry: ActivityEntry): ReactNode {
  switch (entry.kind) {
    case 'person_invited':
      return entry.name === '' ? (
        `invited a new ${entry.role}`
      ) : (
        <>
          invited {named(entry.name)} as {entry.role}
        </>
      )
    case 'person_joined':
      return `joined as ${entry.role}`
    case 'person_removed':
      return <>removed {named(entry.name)}</>
    case 'person_role':
      return (
        <>
          made {named(entry.name)} {entry.role === 'owner' ? 'an owner' : 'a member'}
        </>
      )
    case 'person_admin':
      return entry.is_admin ? (
        <>made {named(entry.name)} an administrator</>
      ) : (
        <>took the rights of an administrator from {named(entry.name)}</>
      )
    case 'person_reset':
      return <>made a link to a new password for {named(entry.name)}</>
    case 'account_created':
      return <>created the account {named(entry.name)}</>
    default:
      return OWN_WORDS[entry.kind] ?? 'did something that this page does not know'
  }
}

/** What people do with their own access. */
const OWN_WORDS: Readonly<Partial<Record<ActivityEntry['kind'], string>>> = {
  signed_in: 'signed in',
  signed_out: 'signed out',
  signed_out_everywhere: 'signed out on all other devices',
  password_changed: 'changed the password',
  passkey_added: 'added a passkey',
  passkey_removed: 'removed a passkey',
  backup: 'downloaded a backup of the server',
}

function named(name: string): ReactNode {
  return <bdi className="font-medium">{shownText(name)}</bdi>
}
