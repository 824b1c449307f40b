import { createElement, Fragment, type ReactNode } from 'react'
import { Link } from 'wouter'
import type { ActivityActor, ActivityEntry } from '../../../http/app/schemas/activity.ts'
import { shownText } from '../../ui/source-text.tsx'
import { sourceTitle } from '../../ui/source-type.tsx'
import { sentences } from './sentences.ts'

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
  const { sentence, parts = {} } = sentenceOf(entry)
  return (
    <p className="[overflow-wrap:anywhere]">
      {filled(sentence, { ...parts, actor: <Actor actor={actor} viewerId={viewerId} /> })}
      {entry.kind === 'shown' && <ShownItems items={entry.items} />}
    </p>
  )
}

/** A sentence with these parts in the place of their names in braces. */
function filled(sentence: string, parts: Readonly<Record<string, ReactNode>>): ReactNode {
  const nodes = sentence.split(/\{(\w+)\}/).map((text, index) => (index % 2 === 0 ? text : parts[text]))
  return createElement(Fragment, null, ...nodes)
}

function Actor({ actor, viewerId }: { readonly actor: ActivityActor; readonly viewerId: string }) {
  switch (actor.type) {
    case 'key':
      return (
        <TextLink href="/settings/keys">
          {filled(sentences.key, { name: <bdi>{shownText(actor.name ?? actor.id)}</bdi> })}
        </TextLink>
      )
    case 'person':
      return (
        <strong className="font-medium">
          {actor.id === viewerId ? sentences.you : <bdi>{shownText(actor.name)}</bdi>}
        </strong>
      )
    case 'connection':
      return <Connection id={actor.id} />
    case 'server':
      return <strong className="font-medium">{sentences.server}</strong>
  }
}

interface Sentence {
  readonly sentence: string
  readonly parts?: Readonly<Record<string, ReactNode>>
}

function sentenceOf(entry: ActivityEntry): Sentence {
  switch (entry.kind) {
    case 'recall': {
      const { text, results, source } = entry
      const parts = {
        text: text === null ? sentences.something : quoted(text),
        results: sentences.results(results),
      }
      if (source === undefined) return { sentence: sentences.recalled, parts }
      return { sentence: sentences.recalledFrom, parts: { ...parts, source: sourceTitle(source) } }
    }
    case 'ask': {
      const text = entry.text === null ? sentences.aQuestion : quoted(entry.text)
      return { sentence: entry.abstained ? sentences.askedInVain : sentences.asked, parts: { text } }
    }
    case 'shown':
      return shownSentence(entry)
    case 'upload': {
      const { agent, count, source } = entry
      if (agent !== undefined) return { sentence: sentences.stored, parts: { notes: sentences.notes(count), agent } }
      return { sentence: sentences.uploaded, parts: { items: sentences.items(count), source: sourceTitle(source) } }
    }
    case 'forget': {
      const item = <bdi className="font-mono text-[0.8125rem]">{shownText(entry.item_id)}</bdi>
      const parts = { item, source: sourceTitle(entry.source), memories: sentences.memories(entry.memories) }
      return { sentence: sentences.forgotten, parts }
    }
    case 'reprocess': {
      const { count, source, item_id: itemId } = entry
      if (itemId === undefined || source === undefined)
        return { sentence: sentences.reprocessedItems, parts: { items: sentences.items(count) } }
      const item = <ItemLink source={source} itemId={itemId} />
      return { sentence: sentences.reprocessed, parts: { item, source: sourceTitle(source) } }
    }
    default:
      return sourceSentence(entry)
  }
}

/** `was shown 2 passages for a prompt in Claude Code (72 % probable, 340 tokens): plan, notes` */
function shownSentence(entry: Extract<ActivityEntry, { kind: 'shown' }>): Sentence {
  const { when, probability, tokens, passages, host } = entry
  const occasion = when === 'prompt' ? 'prompt' : 'session'
  const chance = probability === undefined ? [] : [sentences.probable(Math.round(100 * probability))]
  return {
    sentence: host === undefined ? sentences.shown[occasion] : sentences.shownIn[occasion],
    parts: {
      passages: sentences.passages(passages),
      host,
      cost: [...chance, sentences.tokens(tokens)].join(', '),
    },
  }
}

function ShownItems({ items }: Pick<Extract<ActivityEntry, { kind: 'shown' }>, 'items'>) {
  return items.map(({ source, item_id: itemId }, index) => (
    <Fragment key={`${source}/${itemId}`}>
      {index === 0 ? ': ' : ', '}
      <ItemLink source={source} itemId={itemId} />
    </Fragment>
  ))
}

function sourceSentence(entry: ActivityEntry): Sentence {
  switch (entry.kind) {
    case 'sync':
      return syncSentence(entry)
    case 'source_connected':
      return { sentence: sentences.connected, parts: { connection: <Connection id={entry.connection} /> } }
    case 'source_changed':
      return { sentence: sentences.connectionChanged, parts: { connection: <Connection id={entry.connection} /> } }
    case 'source_paused':
      return { sentence: sentences.paused, parts: { connection: <Connection id={entry.connection} /> } }
    case 'source_resumed':
      return { sentence: sentences.resumed, parts: { connection: <Connection id={entry.connection} /> } }
    case 'source_disconnected': {
      const connection = <bdi>{shownText(entry.connection)}</bdi>
      if (entry.forgotten === undefined) return { sentence: sentences.disconnected, parts: { connection } }
      const items = sentences.items(entry.forgotten)
      return { sentence: sentences.disconnectedWithItems, parts: { connection, items } }
    }
    case 'grant_made':
      return {
        sentence: sentences.grantMade,
        parts: { account: emphasized(entry.account), provider: entry.provider },
      }
    case 'grant_removed':
      return {
        sentence: sentences.grantRemoved,
        parts: { account: emphasized(entry.account), provider: entry.provider },
      }
    default:
      return accountSentence(entry)
  }
}

