import { Fragment } from 'react'
import { type InlineRun, inlineRuns } from '../../../lib/markup/inline-runs.ts'
import { markedParts, plainWords } from '../../../lib/markup/plain-words.ts'
import { textBlocks } from '../../../lib/markup/text-blocks.ts'
import type { Flow } from '../../../lib/markup/text-flow.ts'
import { type Spans, shownText } from '../../ui/source-text.tsx'

/** A run with its marked parts. */
export function MarkedWords({
  words,
  run,
  spans,
}: {
  readonly words: Flow
  readonly run: Pick<InlineRun, 'start' | 'end'>
  readonly spans: Spans
}) {
  return markedParts(words, run, spans).map(({ start, end, isMarked }) => {
    const text = shownText(words.text.slice(start, end))
    return isMarked ? <mark key={start}>{text}</mark> : <Fragment key={start}>{text}</Fragment>
  })
}

/** Text of a source on one line without Markdown, for a row of a list. */
export function PlainLine({ text, spans = [] }: { readonly text: string; readonly spans?: Spans | undefined }) {
  // As long as before, so that marks stay where they are.
  const isCut = text.startsWith('…')
  const rest = isCut ? text.replace('…', ' ') : text
  return (
    <bdi className="[overflow-wrap:anywhere]">
      {isCut && '…'}
      {plainWords(textBlocks(rest)).map(({ words, before }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the words of a text never move
        <Fragment key={index}>
          {before}
          {inlineRuns(words.text).map((run) => (
            <MarkedWords key={run.start} words={words} run={run} spans={spans} />
          ))}
        </Fragment>
      ))}
    </bdi>
  )
}
