import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, ChevronDown, ChevronUp, CircleArrowUp, ExternalLink } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import type { FoundMemory } from '../../../http/app/schemas/recall.ts'
import { openableAddress, outsideLink } from '../../../lib/markup/openable-address.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { formatDay } from '../../ui/formats.ts'
import { uiMessages } from '../../ui/messages.ts'
import { ProblemNote, Skeleton } from '../../ui/notices.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { SourceIcon, sourceTitle } from '../../ui/source-type.tsx'
import { formatWhen } from '../../ui/when-text.ts'
import { chunksQuery, itemQuery, PAGE_SIZE } from '../library/library-calls.ts'
import { citationText } from '../reading/citation.ts'
import { messages as reading } from '../reading/messages.ts'
import { SourcePassages } from '../reading/source-passages.tsx'
import { AgentView } from './agent-view.tsx'
import { memoryKey } from './memory-key.ts'
import { messages } from './messages.ts'
import { hitPath } from './recall-calls.ts'
import { rowPerson, rowTitle } from './result-row.tsx'

interface ReadingPaneProps {
  readonly result: FoundMemory
  /** Indexed words of the question, which are marked. */
  readonly terms: readonly string[]
  /** The results, by `memoryKey`. */
  readonly here: ReadonlySet<string>
  /** Position among the rows, from 0, and their number. */
  readonly position: number
  readonly count: number
  readonly onStep: (step: number) => void
  readonly onShow: (key: string) => void
  /** Present where the source is shown instead of the list. */
  readonly onBack: (() => void) | undefined
  readonly onPerson: (person: string) => void
  readonly onEdited: () => Promise<unknown>
}

/** The source of a result: the conversation, message or document, scrolled to the hit, and what to do with it. */
export function ReadingPane(props: ReadingPaneProps) {
  const { result, terms, onPerson, onEdited } = props
  const reference = { source: result.source, item_id: result.item_id }
  const ordinal = result.hit?.ordinal ?? result.first_chunk
  const page = useQuery(chunksQuery(reference, Math.floor(ordinal / PAGE_SIZE), terms))
  const passage = page.data?.chunks.find((chunk) => chunk.ordinal === ordinal)
  return (
    <section
      aria-label={messages.sourceOfResult}
      className="bg-sheet border-line rounded-card flex h-full min-h-0 flex-col overflow-hidden border"
    >
      <PaneHeader {...props} text={passage?.text ?? result.hit?.text ?? ''} at={passage?.at ?? result.at} />
      <OtherVersions {...props} />
      {page.error !== null && <ProblemNote error={page.error} onRetry={() => void page.refetch()} />}
      {page.data === undefined && page.error === null && (
        <div className="flex-1 p-5">
          <Skeleton lines={6} />
        </div>
      )}
      {page.data !== undefined && (
        <SourcePassages
          key={`${reference.source}/${reference.item_id}`}
          reference={reference}
          count={page.data.total}
          title={result.title ?? undefined}
          target={ordinal}
          terms={terms}
          isLit={(one) => one === ordinal}
          className="min-h-0 flex-1 overscroll-contain outline-offset-[-2px]"
        />
      )}
      <AgentView key={memoryKey(result)} result={result} onPerson={onPerson} onEdited={onEdited} />
    </section>
  )
}

function PaneHeader({
  result,
  position,
  count,
  onStep,
  onBack,
  text,
  at,
}: ReadingPaneProps & { readonly text: string; readonly at: string | null }) {
  const { source, connector } = result
  const back = useRef<HTMLButtonElement>(null)
  const hasBack = onBack !== undefined
  // On narrow screens the list, which had the focus, is gone.
  useEffect(() => {
    if (hasBack) back.current?.focus()
  }, [hasBack])
  const facts = [
    connector?.title ?? sourceTitle(source),
    rowPerson(result),
    at === null ? result.when && formatWhen(result.when) : formatDay(at),
  ]
  return (
    <header className="border-line flex shrink-0 flex-col gap-1.5 border-b px-4 py-3 sm:px-5">
      <div className="flex items-start gap-2">
        {onBack !== undefined && (
          <Button
            ref={back}
            look="quiet"
            size="small"
            className="-ml-2 px-2"
            aria-label={messages.backToResults}
            onClick={onBack}
          >
            <ArrowLeft aria-hidden />
          </Button>
        )}
        <SourceIcon sourceType={source} className="text-soft mt-1 size-4 shrink-0" />
        <h2 className="line-clamp-2 min-w-0 flex-1 font-semibold [overflow-wrap:anywhere]">
          <bdi>{shownText(rowTitle(result))}</bdi>
        </h2>
        <Steps position={position} count={count} onStep={onStep} />
      </div>
      <p className="text-soft text-[0.8125rem]">
        <bdi>{shownText(facts.filter((fact) => fact !== null).join(' · '))}</bdi>
      </p>
      <PaneActions result={result} text={text} at={at} />
    </header>
  )
}

