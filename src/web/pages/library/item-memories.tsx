import { useState } from 'react'
import type { ItemMemory } from '../../../http/app/schemas/library.ts'
import { Badge } from '../../ui/badge.tsx'
import { classNames } from '../../ui/class-names.ts'
import { EmptyState, ProblemNote } from '../../ui/notices.tsx'
import { SafeLink } from '../../ui/safe-link.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { formatWhen } from '../../ui/when-text.ts'
import { useMemoryEdits } from '../memory-edits/edit-calls.ts'
import { EditActions, EditNotes } from '../memory-edits/memory-edits.tsx'
import { PlainLine } from '../reading/marked-words.tsx'
import type { ItemFocus, ItemLink } from './item-link.ts'
import { type ItemRef, memoriesQuery } from './library-calls.ts'
import { messages } from './messages.ts'
import { LongList, usePagedRows } from './paged-list.tsx'

/** The memories of an item, in text order. */
export function ItemMemories({
  reference,
  count,
  link,
  onShow,
}: {
  readonly reference: ItemRef
  readonly count: number
  readonly link: ItemLink
  /** Called when a memory is selected, to show its passage. */
  readonly onShow: () => void
}) {
  const [range, setRange] = useState({ first: 0, last: 0 })
  const { rowAt, error } = usePagedRows(
    range,
    (page) => memoriesQuery(reference, page),
    ({ memories }) => memories,
  )
  const { focus } = link
  if (error !== null) return <ProblemNote error={error} />
  if (count === 0) {
    return (
      <div className="p-4">
        <EmptyState title={messages.noMemories}>
          <p>{messages.noMemoriesAbout}</p>
        </EmptyState>
      </div>
    )
  }
  return (
    <LongList
      label={messages.memories}
      count={count}
      estimatePx={150}
      onRange={setRange}
      target={focus?.from === 'passage' ? focus.memories[0] : undefined}
    >
      {(index) => {
        const memory = rowAt(index)
        return (
          memory && <MemoryCard source={reference.source} memory={memory} index={index} link={link} onShow={onShow} />
        )
      }}
    </LongList>
  )
}

function MemoryCard({
  source,
  memory,
  index,
  link,
  onShow,
}: {
  readonly source: string
  readonly memory: ItemMemory
  readonly index: number
  readonly link: ItemLink
  readonly onShow: () => void
}) {
  const { content, first_chunk, last_chunk } = memory
  const isLit = link.focus?.memories.includes(index) === true
  const focus: ItemFocus = {
    memories: [index],
    first: first_chunk,
    last: last_chunk,
    quote: content.body,
    from: 'memory',
  }
  const title = content.headline ?? messages.memoryNumber(memory.index + 1)
  const editing = useMemoryEdits({ source, custom_id: memory.custom_id })
  return (
    <article
      className={classNames(
        'relative flex flex-col gap-2 rounded-lg border px-3 py-2.5 text-sm transition-colors',
        isLit ? 'border-accent bg-accent-soft' : 'border-line',
        memory.hidden !== null && 'text-soft border-dashed',
      )}
      onMouseEnter={() => link.point(focus)}
      onMouseLeave={() => link.point(undefined)}
    >
      <EditNotes source={source} {...memory} editing={editing} />
      <MemoryTitle title={title} focus={focus} isLit={isLit} link={link} onShow={onShow} />
      {content.narrative !== undefined && content.narrative !== content.headline && (
        <p>
          <PlainLine text={content.narrative} />
        </p>
      )}
      <MemoryFacts memory={memory} />
      <EditActions
        text={memory.correction?.text ?? content.body ?? content.narrative ?? ''}
        isCorrected={memory.correction !== null}
        isPinned={memory.pin !== null}
        isHidden={memory.hidden !== null}
        isNote={memory.note_on !== null}
        onlyPin={memory.corrects !== null}
        editing={editing}
      />
    </article>
  )
}

/** Covers its card: a click anywhere selects the memory. */
function MemoryTitle({
  title,
  focus,
  isLit,
  link,
  onShow,
}: {
  readonly title: string
  readonly focus: ItemFocus
  readonly isLit: boolean
  readonly link: ItemLink
  readonly onShow: () => void
}) {
  return (
    <button
      type="button"
      aria-pressed={isLit}
      title={messages.showInText}
      className="text-left font-semibold [overflow-wrap:anywhere] after:absolute after:inset-0 after:content-['']"
      onFocus={() => link.point(focus)}
      onBlur={() => link.point(undefined)}
      onClick={() => {
        link.choose(focus)
        onShow()
      }}
    >
      <bdi>{shownText(title)}</bdi>
    </button>
  )
}

function MemoryFacts({ memory }: { readonly memory: ItemMemory }) {
  const { content, custom_id, first_chunk, last_chunk } = memory
  const { when, where, participants = [], tags = [], other_entities = [], url } = content
  const entities = other_entities.map(({ entity_name, entity_type }) => `${entity_name} (${entity_type})`)
  const passages =
    first_chunk === last_chunk ? `${first_chunk + 1}` : messages.passageSpan(first_chunk + 1, last_chunk + 1)
  const facts = [
    [messages.date, when && formatWhen(when)],
    [messages.place, where],
    [messages.people, participants.join(', ')],
    [messages.mentions, entities.join(', ')],
    [messages.passages, passages],
    [messages.id, custom_id],
  ] as const
  return (
    <>
      <dl className="text-soft grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5 text-xs">
        {facts.map(
          ([label, value]) =>
            value && (
              <div key={label} className="contents">
                <dt className="font-medium">{label}</dt>
                <dd className="[overflow-wrap:anywhere]">
                  <bdi>{shownText(value)}</bdi>
                </dd>
              </div>
            ),
        )}
      </dl>
      {tags.length > 0 && (
        <p className="flex flex-wrap gap-1">
          {[...new Set(tags)].map((tag) => (
            <Badge key={tag}>
              <bdi>{shownText(tag)}</bdi>
            </Badge>
          ))}
        </p>
      )}
      {url !== undefined && (
        <p className="relative w-fit text-xs">
          <SafeLink href={url}>{messages.original}</SafeLink>
        </p>
      )}
    </>
  )
}
