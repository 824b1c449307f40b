import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { ActivityActor, ActivityEntry } from '../../../http/app/schemas/activity.ts'
import { formatNoun } from '../../ui/formats.ts'
import { shownText } from '../../ui/source-text.tsx'
import { sourceTitle } from '../../ui/source-type.tsx'
import { accountWords } from './account-words.tsx'

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
      <Actor actor={actor} viewerId={viewerId} /> {words(entry)}
    </p>
  )
}

function Actor({ actor, viewerId }: { readonly actor: ActivityActor; readonly viewerId: string }) {
  switch (actor.type) {
    case 'key':
      return (
        <TextLink href="/keys">
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

function words(entry: ActivityEntry): ReactNode {
  switch (entry.kind) {
    case 'recall':
      return recallWords(entry)
    case 'ask':
      return (
        <>
          {entry.text === null ? 'asked a question' : <>asked {quoted(entry.text)}</>}
          {entry.abstained ? ': nothing that answers it' : ''}
        </>
      )
    case 'upload':
      return `uploaded ${formatNoun(entry.count, 'item')} as ${sourceTitle(entry.source)}`
    case 'forget':
      return (
        <>
          forgot <bdi className="font-mono text-[0.8125rem]">{shownText(entry.item_id)}</bdi> of{' '}
          {sourceTitle(entry.source)} and {formatNoun(entry.memories, 'memory', 'memories')} made from it
        </>
      )
    case 'reprocess':
      return reprocessWords(entry)
    case 'sync':
      return syncWords(entry)
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
          {entry.forgotten === undefined ? '' : ` and forgot ${formatNoun(entry.forgotten, 'item')} of it`}
        </>
      )
    default:
      return accountWords(entry)
  }
}

function recallWords({ text, results, source }: Extract<ActivityEntry, { kind: 'recall' }>): ReactNode {
  return (
    <>
      recalled {text === null ? 'something' : quoted(text)}
      {source === undefined ? '' : ` from ${sourceTitle(source)}`}:{' '}
      {results === 0 ? 'nothing found' : formatNoun(results, 'result')}
    </>
  )
}

function reprocessWords({ count, source, item_id: itemId }: Extract<ActivityEntry, { kind: 'reprocess' }>): ReactNode {
  if (itemId === undefined || source === undefined) return `had ${formatNoun(count, 'item')} processed again`
  return (
    <>
      had{' '}
      <TextLink href={`/library/${encodeURIComponent(source)}/${encodeURIComponent(itemId)}`}>
        <bdi>{shownText(itemId)}</bdi>
      </TextLink>{' '}
      of {sourceTitle(source)} processed again
    </>
  )
}

const OUTCOMES = {
  ok: '',
  partial: '',
  waiting: '; goes on when its rate limit allows it',
  attention: '; it needs you',
  stopped: '; it stopped after too many failures',
  aborted: '; it was ended early',
} as const

function syncWords({ outcome, memorized, removed, failed }: Extract<ActivityEntry, { kind: 'sync' }>): ReactNode {
  const parts = [
    ...(memorized > 0 ? [`memorized ${formatNoun(memorized, 'item')}`] : []),
    ...(removed > 0 ? [`forgot ${formatNoun(removed, 'item')} that are gone at the source`] : []),
    ...(failed > 0 ? [`could not read ${formatNoun(failed, 'item')}`] : []),
  ]
  return `${parts.length === 0 ? 'read nothing new' : parts.join(', ')}${OUTCOMES[outcome]}`
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
