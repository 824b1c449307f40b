import { Fragment } from 'react'
import { withoutInvisible } from '../../lib/without-invisible.ts'

/**
 * Text of a source, prepared for display. Invisible characters and those that change the text direction could disguise
 * a line, so they are removed; joiners needed by scripts and emoji stay.
 */
export function shownText(text: string): string {
  return withoutInvisible(text)
}

/** Ranges of a text, in UTF-16 units, in order and without overlaps. */
export type Spans = readonly (readonly [start: number, end: number])[]

/**
 * Text of a source, as plain text with marked ranges. It is isolated from its surroundings, so that right-to-left text
 * does not reverse them.
 */
export function SourceText({ text, spans = [] }: { readonly text: string; readonly spans?: Spans | undefined }) {
  const parts: { readonly from: number; readonly text: string; readonly isMarked: boolean }[] = []
  let at = 0
  for (const [start, end] of spans) {
    if (start < at || end > text.length || start >= end) continue
    if (start > at) parts.push({ from: at, text: text.slice(at, start), isMarked: false })
    parts.push({ from: start, text: text.slice(start, end), isMarked: true })
    at = end
  }
  if (at < text.length) parts.push({ from: at, text: text.slice(at), isMarked: false })
  return (
    <bdi className="[overflow-wrap:anywhere] whitespace-pre-wrap">
      {parts.map((part) => (
        <Fragment key={part.from}>
          {part.isMarked ? <mark>{shownText(part.text)}</mark> : shownText(part.text)}
        </Fragment>
      ))}
    </bdi>
  )
}
