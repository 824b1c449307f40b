import { Sparkles } from 'lucide-react'
import { useId } from 'react'
import type { AskAnswer, FoundMemory } from '../../../http/app/schemas/recall.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CheckBox } from '../../ui/check-box.tsx'
import { Note, Skeleton } from '../../ui/notices.tsx'
import { AnswerText } from './answer-text.tsx'
import { CitationList } from './citation-list.tsx'
import { memoryKey } from './memory-key.ts'
import type { useAnswer } from './recall-calls.ts'
import { RecallProblem } from './recall-problem.tsx'

export interface AnswerPanelProps {
  /** Absent while nobody wants one. */
  readonly answer: ReturnType<typeof useAnswer> | undefined
  readonly results: readonly FoundMemory[]
  /** Leads to a result. */
  readonly onShow: (key: string) => void
  readonly onAsk: () => void
  readonly isAlwaysAsked: boolean
  readonly onAlwaysAsked: (isOn: boolean) => void
}

/** The answer to the question, with where each part of it stands. */
export function AnswerPanel({ answer, results, onShow, onAsk, isAlwaysAsked, onAlwaysAsked }: AnswerPanelProps) {
  return (
    <Card className="flex flex-col gap-4">
      <div className="flex items-center gap-2">
        <Sparkles className="text-accent size-4" aria-hidden />
        <h2 className="flex-1 font-semibold">Answer</h2>
        {answer?.data?.abstained && !answer.isFetching && <Badge tone="warn">No clear answer</Badge>}
      </div>
      {answer === undefined ? (
        <>
          <p className="text-soft text-sm">A short answer from your memory, with the passages it rests on.</p>
          <Button onClick={onAsk}>Answer it</Button>
        </>
      ) : (
        <Asked answer={answer} results={results} onShow={onShow} />
      )}
      <CheckBox checked={isAlwaysAsked} onToggle={() => onAlwaysAsked(!isAlwaysAsked)} className="text-soft gap-2">
        Answer every search, not only questions
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
      {isFetching && <Skeleton lines={4} label="Looking for an answer" />}
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
  if (abstained && citations.length === 0)
    return <p>Nothing in your memory answers this. What was found for its words, if anything, is among the results.</p>
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
