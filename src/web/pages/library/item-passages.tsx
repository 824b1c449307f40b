import type { ItemChunk } from '../../../http/app/schemas/library.ts'
import { Button } from '../../ui/button.tsx'
import type { Spans } from '../../ui/source-text.tsx'
import { SourcePassages } from '../reading/source-passages.tsx'
import type { ItemFocus, ItemLink } from './item-link.ts'
import type { ItemRef } from './library-calls.ts'
import { messages } from './messages.ts'

/** The text of an item; beside its memories, each passage leads to those that were made from it. */
export function ItemPassages({
  reference,
  count,
  link,
  hit,
  hasMemories,
  className,
}: {
  readonly reference: ItemRef & { readonly title: string }
  readonly count: number
  readonly link: ItemLink
  /** The passage that the page was opened for. */
  readonly hit: number | undefined
  /** Whether its memories are shown beside it. */
  readonly hasMemories: boolean
  readonly className: string
}) {
  const { focus } = link
  const isLit = (ordinal: number) =>
    focus === undefined ? ordinal === hit : focus.first <= ordinal && ordinal <= focus.last
  return (
    <SourcePassages
      reference={reference}
      count={count}
      title={reference.title}
      target={focus?.from === 'memory' ? focus.first : hit}
      terms={[]}
      isLit={isLit}
      marksOf={({ ordinal, text }) => (focus !== undefined && isLit(ordinal) ? quoteSpans(text, focus) : [])}
      below={(passage) => hasMemories && <MemoriesOf passage={passage} link={link} isLit={isLit(passage.ordinal)} />}
      className={className}
    />
  )
}

function MemoriesOf({
  passage: { ordinal, memories },
  link,
  isLit,
}: {
  readonly passage: ItemChunk
  readonly link: ItemLink
  readonly isLit: boolean
}) {
  if (memories.length === 0) return null
  const choose = () => link.choose({ memories, first: ordinal, last: ordinal, quote: undefined, from: 'passage' })
  return (
    <Button look="quiet" size="small" aria-pressed={isLit} onClick={choose} className="-ml-2.5">
      {messages.memoryCount(memories.length)}
      <span className="sr-only">{messages.fromPassage(ordinal + 1)}</span>
    </Button>
  )
}

/** Positions of a memory's quotes in a passage; none if they cover all of it. */
function quoteSpans(text: string, { quote }: ItemFocus): Spans {
  const words = quote?.trim() ?? ''
  if (words === '') return []
  const start = text.indexOf(words)
  return start < 0 || words.length >= text.trim().length ? [] : [[start, start + words.length]]
}
