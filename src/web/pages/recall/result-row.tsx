import { ChevronDown, Pencil, Pin, StickyNote, TriangleAlert } from 'lucide-react'
import type { MouseEvent } from 'react'
import { Link } from 'wouter'
import type { FoundMemory } from '../../../http/app/schemas/recall.ts'
import { classNames } from '../../ui/class-names.ts'
import { formatDay } from '../../ui/formats.ts'
import { shownText } from '../../ui/source-text.tsx'
import { SourceIcon, sourceTitle } from '../../ui/source-type.tsx'
import { formatWhen } from '../../ui/when-text.ts'
import { messages as editMessages } from '../memory-edits/messages.ts'
import { PlainLine } from '../reading/marked-words.tsx'
import { messages } from './messages.ts'
import { hitPath } from './recall-calls.ts'
import type { ResultRow as Row } from './result-rows.ts'
import { matchStrength } from './scores.ts'

interface ResultRowProps {
  readonly row: Row
  readonly isSelected: boolean
  readonly isTabStop: boolean
  readonly isExpanded: boolean
  readonly onSelect: () => void
  readonly onExpand: () => void
}

/**
 * A result as one line of the list: a link to its item. A click only selects it, so that its source is shown; Enter
 * opens the item, as does a click with a modifier in a tab of its own. Only one row is a tab stop.
 */
export function ResultRow({ row, isSelected, isTabStop, isExpanded, onSelect, onExpand }: ResultRowProps) {
  const { key, result, more, isFurther } = row
  const { source, connector, hit } = result
  const words = hit?.text ?? result.body ?? ''
  const click = (event: MouseEvent) => {
    // A click by the keyboard has no detail: it follows the link.
    if (event.detail === 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    onSelect()
  }
  return (
    <>
      <Link
        id={rowId(key)}
        href={hitPath(result)}
        tabIndex={isTabStop ? 0 : -1}
        aria-current={isSelected ? 'true' : undefined}
        onClick={click}
        className={classNames(
          'text-ink block scroll-my-2 border-l-3 py-2.5 pr-3 pl-3 no-underline outline-offset-[-2px]',
          isFurther && 'pl-9',
          isSelected ? 'border-accent bg-lit' : 'hover:bg-raised border-transparent',
        )}
      >
        {!isFurther && (
          <span className="flex items-center gap-2">
            <SourceIcon sourceType={source} className="text-soft size-4 shrink-0" />
            <span className="sr-only">{connector?.title ?? sourceTitle(source)}: </span>
            <bdi className="min-w-0 flex-1 truncate text-sm font-semibold">{shownText(rowTitle(result))}</bdi>
            <Strength score={result.score} />
          </span>
        )}
        <RowFacts result={result} />
        {(isFurther || words.trim() !== rowTitle(result)) && (
          <span className="mt-0.5 line-clamp-2 text-sm">
            <PlainLine text={words} spans={hit?.matches} />
          </span>
        )}
        <RowNotes result={result} />
      </Link>
      {more > 0 && (
        <button
          type="button"
          tabIndex={isTabStop ? 0 : -1}
          aria-expanded={isExpanded}
          onClick={onExpand}
          className="text-soft hover:text-ink flex min-h-7 items-center gap-1 pb-1.5 pl-9 text-xs font-medium"
        >
          <ChevronDown className={classNames('size-3.5', isExpanded && 'rotate-180')} aria-hidden />
          {isExpanded ? messages.fewerInItem : messages.moreInItem(more, source)}
        </button>
      )}
    </>
  )
}

export function rowId(key: string): string {
  return `result-${key}`
}

/** Of the item; of one without a title, the headline of the memory. */
export function rowTitle({ title, headline }: FoundMemory): string {
  return title ?? headline ?? messages.untitled
}

/** Who says it, or for whom the item is. */
export function rowPerson({ hit, participants }: FoundMemory): string | null {
  return hit?.speaker ?? participants[0] ?? null
}

function RowFacts({ result }: { readonly result: FoundMemory }) {
  const { at, when, item_tags } = result
  const tags = item_tags.map((tag) => `#${tag}`)
  const facts = [rowPerson(result), at === null ? when && formatWhen(when) : formatDay(at), ...tags].filter(
    (fact) => fact !== null,
  )
  if (facts.length === 0) return null
  return (
    <span className="text-soft block truncate text-xs">
      <bdi>{shownText(facts.join(' · '))}</bdi>
    </span>
  )
}

function Strength({ score }: { readonly score: number }) {
  const strength = matchStrength(score)
  if (strength === undefined) return null
  return (
    <span className={classNames('shrink-0 text-xs font-medium', strength === 'strong' ? 'text-accent' : 'text-soft')}>
      {messages.strength[strength]}
    </span>
  )
}

/** Corrections, notes, pins and newer statements, which stay visible. */
function RowNotes({
  result: { superseded_by, supersedes, correction, notes: noted, pin },
}: {
  readonly result: FoundMemory
}) {
  const notes = [
    superseded_by !== null && { text: messages.outdated, icon: TriangleAlert, tone: 'text-warn' },
    supersedes.length > 0 && { text: messages.replaces, icon: undefined, tone: 'text-good' },
    correction !== null && { text: messages.corrected, icon: Pencil, tone: 'text-good' },
    noted.length > 0 && { text: editMessages.editKinds.note, icon: StickyNote, tone: 'text-soft' },
    pin !== null && { text: messages.pinned, icon: Pin, tone: 'text-accent' },
  ].filter((note) => note !== false)
  if (notes.length === 0) return null
  return (
    <span className="mt-0.5 flex flex-wrap gap-x-3 text-xs font-medium">
      {notes.map(({ text, icon: Icon, tone }) => (
        <span key={text} className={classNames('flex items-center gap-1', tone)}>
          {Icon && <Icon className="size-3 shrink-0" aria-hidden />}
          {text}
        </span>
      ))}
    </span>
  )
}
