import { CircleArrowUp, Clock, MapPin, Users } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { FoundMemory } from '../../../http/app/schemas/recall.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { formatDay } from '../../ui/formats.ts'
import { SourceText, type Spans, shownText } from '../../ui/source-text.tsx'
import { SourceIcon, sourceTitle } from '../../ui/source-type.tsx'
import { useMemoryEdits } from '../memory-edits/edit-calls.ts'
import { EditActions, EditNotes } from '../memory-edits/memory-edits.tsx'
import { messages } from './messages.ts'
import { itemPath, memoryKey } from './recall-calls.ts'
import { ResultMore } from './result-details.tsx'

interface ResultCardProps {
  readonly result: FoundMemory
  /** The results, by `memoryKey`. */
  readonly here: ReadonlySet<string>
  readonly onPerson: (person: string) => void
  /** Scrolls to another result. */
  readonly onShow: (key: string) => void
  /** Called when a memory was corrected or pinned, which changes the results. */
  readonly onEdited: () => Promise<unknown>
}

/** Most people shown; longer lists are usually mailing lists. */
const MOST_PEOPLE = 6

/** One result: text, people, date, source and explanation. */
export function ResultCard({ result, here, onPerson, onShow, onEdited }: ResultCardProps) {
  const { source, headline, narrative, title, matches, score, superseded_by } = result
  const name = headline ?? title
  const key = memoryKey(result)
  const editing = useMemoryEdits(result, onEdited)
  return (
    <article
      id={`memory-${key}`}
      tabIndex={-1}
      aria-labelledby={`title-${key}`}
      className="bg-sheet border-line rounded-card focus:border-accent focus:ring-accent flex flex-col gap-2.5 border p-4 outline-none focus:ring-1 sm:p-5"
    >
      <div className="text-soft flex items-center gap-2 text-[0.8125rem]">
        <SourceIcon sourceType={source} className="size-4 shrink-0" />
        <span className="min-w-0 flex-1 truncate">
          {sourceTitle(source)}
          {title !== null && title !== name && <bdi> · {shownText(title)}</bdi>}
        </span>
        <ScoreBar score={score} />
      </div>
      <h3 id={`title-${key}`} className="font-semibold">
        <SourceText text={name ?? messages.untitled} spans={headline === null ? [] : matches.headline} />
      </h3>
      {superseded_by !== null && <ReplacedBy other={superseded_by} here={here} onShow={onShow} />}
      <EditNotes source={source} correction={result.correction} pin={result.pin} editing={editing} />
      {narrative !== null && <LongText text={narrative} spans={matches.narrative} />}
      <Facts result={result} onPerson={onPerson} />
      <Replaces result={result} here={here} onShow={onShow} />
      <AlsoIn copies={result.also_in} />
      <ResultMore result={result} />
      <EditActions
        text={result.body ?? narrative ?? ''}
        isCorrected={result.correction !== null}
        isPinned={result.pin !== null}
        editing={editing}
      />
    </article>
  )
}

function Facts({ result, onPerson }: Pick<ResultCardProps, 'result' | 'onPerson'>) {
  const { participants, when, at, where } = result
  const [isAllShown, setAllShown] = useState(false)
  const people = isAllShown ? participants : participants.slice(0, MOST_PEOPLE)
  const time = when ?? (at === null ? null : formatDay(at))
  if (participants.length === 0 && time === null && where === null) return null
  return (
    <div className="text-soft flex flex-wrap gap-x-5 gap-y-1.5 text-[0.8125rem] [&_svg]:size-3.5 [&_svg]:shrink-0">
      {time !== null && (
        <span className="flex min-w-0 items-center gap-1.5">
          <Clock role="img" aria-label={messages.date} />
          <SourceText text={time} />
        </span>
      )}
      {participants.length > 0 && (
        <span className="flex min-w-0 items-start gap-1.5">
          <Users role="img" aria-label={messages.people} className="mt-1" />
          <span className="flex min-w-0 flex-wrap gap-x-2">
            {people.map((name) => (
              <button
                key={name}
                type="button"
                title={messages.onlyPerson}
                onClick={() => onPerson(name)}
                className="hover:text-ink text-left underline-offset-2 hover:underline"
              >
                <SourceText text={name} />
              </button>
            ))}
            {people.length < participants.length && (
              <button type="button" onClick={() => setAllShown(true)} className="hover:text-ink underline">
                {messages.andMore(participants.length - people.length)}
              </button>
            )}
          </span>
        </span>
      )}
      {where !== null && (
        <span className="flex min-w-0 items-center gap-1.5">
          <MapPin role="img" aria-label={messages.source} />
          <SourceText text={where} />
        </span>
      )}
    </div>
  )
}

