import { useState } from 'react'
import type { ItemChunk } from '../../../http/app/schemas/library.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { formatNoun, formatTime } from '../../ui/formats.ts'
import { ProblemNote } from '../../ui/notices.tsx'
import { SourceText, type Spans, shownText } from '../../ui/source-text.tsx'
import type { ItemFocus, ItemLink } from './item-link.ts'
import { chunksQuery, type ItemRef } from './library-calls.ts'
import { messages } from './messages.ts'
import { LongList, usePagedRows } from './paged-list.tsx'

/** The parsed text, passage by passage. */
export function ItemPassages({
  reference,
  count,
  link,
}: {
  readonly reference: ItemRef
  readonly count: number
  readonly link: ItemLink
}) {
  const [range, setRange] = useState({ first: 0, last: 0 })
  const { rowAt, error } = usePagedRows(
    range,
    (page) => chunksQuery(reference, page),
    ({ chunks }) => chunks,
  )
  const { focus } = link
  if (error !== null) return <ProblemNote error={error} />
  return (
    <LongList
      label={messages.text}
      count={count}
      estimatePx={110}
      onRange={setRange}
      target={focus?.from === 'memory' ? focus.first : undefined}
    >
      {(index) => {
        const passage = rowAt(index)
        const before = rowAt(index - 1)
        return passage && <Passage passage={passage} isNewHeading={before?.heading !== passage.heading} link={link} />
      }}
    </LongList>
  )
}

function Passage({
  passage,
  isNewHeading,
  link,
}: {
  readonly passage: ItemChunk
  readonly isNewHeading: boolean
  readonly link: ItemLink
}) {
  const { ordinal, text, speaker, heading, at, memories } = passage
  const { focus } = link
  const isLit = focus !== undefined && focus.first <= ordinal && ordinal <= focus.last
  const choose = () => link.choose({ memories, first: ordinal, last: ordinal, quote: undefined, from: 'passage' })
  return (
    <article
      className={classNames(
        'rounded-lg border-l-2 px-3 py-2 text-sm transition-colors',
        isLit ? 'border-accent bg-accent-soft' : 'border-transparent',
      )}
    >
      {heading !== null && isNewHeading && (
        <p className="text-soft mb-1 text-xs font-medium [overflow-wrap:anywhere]">
          <bdi>{shownText(heading)}</bdi>
        </p>
      )}
      {(speaker !== null || at !== null) && (
        <p className="mb-0.5 flex flex-wrap items-baseline gap-x-2">
          {speaker !== null && (
            <span className="font-semibold [overflow-wrap:anywhere]">
              <bdi>{shownText(speaker)}</bdi>
            </span>
          )}
          {at !== null && <time className="text-soft text-xs">{formatTime(at)}</time>}
        </p>
      )}
      <SourceText text={text} spans={isLit ? quoteSpans(text, focus) : []} />
      {memories.length > 0 && (
        <div className="mt-1">
          <Button look="quiet" size="small" aria-pressed={isLit} onClick={choose} className="-ml-2.5">
            {formatNoun(memories.length, 'memory', 'memories')}
            <span className="sr-only">{messages.fromPassage(ordinal + 1)}</span>
          </Button>
        </div>
      )}
    </article>
  )
}

/** Positions of a memory's quotes in a passage; none if they cover all of it. */
function quoteSpans(text: string, { quote }: ItemFocus): Spans {
  const words = quote?.trim() ?? ''
  if (words === '') return []
  const start = text.indexOf(words)
  return start < 0 || words.length >= text.trim().length ? [] : [[start, start + words.length]]
}
