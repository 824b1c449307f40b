import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { ItemFacts } from '../../../http/app/schemas/library.ts'
import { Card } from '../../ui/card.tsx'
import { formatBytes, formatCount, formatDay, formatTime } from '../../ui/formats.ts'
import { shownText } from '../../ui/source-text.tsx'
import { sourceTitle } from '../../ui/source-type.tsx'
import { messages } from './messages.ts'

/** What an item is, where it came from and how its memories were extracted. */
export function ItemFactsPanel({ item }: { readonly item: ItemFacts }) {
  return (
    <details className="bg-sheet border-line rounded-card group border">
      <summary className="flex min-h-12 list-none items-center justify-between gap-3 px-5 text-sm font-semibold select-none [&::-webkit-details-marker]:hidden">
        {messages.details}
        <ChevronDown className="text-soft size-4 transition-transform group-open:rotate-180" aria-hidden />
      </summary>
      <dl className="border-line grid border-t p-5 grid-cols-2 gap-x-6 gap-y-3 text-sm lg:grid-cols-4">
        <Fact label={messages.source}>
          {item.connector === null ? sourceTitle(item.source) : `${sourceTitle(item.source)} (${item.connector})`}
          {item.connection !== null && (
            <>
              {', by '}
              <Link href={`/sources/${item.connection.split('/').map(encodeURIComponent).join('/')}`}>
                {item.connection}
              </Link>
            </>
          )}
        </Fact>
        <Fact label={messages.file}>
          <bdi>{shownText(item.file_name)}</bdi>, {formatBytes(item.size_bytes)}
        </Fact>
        <Fact label={messages.type}>{item.kind === null ? messages.pending : messages.kinds[item.kind]}</Fact>
        <Fact label={messages.date}>{itemDates(item)}</Fact>
        <Fact label={messages.added}>{formatTime(item.created_at)}</Fact>
        <Fact label={messages.lastChanged}>{formatTime(item.updated_at)}</Fact>
        <Fact label={messages.result}>{messages.memoriesFrom(item.memories, item.chunks)}</Fact>
        <Fact label={messages.memoriesBy}>
          <ExtractedBy item={item} />
        </Fact>
        <Fact label={messages.user}>
          <bdi>{shownText(item.user_name)}</bdi>
        </Fact>
        {item.agent !== null && (
          <Fact label={messages.writtenBy}>
            <bdi>{shownText(item.agent)}</bdi>
          </Fact>
        )}
        <Fact label={messages.id}>
          <code className="text-xs [overflow-wrap:anywhere]">{item.item_id}</code>
        </Fact>
      </dl>
    </details>
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

/** The time of an item's content. */
export function itemDates({ date_from: from, date_until: until }: ItemFacts): string {
  if (from === null) return messages.noDate
  return until === null || formatDay(until) === formatDay(from)
    ? formatMoment(from)
    : messages.daySpan(formatDay(from), formatDay(until))
}

/** A day without a time is stored as its first minute. */
function formatMoment(from: string): string {
  const moment = new Date(from)
  return moment.getHours() === 0 && moment.getMinutes() === 0 ? formatDay(from) : formatTime(from)
}

/** Versions help to compare results. */
function ExtractedBy({ item: { pipeline_version, refined_by } }: { readonly item: ItemFacts }) {
  if (pipeline_version === null) return messages.notExtracted
  const [model] = refined_by?.split(' ') ?? []
  return (
    <details>
      <summary>{model === undefined ? messages.builtInRules : messages.languageModel(shownText(model))}</summary>
      <p className="text-soft mt-1 text-xs">
        {refined_by !== null && <>{messages.afterRules(shownText(refined_by))}</>}
        {shownText(pipeline_version)}
      </p>
    </details>
  )
}

/** What was skipped in an item, and why. */
export function LeftOutPanel({ item: { left_out } }: { readonly item: ItemFacts }) {
  if (left_out.length === 0) return null
  return (
    <Card>
      <h2 className="text-base font-semibold">{messages.skipped}</h2>
      <ul className="mt-3 grid gap-3 text-sm sm:grid-cols-2">
        {left_out.map(({ reason, count, detail }) => (
          <li key={`${reason} ${detail}`}>
            <p className="font-medium">
              {messages.skips[reason].title}{' '}
              <span className="text-soft font-normal tabular-nums">{formatCount(count)}</span>
            </p>
            <p className="text-soft">{messages.skips[reason].about}</p>
          </li>
        ))}
      </ul>
    </Card>
  )
}