type Other = Pick<ResultCardProps, 'here' | 'onShow'>
type OtherMemory = FoundMemory['supersedes'][number]

/** Links to another memory: to its result if shown, else to its item. */
function ShowOther({
  other,
  here,
  onShow,
  children,
}: Other & { readonly other: OtherMemory; readonly children: string }) {
  const key = memoryKey(other)
  if (here.has(key))
    return (
      <Button size="small" look="quiet" className="text-inherit underline" onClick={() => onShow(key)}>
        {children}
      </Button>
    )
  return (
    <Link href={itemPath(other.source, other.item_id)} className="text-inherit px-2.5 font-medium underline">
      {children}
    </Link>
  )
}

function ReplacedBy({ other, here, onShow }: Other & { readonly other: OtherMemory }) {
  return (
    <p className="bg-warn-soft text-warn flex w-fit flex-wrap items-center gap-x-3 gap-y-1 rounded-lg px-3 py-1.5 text-[0.8125rem]">
      {messages.outdated}{' '}
      <ShowOther other={other} here={here} onShow={onShow}>
        {messages.showCurrent}
      </ShowOther>
    </p>
  )
}

function Replaces({ result, here, onShow }: Other & Pick<ResultCardProps, 'result'>) {
  if (result.supersedes.length === 0) return null
  return (
    <ul className="flex flex-col gap-1 text-[0.8125rem]">
      {result.supersedes.map((other) => (
        <li key={memoryKey(other)} className="text-good flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="flex items-center gap-1.5">
            <CircleArrowUp className="size-3.5 shrink-0" aria-hidden />
            <span>
              {messages.replaces}
              {other.when !== null && (
                <>
                  {' '}
                  {messages.from} <SourceText text={other.when} />
                </>
              )}
            </span>
          </span>
          <ShowOther other={other} here={here} onShow={onShow}>
            {messages.showEarlier}
          </ShowOther>
        </li>
      ))}
    </ul>
  )
}

/** Other items with the same text, which are not listed as results. */
function AlsoIn({ copies }: { readonly copies: FoundMemory['also_in'] }) {
  if (copies.length === 0) return null
  return (
    <details className="text-[0.8125rem]">
      <summary className="text-soft hover:text-ink w-fit font-medium select-none">
        {messages.alsoIn(copies.length)}
      </summary>
      <ul className="mt-2 flex flex-col gap-1.5">
        {copies.map(({ custom_id, source, item_id, title, when }) => (
          <li key={custom_id} className="flex min-w-0 items-center gap-2">
            <SourceIcon sourceType={source} className="text-soft size-3.5 shrink-0" />
            <Link
              href={itemPath(source, item_id)}
              className="text-accent min-w-0 truncate underline-offset-2 hover:underline"
            >
              <bdi>{shownText(title ?? sourceTitle(source))}</bdi>
            </Link>
            {when !== null && <bdi className="text-soft shrink-0">{shownText(when)}</bdi>}
          </li>
        ))}
      </ul>
    </details>
  )
}

/** About five lines. */
const SHORT = 420

/** A text, shortened until expanded. */
function LongText({ text, spans }: { readonly text: string; readonly spans: Spans }) {
  const [isOpen, setOpen] = useState(false)
  const isLong = text.length > SHORT
  return (
    <div className="max-w-prose">
      <p className={classNames(isLong && !isOpen && 'line-clamp-5')}>
        <SourceText text={text} spans={spans} />
      </p>
      {isLong && (
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="text-soft hover:text-ink mt-1 text-[0.8125rem] font-medium"
        >
          {isOpen ? messages.showLess : messages.showMore}
        </button>
      )}
    </div>
  )
}

/** Relevance, 0 to 100. */
function ScoreBar({ score }: { readonly score: number }) {
  const percent = Math.round(score * 100)
  return (
    <span className="flex shrink-0 items-center gap-2" title={messages.score(percent)}>
      <span className="sr-only">{messages.score(percent)}</span>
      <span aria-hidden className="bg-raised h-1.5 w-14 overflow-hidden rounded-full">
        <span className="bg-accent block h-full rounded-full" style={{ width: `${percent}%` }} />
      </span>
      <span aria-hidden className="w-6 text-right text-xs tabular-nums">
        {percent}
      </span>
    </span>
  )
}
