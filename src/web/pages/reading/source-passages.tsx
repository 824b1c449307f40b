import { type ReactNode, useState } from 'react'
import type { ItemChunk } from '../../../http/app/schemas/library.ts'
import { ProblemNote } from '../../ui/notices.tsx'
import type { Spans } from '../../ui/source-text.tsx'
import { chunksQuery, type ItemRef } from '../library/library-calls.ts'
import { LongList, usePagedRows } from '../library/paged-list.tsx'
import { messages } from './messages.ts'
import { Passage } from './passage.tsx'

const SESSION_SOURCES: ReadonlySet<string> = new Set(['claude_code', 'codex', 'cursor'])

interface SourcePassagesProps {
  readonly reference: ItemRef
  /** Number of passages. */
  readonly count: number
  /** Of the item. */
  readonly title: string | undefined
  /** Scrolled to. */
  readonly target: number | undefined
  /** Indexed words that are marked; see `understood.terms` of a recall. */
  readonly terms: readonly string[]
  readonly isLit: (ordinal: number) => boolean
  /** Marks instead of those of `terms`. */
  readonly marksOf?: (passage: ItemChunk) => Spans
  /** Shown below a passage. */
  readonly below?: (passage: ItemChunk) => ReactNode
  readonly className?: string
}

/** The text of an item as in its source: turns of a conversation, messages, paragraphs. Loads while scrolling. */
export function SourcePassages(props: SourcePassagesProps) {
  const { reference, count, title, target, terms, isLit, marksOf, below, className } = props
  const [range, setRange] = useState({ first: target ?? 0, last: target ?? 0 })
  const { rowAt, error } = usePagedRows(
    range,
    (page) => chunksQuery(reference, page, terms),
    ({ chunks }) => chunks,
  )
  if (error !== null) return <ProblemNote error={error} />
  return (
    <LongList
      label={messages.text}
      count={count}
      estimatePx={90}
      gapPx={0}
      onRange={setRange}
      target={target}
      align="center"
      {...(className !== undefined && { className })}
    >
      {(index) => {
        const passage = rowAt(index)
        return (
          passage && (
            <Passage
              passage={passage}
              before={rowAt(index - 1)}
              isLit={isLit(passage.ordinal)}
              title={title}
              isOfSession={SESSION_SOURCES.has(reference.source)}
              marks={marksOf?.(passage)}
            >
              {below?.(passage)}
            </Passage>
          )
        )
      }}
    </LongList>
  )
}
