import { useMutation } from '@tanstack/react-query'
import { ThumbsDown, ThumbsUp } from 'lucide-react'
import { useState } from 'react'
import type { NewGoldenQuestion } from '../../../http/app/schemas/golden.ts'
import type { AskAnswer, FoundMemory } from '../../../http/app/schemas/recall.ts'
import { call } from '../../api/call.ts'
import { useSendOnce } from '../../api/use-send-once.ts'
import { Button } from '../../ui/button.tsx'
import { ProblemNote } from '../../ui/notices.tsx'
import { shownText } from '../../ui/source-text.tsx'
import { SourceIcon, sourceTitle } from '../../ui/source-type.tsx'
import { messages } from './messages.ts'
import { resultItemKey } from './result-rows.ts'

type Item = NewGoldenQuestion['items'][number]

const MOST_OFFERED = 6

interface FeedbackProps {
  readonly question: string
  /** The conversation before a follow-up; empty for a first question. */
  readonly context: string
  readonly answer: AskAnswer
  readonly results: readonly FoundMemory[]
}

/**
 * Whether an answer is useful or wrong. The question is then kept with the items that answer it, so that a worse ranking
 * shows up.
 */
export function AnswerFeedback({ question, context, answer, results }: FeedbackProps) {
  const [isWrong, setWrong] = useState(false)
  const { keep, undo } = useGolden(question, context)
  const send = useSendOnce(keep)
  const cited = answer.citations.map(({ source, item_id }) => ({ source, item_id }))
  const error = keep.error ?? undo.error
  if (keep.isSuccess) {
    return (
      <p role="status" className="text-soft flex flex-wrap items-center gap-x-2 text-[0.8125rem]">
        {messages.goldenKept}
        <Button look="quiet" size="small" busy={undo.isPending} onClick={() => undo.mutate(keep.data.number)}>
          {messages.undo}
        </Button>
      </p>
    )
  }
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-center gap-1">
        {cited.length > 0 && (
          <Button
            look="quiet"
            size="small"
            aria-label={messages.useful}
            title={messages.useful}
            busy={keep.isPending}
            onClick={() => send(distinct(cited))}
          >
            <ThumbsUp aria-hidden />
          </Button>
        )}
        <Button
          look="quiet"
          size="small"
          aria-label={messages.wrong}
          title={messages.wrong}
          aria-expanded={isWrong}
          onClick={() => setWrong(!isWrong)}
        >
          <ThumbsDown aria-hidden />
        </Button>
      </div>
      {error !== null && <ProblemNote error={error} />}
      {isWrong && <RightItem results={results} onChoose={(item) => send([item])} />}
    </div>
  )
}

/** Which of the results answers the question. */
function RightItem({
  results,
  onChoose,
}: {
  readonly results: readonly FoundMemory[]
  readonly onChoose: (item: Item) => void
}) {
  const items = [...new Map(results.map((result) => [resultItemKey(result), result])).values()].slice(0, MOST_OFFERED)
  if (items.length === 0) return <p className="text-soft text-sm">{messages.noRightItem}</p>
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="text-soft mb-1 text-[0.8125rem]">{messages.rightItem}</legend>
      {items.map(({ source, item_id, title, hit }) => (
        <Button
          key={`${source} ${item_id}`}
          size="small"
          className="h-auto max-w-full justify-start py-1.5 text-left whitespace-normal"
          onClick={() => onChoose({ source, item_id })}
        >
          <SourceIcon sourceType={source} className="text-soft size-4 shrink-0" />
          <bdi className="line-clamp-2">{shownText(title ?? hit?.text ?? sourceTitle(source))}</bdi>
        </Button>
      ))}
    </fieldset>
  )
}

function useGolden(question: string, context: string) {
  const keep = useMutation({
    mutationFn: (items: readonly Item[]) =>
      call('POST /golden', { body: { question, items: [...items], ...(context !== '' && { context }) } }),
  })
  const undo = useMutation({
    mutationFn: (number: number) => call('DELETE /golden/:number', { params: { number: String(number) } }),
    onSuccess: () => keep.reset(),
  })
  return { keep, undo }
}

function distinct(items: readonly Item[]): Item[] {
  return [...new Map(items.map((item) => [`${item.source} ${item.item_id}`, item])).values()]
}
