import { Fragment, type ReactNode } from 'react'
import { Link } from 'wouter'
import type { ActivityActor, ActivityEntry } from '../../../http/app/schemas/activity.ts'
import { formatNoun } from '../../ui/formats.ts'
import { shownText } from '../../ui/source-text.tsx'
import { sourceTitle } from '../../ui/source-type.tsx'

/** `Key laptop recalled “deployment of the shop”: 12 results` */
export function ActivitySentence({
  actor,
  entry,
  viewerId,
}: {
  readonly actor: ActivityActor
  readonly entry: ActivityEntry
  readonly viewerId: string
}) {
  return (
    <p className="[overflow-wrap:anywhere]">
      <Actor actor={actor} viewerId={viewerId} /> {entrySentence(entry)}
    </p>
  )
}

function Actor({ actor, viewerId }: { readonly actor: ActivityActor; readonly viewerId: string }) {
  switch (actor.type) {
    case 'key':
      return (
        <TextLink href="/settings/keys">
          Key <bdi>{shownText(actor.name ?? actor.id)}</bdi>
        </TextLink>
      )
    case 'person':
      return (
        <strong className="font-medium">{actor.id === viewerId ? 'You' : <bdi>{shownText(actor.name)}</bdi>}</strong>
      )
    case 'connection':
      return <Connection id={actor.id} />
    case 'server':
      return <strong className="font-medium">The server</strong>
  }
}

function entrySentence(entry: ActivityEntry): ReactNode {
  switch (entry.kind) {
    case 'recall':
      return recallSentence(entry)
    case 'ask':
      return (
        <>
          {entry.text === null ? 'asked a question' : <>asked {quoted(entry.text)}</>}
          {entry.abstained ? ': no answer found' : ''}
        </>
      )
    case 'shown':
      return shownSentence(entry)
    case 'upload':
      return entry.agent === undefined
        ? `uploaded ${formatNoun(entry.count, 'item')} as ${sourceTitle(entry.source)}`
        : `stored ${formatNoun(entry.count, 'note')} of ${entry.agent}`
    case 'forget':
      return (
        <>
          deleted <bdi className="font-mono text-[0.8125rem]">{shownText(entry.item_id)}</bdi> from{' '}
          {sourceTitle(entry.source)} and {formatNoun(entry.memories, 'memory', 'memories')}
        </>
      )
    case 'reprocess':
      return reprocessSentence(entry)
    case 'sync':
      return syncSentence(entry)
    case 'source_connected':
      return <>connected {<Connection id={entry.connection} />}</>
    case 'source_changed':
      return <>changed the settings of {<Connection id={entry.connection} />}</>
    case 'source_paused':
      return <>paused {<Connection id={entry.connection} />}</>
    case 'source_resumed':
      return <>resumed {<Connection id={entry.connection} />}</>
    case 'source_disconnected':
      return (
        <>
          disconnected <bdi>{shownText(entry.connection)}</bdi>
          {entry.forgotten === undefined ? '' : ` and deleted ${formatNoun(entry.forgotten, 'item')}`}
        </>
      )
    default:
      return accountSentence(entry)
  }
}

function recallSentence({ text, results, source }: Extract<ActivityEntry, { kind: 'recall' }>): ReactNode {
  return (
    <>
      recalled {text === null ? 'something' : quoted(text)}
      {source === undefined ? '' : ` from ${sourceTitle(source)}`}:{' '}
      {results === 0 ? 'nothing found' : formatNoun(results, 'result')}
    </>
  )
}

/** `was shown 2 passages for a prompt in Claude Code (72 % probable, 340 tokens): plan, notes` */
function shownSentence(entry: Extract<ActivityEntry, { kind: 'shown' }>): ReactNode {
  const { when, probability, tokens, passages, items, host } = entry
  const occasion = when === 'prompt' ? 'for a prompt' : 'at session start'
  const agent = host === undefined ? '' : ` in ${host}`
  const chance = probability === undefined ? '' : `${Math.round(100 * probability)} % probable, `
  return (
    <>
      was shown {formatNoun(passages, 'passage')} {occasion}
      {agent} ({chance}
      {formatNoun(tokens, 'token')}){items.length === 0 ? '' : ': '}
      {items.map(({ source, item_id: itemId }, index) => (
        <Fragment key={`${source}/${itemId}`}>
          {index === 0 ? '' : ', '}
          <TextLink href={`/library/${encodeURIComponent(source)}/${encodeURIComponent(itemId)}`}>
            <bdi>{shownText(itemId)}</bdi>
          </TextLink>
        </Fragment>
      ))}
    </>
  )
}

function reprocessSentence({
  count,
  source,
  item_id: itemId,
}: Extract<ActivityEntry, { kind: 'reprocess' }>): ReactNode {
  if (itemId === undefined || source === undefined) return `reprocessed ${formatNoun(count, 'item')}`
  return (
    <>
      reprocessed{' '}
      <TextLink href={`/library/${encodeURIComponent(source)}/${encodeURIComponent(itemId)}`}>
        <bdi>{shownText(itemId)}</bdi>
      </TextLink>{' '}
      from {sourceTitle(source)}
    </>
  )
}

const OUTCOMES = {
  ok: '',
  partial: '',
  waiting: '; waiting for the rate limit',
  attention: '; needs attention',
  stopped: '; stopped after too many failures',
  aborted: '; interrupted',
} as const

