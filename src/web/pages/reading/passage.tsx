import type { ReactNode } from 'react'
import type { ItemChunk } from '../../../http/app/schemas/library.ts'
import { endsInCode } from '../../../lib/markup/text-blocks.ts'
import { classNames } from '../../ui/class-names.ts'
import { formatClock, formatFullDay } from '../../ui/formats.ts'
import { type Spans, shownText } from '../../ui/source-text.tsx'
import { ReadableText } from './readable-text.tsx'

interface PassageProps {
  readonly passage: ItemChunk
  /** The passage before it, if loaded. */
  readonly before: ItemChunk | undefined
  readonly isLit: boolean
  /** Of the item; a heading that says the same is left out. */
  readonly title?: string | undefined
  /** Whether it is of a session of an agent, where turns without a speaker are calls of tools and their output. */
  readonly isOfSession?: boolean
  /** Instead of the words of the search. */
  readonly marks?: Spans | undefined
  readonly children?: ReactNode
}

/** One passage of an item: day and heading where they change, the speaker where another one begins, and its text. */
export function Passage({ passage, before, isLit, title, isOfSession = false, marks, children }: PassageProps) {
  const { kind, text, speaker, heading, at, matches } = passage
  const isFirst = passage.ordinal === 0
  const isNewDay = at !== null && (isFirst || (before !== undefined && dayOf(before.at) !== dayOf(at)))
  const shownHeading = heading === null ? null : headingWithin(heading, title)
  const isNewHeading = shownHeading !== null && (isFirst || (before !== undefined && before.heading !== heading))
  // All passages of a document have its time.
  const time = kind === 'turn' ? at : null
  const isNewSpeaker = isFirst || isNewDay || isNewHeading || before?.speaker !== speaker
  return (
    <>
      {isNewDay && (
        <p className="text-soft mt-2 mb-1 flex items-center gap-3 px-[0.9375rem] text-xs font-medium">
          <time dateTime={at}>{formatFullDay(at)}</time>
          <span aria-hidden className="bg-line h-px flex-1" />
        </p>
      )}
      {isNewHeading && (
        <h3 className="mt-3 mb-1 px-[0.9375rem] text-sm font-semibold [overflow-wrap:anywhere]">
          <bdi>{shownText(shownHeading)}</bdi>
        </h3>
      )}
      <article
        aria-current={isLit ? 'true' : undefined}
        className={classNames(
          'rounded-r-lg border-l-3 px-3 py-1.5',
          isLit ? 'border-accent bg-lit' : 'border-transparent',
        )}
      >
        {(speaker !== null || time !== null) && isNewSpeaker && (
          <p className="mb-0.5 flex flex-wrap items-baseline gap-x-2 text-sm">
            {speaker !== null && (
              <span className="font-semibold [overflow-wrap:anywhere]">
                <bdi>{shownText(speaker)}</bdi>
              </span>
            )}
            {time !== null && (
              <time dateTime={time} className="text-soft text-xs tabular-nums">
                {formatClock(time)}
              </time>
            )}
          </p>
        )}
        <div className="max-w-[44rem]">
          <ReadableText
            text={text}
            spans={marks ?? matches}
            isOutput={isOfSession && kind === 'turn' && speaker === null}
            isInCode={before !== undefined && endsInCode(before.text)}
          />
        </div>
        {children}
      </article>
    </>
  )
}

/** `Setup > Keys` of an item named `Setup` is `Keys`; null: it only repeats the title. */
function headingWithin(heading: string, title: string | undefined): string | null {
  if (title === undefined) return heading
  if (heading === title) return null
  const path = `${title} > `
  return heading.startsWith(path) ? heading.slice(path.length) : heading
}

function dayOf(at: string | null): string {
  return at === null ? '' : formatFullDay(at)
}
