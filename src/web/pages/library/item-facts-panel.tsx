import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { ItemFacts } from '../../../http/app/schemas/library.ts'
import { Card } from '../../ui/card.tsx'
import { formatBytes, formatDay, formatNoun, formatTime } from '../../ui/formats.ts'
import { SafeLink } from '../../ui/safe-link.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { sourceTitle } from '../../ui/source-type.tsx'

const KINDS: Readonly<Record<NonNullable<ItemFacts['kind']>, string>> = {
  note: 'Plain text',
  document: 'Document',
  chat: 'Chat',
  transcript: 'Transcript of a meeting',
  agent: 'Session with a coding agent',
  email: 'Mail',
  calendar: 'Calendar',
  issue: 'Issue or task',
}

/** What an item is, where it came from and how its memories were made. */
export function ItemFactsPanel({ item }: { readonly item: ItemFacts }) {
  return (
    <Card>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-3 text-sm lg:grid-cols-4">
        <Fact label="Source">
          {sourceTitle(item.source)}
          {item.connection !== null && (
            <>
              {', by '}
              <Link href={`/sources/${item.connection.split('/').map(encodeURIComponent).join('/')}`}>
                {item.connection}
              </Link>
            </>
          )}
          {item.url !== null && (
            <span className="block">
              <SafeLink href={item.url}>Open the original</SafeLink>
            </span>
          )}
        </Fact>
        <Fact label="File">
          <bdi>{shownText(item.file_name)}</bdi>, {formatBytes(item.size_bytes)}
        </Fact>
        <Fact label="Read as">{item.kind === null ? 'Not read yet' : KINDS[item.kind]}</Fact>
        <Fact label="Told of">{toldOf(item)}</Fact>
        <Fact label="Added">{formatTime(item.created_at)}</Fact>
        <Fact label="Last changed">{formatTime(item.updated_at)}</Fact>
        <Fact label="Made into">
          {formatNoun(item.memories, 'memory', 'memories')} from {formatNoun(item.chunks, 'passage')}
        </Fact>
        <Fact label="Memories made by">
          <MadeBy item={item} />
        </Fact>
        <Fact label="Told as">
          <bdi>{shownText(item.user_name)}</bdi>
        </Fact>
        <Fact label="Id">
          <code className="text-xs [overflow-wrap:anywhere]">{item.item_id}</code>
        </Fact>
      </dl>
    </Card>
  )
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="min-w-0 [overflow-wrap:anywhere]">
      <dt className="text-soft text-xs font-medium">{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function toldOf({ told_from: from, told_until: until }: ItemFacts): string {
  if (from === null) return 'No certain time'
  return until === null || formatDay(until) === formatDay(from)
    ? formatTime(from)
    : `${formatDay(from)} to ${formatDay(until)}`
}

/** The versions are for whoever compares two results. */
function MadeBy({ item: { made_by, refined_by } }: { readonly item: ItemFacts }) {
  if (made_by === null) return 'Not made yet'
  const [model] = refined_by?.split(' ') ?? []
  return (
    <details>
      <summary>{model === undefined ? 'Built-in rules' : `Language model ${shownText(model)}`}</summary>
      <p className="text-soft mt-1 text-xs">
        {refined_by !== null && <>{shownText(refined_by)}, after the built-in rules: </>}
        {shownText(made_by)}
      </p>
    </details>
  )
}

/** What of an item is in no memory and no passage, and why. */
export function LeftOutPanel({ item: { left_out } }: { readonly item: ItemFacts }) {
  if (left_out.length === 0) return null
  return (
    <Card>
      <h2 className="text-base font-semibold">Left out</h2>
      <ul className="mt-3 grid gap-3 text-sm sm:grid-cols-2">
        {left_out.map(({ reason, detail }) => (
          <li key={`${reason} ${detail}`}>
            <p className="font-medium">
              {SKIP_WORDS[reason].title} <span className="text-soft font-normal">· {shownText(detail)}</span>
            </p>
            <p className="text-soft">{SKIP_WORDS[reason].why}</p>
          </li>
        ))}
      </ul>
    </Card>
  )
}

type Reason = ItemFacts['left_out'][number]['reason']

/** Why something of an item was left out, for the person whose item it is. */
const SKIP_WORDS: Readonly<Record<Reason, { readonly title: string; readonly why: string }>> = {
  secret_redacted: {
    title: 'Secrets',
    why: 'Passwords, keys and tokens are never kept where they can be recalled. The original still has them.',
  },
  quoted_reply: { title: 'Quoted replies', why: 'They repeat what an earlier message says.' },
  signature: { title: 'Signatures', why: 'They say nothing of their own.' },
  boilerplate: { title: 'Boilerplate', why: 'Footers, navigation and other text that is the same everywhere.' },
  tool_output: { title: 'Output of tools', why: 'It can be found by its words, but no memories are made of it.' },
  too_short: { title: 'Very short remarks', why: 'They say too little to be remembered by themselves.' },
  duplicate: { title: 'Repetitions', why: 'The same stands elsewhere in this item.' },
  binary_part: { title: 'Parts without text', why: 'Images, sounds and other files inside it.' },
  limit: { title: 'Beyond a limit', why: 'The item holds more than is read of one.' },
  recalled: {
    title: 'Recalled passages',
    why: 'An agent quoted them from your memory, so they are not memorized again. The original still has them.',
  },
  evidence_missing: {
    title: 'Unproven memories',
    why: 'A language model claimed what does not stand in the text.',
  },
}
