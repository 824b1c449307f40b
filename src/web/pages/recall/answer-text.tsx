import { Fragment } from 'react'
import { SourceText } from '../../ui/source-text.tsx'

const MARK = /\[(\d{1,4})\]/

/** An answer, whose marks lead to what they cite. Marks that cite nothing are text of a source. */
export function AnswerText({
  text,
  numbers,
  onFollow,
}: {
  readonly text: string
  readonly numbers: readonly number[]
  readonly onFollow: (n: number) => void
}) {
  // Splitting by a pattern with a group leaves text at even and numbers at odd places.
  const parts = text.split(MARK).map((part, place, all) => ({
    at: all.slice(0, place).join('[]').length,
    part,
    n: place % 2 === 1 && numbers.includes(Number(part)) ? Number(part) : undefined,
    isMark: place % 2 === 1,
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
              aria-label={`Source ${n}`}
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