function syncSentence({ outcome, memorized, removed, failed }: Extract<ActivityEntry, { kind: 'sync' }>): Sentence {
  const changes = [
    ...(memorized > 0 ? [sentences.synced(memorized)] : []),
    ...(removed > 0 ? [sentences.removed(removed)] : []),
    ...(failed > 0 ? [sentences.failed(failed)] : []),
  ]
  const parts =
    changes.length === 0
      ? { changes: sentences.withoutChanges[outcome], outcome: '' }
      : { changes: changes.join(', '), outcome: sentences.outcomes[outcome] }
  return { sentence: sentences.sync, parts }
}

/** Changes of sign-in and of the account. */
function accountSentence(entry: ActivityEntry): Sentence {
  switch (entry.kind) {
    case 'billing': {
      const statuses: Readonly<Record<string, string>> = sentences.billingStatuses
      return {
        sentence: sentences.billing,
        parts: { plan: entry.plan, status: statuses[entry.status] ?? entry.status },
      }
    }
    case 'settings':
      return { sentence: sentences.settings[entry.what] }
    case 'sign_in_failed': {
      const parts = { name: emphasized(entry.name), network: entry.network }
      return { sentence: sentences.signInFailed[entry.by ?? 'password'], parts }
    }
    case 'retention': {
      const { items, days, source } = entry
      const parts = { items: sentences.items(items), source: sourceTitle(source), days: sentences.days(days) }
      return { sentence: sentences.retention, parts }
    }
    case 'account_exported':
      return { sentence: sentences.exported, parts: { items: sentences.items(entry.items) } }
    case 'account_imported':
      return { sentence: sentences.imported, parts: { items: sentences.items(entry.items) } }
    case 'database_damaged':
      return { sentence: sentences.databaseDamaged }
    case 'item_damaged': {
      const parts = { item: emphasized(entry.item_id), source: sourceTitle(entry.source) }
      return { sentence: sentences.itemDamaged, parts }
    }
    case 'account_created':
      return { sentence: sentences.accountCreated, parts: { name: emphasized(entry.name) } }
    default:
      return accessSentence(entry)
  }
}

/** Changes of keys and agents. */
function accessSentence(entry: ActivityEntry): Sentence {
  switch (entry.kind) {
    case 'key_created':
      return { sentence: sentences.keyCreated, parts: { name: emphasized(entry.name) } }
    case 'key_changed':
      return { sentence: sentences.keyChanged, parts: { name: emphasized(entry.name) } }
    case 'key_regenerated':
      return { sentence: sentences.keyRegenerated, parts: { name: emphasized(entry.name) } }
    case 'key_deleted':
      return { sentence: sentences.keyDeleted, parts: { name: emphasized(entry.name) } }
    case 'agent_connected': {
      const access = entry.access === 'write' ? 'write' : 'read'
      return { sentence: sentences.agentConnected[access], parts: { name: emphasized(entry.name) } }
    }
    case 'agent_disconnected': {
      const sentence = entry.reason === undefined ? sentences.agentDisconnected : sentences.agentEnded[entry.reason]
      return { sentence, parts: { name: emphasized(entry.name) } }
    }
    default:
      return personSentence(entry)
  }
}

function personSentence(entry: ActivityEntry): Sentence {
  switch (entry.kind) {
    case 'person_invited': {
      const role = sentences.roles[entry.role]
      if (entry.name === '') return { sentence: sentences.invitedNew, parts: { role } }
      return { sentence: sentences.invited, parts: { name: emphasized(entry.name), role } }
    }
    case 'person_joined':
      return { sentence: sentences.joined, parts: { role: sentences.roles[entry.role] } }
    case 'person_removed':
      return { sentence: sentences.personRemoved, parts: { name: emphasized(entry.name) } }
    case 'person_role': {
      const role = entry.role === 'owner' ? 'owner' : 'member'
      return { sentence: sentences.madeRole[role], parts: { name: emphasized(entry.name) } }
    }
    case 'person_admin': {
      const sentence = entry.is_admin ? sentences.madeAdmin : sentences.removedAdmin
      return { sentence, parts: { name: emphasized(entry.name) } }
    }
    case 'person_reset':
      return { sentence: sentences.resetLink, parts: { name: emphasized(entry.name) } }
    default: {
      const own: Readonly<Record<string, string>> = sentences.own
      return { sentence: own[entry.kind] ?? sentences.unknown }
    }
  }
}

function Connection({ id }: { readonly id: string }) {
  const path = id.split('/').map(encodeURIComponent).join('/')
  return (
    <TextLink href={`/sources/${path}`}>
      <bdi>{shownText(id)}</bdi>
    </TextLink>
  )
}

function ItemLink({ source, itemId }: { readonly source: string; readonly itemId: string }) {
  return (
    <TextLink href={`/library/${encodeURIComponent(source)}/${encodeURIComponent(itemId)}`}>
      <bdi>{shownText(itemId)}</bdi>
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
  return <bdi>{filled(sentences.quoted, { text: shownText(text) })}</bdi>
}

function emphasized(name: string): ReactNode {
  return <bdi className="font-medium">{shownText(name)}</bdi>
}
