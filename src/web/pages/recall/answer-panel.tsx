import { Sparkles } from 'lucide-react'
import { useRef, useState } from 'react'
import { Link } from 'wouter'
import type { AskAnswer, CitedPassage, FoundMemory } from '../../../http/app/schemas/recall.ts'
import { CallError } from '../../api/call.ts'
import { Badge } from '../../ui/badge.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { CheckBox } from '../../ui/check-box.tsx'
import { classNames } from '../../ui/class-names.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Note, ProblemNote } from '../../ui/notices.tsx'
import { ShareButton } from '../../ui/share-button.tsx'
import { SourceText } from '../../ui/source-text.tsx'
import { PlainLine } from '../reading/marked-words.tsx'
import { AnswerFeedback } from './answer-feedback.tsx'
import { type AnswerPart, answerParts, type StatedList, statedList } from './answer-parts.ts'
import { answerText } from './answer-text.ts'
import { CitationChip } from './citation-chip.tsx'
import { contextOf, type Turn } from './conversations.ts'
import { EarlierTurns } from './earlier-turns.tsx'
import { FollowUp } from './follow-up.tsx'
import { memoryKey } from './memory-key.ts'
import { messages } from './messages.ts'
import { PendingAnswer, StoppedAnswer } from './pending-answer.tsx'
import type { useAnswer } from './recall-calls.ts'

interface AnswerPanelProps {
  readonly question: string
  /** The conversation before the question. */
  readonly turns: readonly Turn[]
  /** Asks in this conversation, also an earlier question again. */
  readonly onAsk: (question: string) => void
  readonly answer: ReturnType<typeof useAnswer>
  readonly results: readonly FoundMemory[]
  /** Shows a result in the reading pane. */
  readonly onShow: (key: string) => void
  readonly isAlwaysAsked: boolean
  readonly onAlwaysAsked: (isOn: boolean) => void
}

/** The answer above the results: the newest fact first, what it replaced beneath, and citations as chips. */
export function AnswerPanel(props: AnswerPanelProps) {
  const { question, turns, onAsk, answer, results, onShow, isAlwaysAsked, onAlwaysAsked } = props
  const { data, error, isFetching, refetch, draft, stop } = answer
  const box = useRef<HTMLDivElement>(null)
  const ask = (next: string) => {
    // What was chosen or typed into goes away.
    box.current?.focus()
    onAsk(next)
  }
  return (
    <section
      aria-labelledby="answer-title"
      className="bg-sheet border-line rounded-card flex shrink-0 items-start gap-x-3 gap-y-2 border px-4 py-3 max-lg:flex-wrap"
    >
      <Sparkles className="text-accent mt-1 size-4 shrink-0" aria-hidden />
      <h2 id="answer-title" className="sr-only">
        {messages.answer}
      </h2>
      <div ref={box} tabIndex={-1} className="min-w-0 flex-1 outline-none">
        {turns.length > 0 && <EarlierTurns turns={turns} question={question} onChoose={ask} />}
        {isFetching && <PendingAnswer draft={draft} onStop={() => void stop()} onGone={() => box.current?.focus()} />}
        {data === undefined && error === null && !isFetching && <StoppedAnswer onAsk={() => void refetch()} />}
        <div aria-live="polite">
          {error !== null && !isFetching && <RecallProblem error={error} onRetry={() => void refetch()} />}
          {data !== undefined && !isFetching && (
            <Answer key={data.response} answer={data} results={results} onShow={onShow} />
          )}
        </div>
        {data !== undefined && !isFetching && (
          <div className="-ml-2 flex flex-wrap items-start gap-1">
            <FollowUp key={question} onAsk={ask} />
            <CopyButton
              look="quiet"
              className="max-sm:[&_span]:sr-only"
              text={answerText(question, data, window.location.origin)}
              label={messages.copyAnswer}
            />
            <ShareButton title={question} text={answerText(question, data, window.location.origin)} />
            <AnswerFeedback
              key={JSON.stringify([question, contextOf(turns)])}
              question={question}
              context={contextOf(turns)}
              answer={data}
              results={results}
            />
          </div>
        )}
      </div>
      <CheckBox
        checked={isAlwaysAsked}
        onToggle={() => onAlwaysAsked(!isAlwaysAsked)}
        className="text-soft shrink-0 gap-2 max-lg:basis-full max-lg:pl-7 max-sm:hidden"
      >
        {messages.alwaysAnswer}
      </CheckBox>
    </section>
  )
}