function syncSentence({ outcome, memorized, removed, failed }: Extract<ActivityEntry, { kind: 'sync' }>): ReactNode {
  const parts = [
    ...(memorized > 0 ? [`synced ${formatNoun(memorized, 'item')}`] : []),
    ...(removed > 0 ? [`deleted ${formatNoun(removed, 'item')} removed at the source`] : []),
    ...(failed > 0 ? [`failed to read ${formatNoun(failed, 'item')}`] : []),
  ]
  return `${parts.length === 0 ? 'found nothing new' : parts.join(', ')}${OUTCOMES[outcome]}`
}

function Connection({ id }: { readonly id: string }) {
  const path = id.split('/').map(encodeURIComponent).join('/')
  return (
    <TextLink href={`/sources/${path}`}>
      <bdi>{shownText(id)}</bdi>
    </TextLink>
  )
}

function TextLink({ href, children }: { readonly href: string; readonly children: ReactNode }) {
  return (
    <Link href={href} className="decoration-edge font-medium underline underline-offset-2 hover:decoration-current">
      {children}
    </Link>
  )
}

function quoted(text: string): ReactNode {
  return <bdi>“{shownText(text)}”</bdi>
}

const BILLING_STATUSES: Readonly<Record<string, string>> = {
  none: 'no billing',
  active: 'active',
  past_due: 'payment overdue',
}

const CHANGED = {
  name: 'renamed the account',
  time_zone: 'changed the time zone of the account',
  language_model: 'changed the language model of the server',
} as const

const REFUSED = { password: 'a wrong password', passkey: 'a passkey', provider: 'a provider sign-in' } as const

const AGENT_ENDS = {
  revoked_by_agent: " at the agent's request",
  token_reused: ' because one of its codes or tokens was used twice and may have leaked',
} as const

/** The rest of the sentence for changes of access, sign-in and settings. */
function accountSentence(entry: ActivityEntry): ReactNode {
  switch (entry.kind) {
    case 'grant_made':
      return (
        <>
          granted access to {emphasized(entry.account)} at {entry.provider}
        </>
      )
    case 'grant_removed':
      return (
        <>
          revoked access to {emphasized(entry.account)} at {entry.provider}
        </>
      )
    case 'billing':
      return `changed the plan to ${entry.plan}, ${BILLING_STATUSES[entry.status] ?? entry.status}`
    case 'settings':
      return CHANGED[entry.what]
    case 'sign_in_failed':
      return (
        <>
          rejected {REFUSED[entry.by ?? 'password']} for {emphasized(entry.name)}, from {entry.network}
        </>
      )
    case 'retention':
      return `deleted ${formatNoun(entry.items, 'item')} from ${sourceTitle(entry.source)} older than ${formatNoun(entry.days, 'day')}`
    case 'account_exported':
      return `exported the account (${formatNoun(entry.items, 'item')})`
    case 'account_imported':
      return `imported ${formatNoun(entry.items, 'item')}`
    case 'database_damaged':
      return 'found damage in the database. An administrator can restore a backup.'
    case 'item_damaged':
      return (
        <>
          found the stored file of {emphasized(entry.item_id)} in {sourceTitle(entry.source)} damaged. Upload it again.
        </>
      )
    default:
      return accessSentence(entry)
  }
}

/** The same for keys and agents. */
function accessSentence(entry: ActivityEntry): ReactNode {
  switch (entry.kind) {
    case 'key_created':
      return <>created the key {emphasized(entry.name)}</>
    case 'key_changed':
      return <>changed the key {emphasized(entry.name)}</>
    case 'key_regenerated':
      return <>regenerated the key {emphasized(entry.name)}</>
    case 'key_deleted':
      return <>revoked the key {emphasized(entry.name)}</>
    case 'agent_connected':
      return (
        <>
          connected the agent {emphasized(entry.name)}, which can {entry.access === 'write' ? 'read and write' : 'read'}
        </>
      )
    case 'agent_disconnected':
      return (
        <>
          revoked the access of the agent {emphasized(entry.name)}
          {entry.reason === undefined ? '' : AGENT_ENDS[entry.reason]}
        </>
      )
    default:
      return peopleSentence(entry)
  }
}

function peopleSentence(entry: ActivityEntry): ReactNode {
  switch (entry.kind) {
    case 'person_invited':
      return entry.name === '' ? (
        `invited a new ${entry.role}`
      ) : (
        <>
          invited {emphasized(entry.name)} as {entry.role}
        </>
      )
    case 'person_joined':
      return `joined as ${entry.role}`
    case 'person_removed':
      return <>removed {emphasized(entry.name)}</>
    case 'person_role':
      return (
        <>
          made {emphasized(entry.name)} {entry.role === 'owner' ? 'an owner' : 'a member'}
        </>
      )
    case 'person_admin':
      return entry.is_admin ? (
        <>made {emphasized(entry.name)} an administrator</>
      ) : (
        <>removed administrator rights from {emphasized(entry.name)}</>
      )
    case 'person_reset':
      return <>created a password-reset link for {emphasized(entry.name)}</>
    case 'account_created':
      return <>created the account {emphasized(entry.name)}</>
    default:
      return OWN_ACCESS[entry.kind] ?? "did something that this version can't show"
  }
}

/** Sentences about a person's own access. */
const OWN_ACCESS: Readonly<Partial<Record<ActivityEntry['kind'], string>>> = {
  signed_in: 'signed in',
  signed_out: 'signed out',
  signed_out_everywhere: 'signed out on all other devices',
  password_changed: 'changed the password',
  passkey_added: 'added a passkey',
  passkey_removed: 'removed a passkey',
  backup: 'downloaded a backup of the server',
}

function emphasized(name: string): ReactNode {
  return <bdi className="font-medium">{shownText(name)}</bdi>
}
