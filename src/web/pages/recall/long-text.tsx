import { useState } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { SourceText, type Spans } from '../../ui/source-text.tsx'

/** About what five lines hold. */
const SHORT = 420

/** A text of a source; of a long one the beginning, until somebody wants it all. */
export function LongText({ text, spans }: { readonly text: string; readonly spans: Spans }) {
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
          {isOpen ? 'Less' : 'More'}
        </button>
      )}
    </div>
  )
}