function Answer({
  answer: { response, abstained, citations, notice },
  results,
  onShow,
}: Pick<AnswerPanelProps, 'results' | 'onShow'> & { readonly answer: AskAnswer }) {
  const [isOpen, setOpen] = useState(false)
  if (abstained && citations.length === 0) {
    return (
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <Badge tone="warn">{messages.noClearAnswer}</Badge>
        <span className="text-soft">{messages.noAnswer}</span>
      </p>
    )
  }
  const outdated = new Set(results.flatMap((one) => (one.superseded_by === null ? [] : [memoryKey(one)])))
  const byNumber = new Map(citations.map((citation) => [citation.n, citation]))
  const isOutdated = (n: number) => {
    const cited = byNumber.get(n)
    return cited !== undefined && outdated.has(memoryKey(cited))
  }
  const [first, ...rest] = answerParts(response, [...byNumber.keys()], isOutdated)
  const later = rest.filter(({ isEarlier }) => !isEarlier)
  const [earlier, ...earliest] = rest.filter(({ isEarlier }) => isEarlier)
  // Behind the first line, which says that there is none, are the closest passages.
  const closest = abstained ? later : []
  // It says what the badge says, but in English only.
  const isOpening = closest.length > 0 && first?.citations.length === 0
  const isLong = [isOpening ? undefined : first, ...closest].some((part) => part !== undefined && isClamped(part))
  const hasMore = later.length > closest.length || earliest.length > 0 || isLong
  return (
    <div className="flex flex-col gap-1.5">
      {abstained && (
        <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
          <Badge tone="warn">{messages.noClearAnswer}</Badge>
          {isOpening && <span className="text-soft">{messages.closest(citations.length)}</span>}
        </p>
      )}
      {!isOpening && first && <Statement part={first} isShort={!isOpen} />}
      <Statements parts={isOpen ? later : closest} isShort={!isOpen} />
      {earlier && <Statement part={earlier} isShort={!isOpen} />}
      {isOpen && <Statements parts={earliest} isShort={false} />}
      {notice !== null && <Note>{notice}</Note>}
      <div className="relative -m-1 flex items-center gap-1.5 p-1 max-lg:overflow-x-auto lg:flex-wrap [&>*]:shrink-0">
        {hasMore && (
          // Before the chips, which scroll sideways on a phone, so that nobody has to look for it.
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
            className="text-soft hover:text-ink min-h-6 px-1 text-[0.8125rem] font-medium"
          >
            {isOpen ? messages.showLess : messages.showMore}
          </button>
        )}
        <CitationChips citations={citations} results={results} onShow={onShow} />
      </div>
    </div>
  )
}

function CitationChips({
  citations,
  results,
  onShow,
}: Pick<AnswerPanelProps, 'results' | 'onShow'> & Pick<AskAnswer, 'citations'>) {
  return citations.map((citation, index) => (
    <CitationChip
      key={citation.n}
      citation={citation}
      isFurther={isOfSameItem(citation, citations[index - 1])}
      results={results}
      onShow={onShow}
    />
  ))
}

function isOfSameItem({ source, item_id }: CitedPassage, before: CitedPassage | undefined): boolean {
  return before?.source === source && before.item_id === item_id
}

/** Characters that always fit: two lines on a tablet, four on a phone. */
const LINE = 110
/** As wide as two others. */
const WIDE = /[\u2e80-\uffef]/g
/** Of code that is shown at once. */
const LINES = 3

function isClamped({ text, code = '' }: AnswerPart): boolean {
  return text.length + (text.match(WIDE)?.length ?? 0) > LINE || code.split('\n').length > LINES
}

function Statements({ parts, isShort }: { readonly parts: readonly AnswerPart[]; readonly isShort: boolean }) {
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the statements of an answer never move, and may be the same
    <Statement key={index} part={part} isShort={isShort} />
  ))
}

interface StatementProps {
  readonly part: AnswerPart
  readonly isShort: boolean
}

/** A statement of the answer with its code; the numbers in it are those of the chips below. */
function Statement({ part, isShort }: StatementProps) {
  const { text, code, citations, isEarlier } = part
  const list = isShort ? undefined : statedList(text)
  return (
    <>
      {list === undefined ? (
        text !== '' && <LineStatement part={part} isShort={isShort} />
      ) : (
        <ListStatement list={list} citations={citations} isEarlier={isEarlier} />
      )}
      {code !== undefined && (
        <pre
          className={classNames(
            'bg-raised rounded-lg px-3 py-2 text-[0.8125rem] whitespace-pre-wrap [overflow-wrap:anywhere]',
            isShort && 'line-clamp-3',
          )}
        >
          <SourceText text={code} />
        </pre>
      )}
    </>
  )
}

function LineStatement({ part: { text, citations, isEarlier }, isShort }: StatementProps) {
  return (
    <p
      className={classNames(
        '[overflow-wrap:anywhere]',
        isEarlier && 'text-soft text-sm',
        isShort && (isEarlier ? 'line-clamp-1 max-sm:line-clamp-2' : 'line-clamp-2 max-sm:line-clamp-4'),
      )}
    >
      {isEarlier && <span className="font-medium">{messages.earlier} </span>}
      <PlainLine text={text} />
      <Marks citations={citations} />
    </p>
  )
}

function ListStatement({
  list: { opening, entries },
  citations,
  isEarlier,
}: Pick<AnswerPart, 'citations' | 'isEarlier'> & { readonly list: StatedList }) {
  const isOneEach = entries.length === citations.length
  const marks = (index: number) =>
    isOneEach ? citations.slice(index, index + 1) : index === entries.length - 1 ? citations : []
  return (
    <div className={classNames('[overflow-wrap:anywhere]', isEarlier && 'text-soft text-sm')}>
      {isEarlier && <span className="font-medium">{messages.earlier} </span>}
      <PlainLine text={opening} />
      <ul className="list-disc ps-5">
        {entries.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the entries of an answer never move
          <li key={index}>
            <PlainLine text={entry} />
            <Marks citations={marks(index)} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function Marks({ citations }: Pick<AnswerPart, 'citations'>) {
  return citations.map((n) => (
    <sup key={n} className="text-accent ml-1 text-[0.6875rem] font-semibold">
      {n}
    </sup>
  ))
}

const TOO_MANY = messages.tooManyQuestions

/** What did not work, and what helps. */
export function RecallProblem({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  const status = error instanceof CallError ? error.status : 0
  if (status === 429) return <ProblemNote error={new Error(TOO_MANY)} onRetry={onRetry} />
  if (status !== 402) return <ProblemNote error={error} onRetry={onRetry} />
  return (
    <div className="flex flex-col items-start gap-3">
      <ProblemNote error={error} onRetry={onRetry} />
      <Link href="/settings/usage" className={buttonClass('secondary', 'small')}>
        {messages.openUsage}
      </Link>
    </div>
  )
}
