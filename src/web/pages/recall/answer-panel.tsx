import { Sparkles } from 'lucide-react'
import { Fragment, useId } from 'react'
import { Link } from 'wouter'
import type { AskAnswer, CitedPassage, FoundMemory } from '../../../http/app/schemas/recall.ts'
import { CallError } from '../../api/call.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CheckBox } from '../../ui/check-box.tsx'
import { Note, ProblemNote, Skeleton } from '../../ui/notices.tsx'
import { openableAddress, SafeLink } from '../../ui/safe-link.tsx'
import { SourceText, shownText } from '../../ui/source-text.tsx'
import { SourceIcon, sourceTitle } from '../../ui/source-type.tsx'
import { messages } from './messages.ts'
import { itemPath, memoryKey, type useAnswer } from './recall-calls.ts'

interface AnswerPanelProps {
  /** Absent if no answer was requested. */
  readonly answer: ReturnType<typeof useAnswer> | undefined
  readonly results: readonly FoundMemory[]
  /** Scrolls to a result. */
  readonly onShow: (key: string) => void
  readonly onAsk: () => void
  readonly isAlwaysAsked: boolean
  readonly onAlwaysAsked: (isOn: boolean) => void
}

/** The answer to the question with its citations. */
export function AnswerPanel({ answer, results, onShow, onAsk, isAlwaysAsked, onAlwaysAsked }: AnswerPanelProps) {
  return (
    <Card className="flex flex-col gap-4">
      <div className="flex items-center gap-2">
        <Sparkles className="text-accent size-4" aria-hidden />
        <h2 className="flex-1 font-semibold">{messages.answer}</h2>
        {answer?.data?.abstained && !answer.isFetching && <Badge tone="warn">{messages.noClearAnswer}</Badge>}
      </div>
      {answer === undefined ? (
        <>
          <p className="text-soft text-sm">{messages.answerAbout}</p>
          <Button onClick={onAsk}>{messages.getAnswer}</Button>
        </>
      ) : (
        <Asked answer={answer} results={results} onShow={onShow} />
      )}
      <CheckBox checked={isAlwaysAsked} onToggle={() => onAlwaysAsked(!isAlwaysAsked)} className="text-soft gap-2">
        {messages.alwaysAnswer}
      </CheckBox>
    </Card>
  )
}

function Asked({
  answer: { data, error, isFetching, refetch },
  results,
  onShow,
}: Pick<AnswerPanelProps, 'results' | 'onShow'> & { readonly answer: ReturnType<typeof useAnswer> }) {
  return (
    <div aria-live="polite" aria-busy={isFetching} className="flex flex-col gap-4">
      {isFetching && <Skeleton lines={4} label={messages.answering} />}
      {error !== null && !isFetching && <RecallProblem error={error} onRetry={() => void refetch()} />}
      {data !== undefined && !isFetching && <Answer answer={data} results={results} onShow={onShow} />}
    </div>
  )
}

function Answer({
  answer: { response, abstained, citations, notice },
  results,
  onShow,
}: Pick<AnswerPanelProps, 'results' | 'onShow'> & { readonly answer: AskAnswer }) {
  const prefix = useId()
  const here = new Set(results.map(memoryKey))
  if (abstained && citations.length === 0) return <p>{messages.noAnswer}</p>
  const follow = (n: number) => {
    const cited = citations.find((citation) => citation.n === n)
    if (cited !== undefined && here.has(memoryKey(cited))) onShow(memoryKey(cited))
    else document.getElementById(`${prefix}-${n}`)?.focus()
  }
  return (
    <>
      <AnswerText text={response} numbers={citations.map(({ n }) => n)} onFollow={follow} />
      {notice !== null && <Note>{notice}</Note>}
      <CitationList citations={citations} here={here} onShow={onShow} idOf={(n) => `${prefix}-${n}`} />
    </>
  )
}

const MARK = /\[(\d{1,4})\]/

/** An answer whose marks link to their citations. Marks without a citation are plain text. */
function AnswerText({
  text,
  numbers,
  onFollow,
}: {
  readonly text: string
  readonly numbers: readonly number[]
  readonly onFollow: (n: number) => void
}) {
  // Splitting by a pattern with a group leaves text at even and numbers at odd places.
  const parts = text.split(MARK).map((part, index, all) => ({
    at: all.slice(0, index).join('[]').length,
    part,
    n: index % 2 === 1 && numbers.includes(Number(part)) ? Number(part) : undefined,
    isMark: index % 2 === 1,
  }))
  return (
    <p className="text-[0.9375rem] [overflow-wrap:anywhere]">
      {parts.map(({ at, part, n, isMark }) => (
        <Fragment key={at}>
          {n === undefined ? (
            <SourceText text={isMark ? `[${part}]` : part} />
          ) : (
            <button
              type="button"
              aria-label={messages.citation(n)}
              onClick={() => onFollow(n)}
              className="bg-accent-soft text-accent mx-0.5 inline-flex min-w-5 items-center justify-center rounded px-1 align-baseline text-xs font-semibold hover:brightness-95"
            >
              {n}
            </button>
          )}
        </Fragment>
      ))}
    </p>
  )
}

const LINK = 'text-accent underline-offset-2 hover:underline'

/** The citations of an answer: quote, source and link. */
function CitationList({
  citations,
  here,
  onShow,
  idOf,
}: {
  readonly citations: readonly CitedPassage[]
  /** Memories that are among the results, by `memoryKey`. */
  readonly here: ReadonlySet<string>
  readonly onShow: (key: string) => void
  readonly idOf: (n: number) => string
}) {
  return (
    <ol aria-label={messages.citations} className="flex flex-col gap-3 text-[0.8125rem]">
      {citations.map(({ n, source, item_id, custom_id, title, when, quote, url }) => (
        <li
          key={n}
          id={idOf(n)}
          tabIndex={-1}
          className="border-line focus:border-accent flex flex-col gap-1.5 border-l-2 pl-3 outline-none"
        >
          <p className="flex items-center gap-2">
            <span className="text-accent font-semibold tabular-nums">{n}</span>
            <SourceIcon sourceType={source} className="text-soft size-3.5 shrink-0" />
            <bdi title={shownText(title ?? '')} className="min-w-0 flex-1 truncate font-medium">
              {shownText(title ?? sourceTitle(source))}
            </bdi>
            {when !== null && <bdi className="text-soft shrink-0">{shownText(when)}</bdi>}
          </p>
          <blockquote className="text-soft line-clamp-6">
            <SourceText text={quote} />
          </blockquote>
          <p className="flex flex-wrap gap-x-4 gap-y-1">
            {here.has(memoryKey({ source, custom_id })) ? (
              <button type="button" className={LINK} onClick={() => onShow(memoryKey({ source, custom_id }))}>
                {messages.showInResults}
              </button>
            ) : (
              <Link href={itemPath(source, item_id)} className={LINK}>
                {messages.openItem}
              </Link>
            )}
            {openableAddress(url ?? undefined) !== undefined && (
              <SafeLink href={url ?? undefined}>{messages.original}</SafeLink>
            )}
          </p>
        </li>
      ))}
    </ol>
  )
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
      <Link href="/usage" className={buttonClass('secondary', 'small')}>
        {messages.openUsage}
      </Link>
    </div>
  )
}