/** To the previous and the next result. */
function Steps({ position, count, onStep }: Pick<ReadingPaneProps, 'position' | 'count' | 'onStep'>) {
  return (
    <div className="-my-0.5 -mr-1.5 flex shrink-0 items-center">
      <span className="text-soft mr-1 hidden text-xs tabular-nums sm:inline">
        {messages.position(position + 1, count)}
      </span>
      <Button
        look="quiet"
        size="small"
        className="px-1.5"
        aria-label={messages.previousResult}
        disabled={position <= 0}
        onClick={() => onStep(-1)}
      >
        <ChevronUp aria-hidden />
      </Button>
      <Button
        look="quiet"
        size="small"
        className="px-1.5"
        aria-label={messages.nextResult}
        disabled={position >= count - 1}
        onClick={() => onStep(1)}
      >
        <ChevronDown aria-hidden />
      </Button>
    </div>
  )
}

function PaneActions({
  result,
  text,
  at,
}: Pick<ReadingPaneProps, 'result'> & { readonly text: string; readonly at: string | null }) {
  const { source, item_id, url, when } = result
  const item = useQuery(itemQuery({ source, item_id }))
  const original = openableAddress(url ?? undefined)
  const location = original ?? item.data?.file_name ?? item_id
  return (
    <div className="-ml-2.5 flex flex-wrap items-center gap-x-0.5">
      <Link href={hitPath(result)} className={buttonClass('quiet', 'small')}>
        {messages.openItem}
      </Link>
      {original !== undefined && (
        <a {...outsideLink(original)} className={buttonClass('quiet', 'small')}>
          {reading.openOriginal}
          <ExternalLink aria-label={uiMessages.inNewTab} />
        </a>
      )}
      <CopyButton look="quiet" text={text} label={reading.copyPassage} />
      <CopyButton
        look="quiet"
        text={citationText({ title: rowTitle(result), person: rowPerson(result), at, when, location })}
        label={reading.copyCitation}
      />
    </div>
  )
}

/** Earlier statements that are listed at once; more of them would hide the source. */
const MOST_EARLIER = 2

/** Which newer statement replaces this one, and which earlier ones it replaces. */
function OtherVersions({ result, here, onShow }: Pick<ReadingPaneProps, 'result' | 'here' | 'onShow'>) {
  const { superseded_by: newer, supersedes } = result
  if (newer === null && supersedes.length === 0) return null
  const earlier = supersedes.map((other) => (
    <p key={memoryKey(other)} className="text-good flex flex-wrap items-center gap-x-3">
      <span className="flex items-center gap-1.5">
        <CircleArrowUp className="size-3.5 shrink-0" aria-hidden />
        <bdi>{shownText(messages.replacesFrom(other.when && formatWhen(other.when)))}</bdi>
      </span>
      <ShowOther other={other} here={here} onShow={onShow} label={messages.showEarlier} />
    </p>
  ))
  return (
    <div className="border-line flex shrink-0 flex-col gap-1 border-b px-5 py-2 text-[0.8125rem]">
      {newer !== null && (
        <p className="text-warn flex flex-wrap items-center gap-x-3">
          {messages.outdated}
          <ShowOther other={newer} here={here} onShow={onShow} label={messages.showCurrent} />
        </p>
      )}
      {supersedes.length > MOST_EARLIER ? (
        <details>
          <summary className="text-good w-fit font-medium">{messages.replacesSeveral(supersedes.length)}</summary>
          <div className="mt-1 flex max-h-40 flex-col gap-1 overflow-y-auto">{earlier}</div>
        </details>
      ) : (
        earlier
      )}
    </div>
  )
}

/** Leads to another memory: to its result if there is one, else to its item. */
function ShowOther({
  other,
  here,
  onShow,
  label,
}: Pick<ReadingPaneProps, 'here' | 'onShow'> & {
  readonly other: FoundMemory['supersedes'][number]
  readonly label: string
}) {
  const key = memoryKey(other)
  if (here.has(key))
    return (
      <button type="button" className="min-h-6 font-medium underline" onClick={() => onShow(key)}>
        {label}
      </button>
    )
  return (
    <Link href={hitPath(other)} className="font-medium text-inherit underline">
      {label}
    </Link>
  )
}
