import { LoaderCircle, Square } from 'lucide-react'
import { useLayoutEffect, useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/notices.tsx'
import { PlainLine } from '../reading/marked-words.tsx'
import { messages } from './messages.ts'

/** Of citations, which a draft does not have yet. */
const MARKS = /\s*\[\d{1,4}\]/g

interface PendingAnswerProps {
  /** Sentences of a language model that are not proved yet; empty: none so far. */
  readonly draft: string
  readonly onStop: () => void
  /** Called when the button had the focus and is no longer needed. */
  readonly onGone: () => void
}

/** Until there is an answer: what a language model has written, and a way to stop. */
export function PendingAnswer({ draft, onStop, onGone }: PendingAnswerProps) {
  return (
    <div className="flex flex-col gap-1">
      {draft !== '' && (
        <p className="text-soft">
          <PlainLine text={draft.replace(MARKS, '')} />
        </p>
      )}
      <div className="-my-1 flex flex-wrap items-center gap-x-3">
        {draft === '' ? (
          <div className="max-w-md flex-1">
            <Skeleton lines={1} label={messages.answering} />
          </div>
        ) : (
          <p className="text-soft flex items-start gap-2 text-[0.8125rem]">
            <LoaderCircle className="mt-1 size-3.5 shrink-0 animate-spin" aria-hidden />
            {messages.checking}
          </p>
        )}
        <StopButton onStop={onStop} onGone={onGone} />
      </div>
    </div>
  )
}

function StopButton({ onStop, onGone }: Omit<PendingAnswerProps, 'draft'>) {
  const button = useRef<HTMLButtonElement>(null)
  const gone = useRef(onGone)
  useLayoutEffect(() => {
    const { current } = button
    return () => {
      if (document.activeElement === current) gone.current()
    }
  }, [])
  return (
    <Button ref={button} look="quiet" size="small" onClick={onStop} className="-ml-2.5">
      <Square aria-hidden />
      {messages.stop}
    </Button>
  )
}

export function StoppedAnswer({ onAsk }: { readonly onAsk: () => void }) {
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span role="status" className="text-soft">
        {messages.stopped}
      </span>
      <Button size="small" onClick={onAsk}>
        {messages.getAnswer}
      </Button>
    </p>
  )
}
