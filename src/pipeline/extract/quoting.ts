import type { Chunk } from '../../domain/document.ts'
import { HEADING_SEPARATOR } from '../segment/heading-path.ts'
import type { Passage } from './passage.ts'
import { clip, sentencesOf } from './sentences.ts'

/** Prose is quoted up to here; `body` has it all. */
const MOST_QUOTED = 700
const LONGEST_TITLE = 200

/** The first sentences of a passage, up to 700 characters; code stays in `body`. Sections after the first are named. */
export function quoteProse(passage: Passage): string {
  const sentences = passage.told.flatMap((chunk, i) => {
    const heading = i > 0 && chunk.heading !== passage.told[i - 1]?.heading ? lastHeading(chunk) : undefined
    return [...(heading ? [/[?!:.]$/.test(heading) ? heading : `${heading}:`] : []), ...sentencesOf(chunk.text)]
  })
  const quoted: string[] = []
  let length = 0
  for (const sentence of sentences) {
    if (quoted.length > 0 && length + sentence.length > MOST_QUOTED) {
      quoted.push('…')
      break
    }
    quoted.push(sentence)
    length += sentence.length
  }
  return clip(joinSentences(quoted), MOST_QUOTED + 100).replaceAll('"', "'")
}

/** The innermost heading above a chunk. */
export function lastHeading(chunk: Chunk | undefined): string | undefined {
  return chunk?.heading?.split(HEADING_SEPARATOR).at(-1)
}

/** List items and headings have no full stop; without one they would run together. */
export function joinSentences(sentences: readonly string[]): string {
  let text = ''
  for (const sentence of sentences) {
    if (text === '') text = sentence
    else if (sentence === '…' || /[.!?…:;,。！？：；、]["'”’)\]」』”）]*$/.test(text)) text += ` ${sentence}`
    // What ends with a colon begins something of its own.
    else text += `${sentence.endsWith(':') ? '.' : ';'} ${sentence}`
  }
  return text
}

/** A title fit to stand between quotation marks. */
export function quotable(title: string): string {
  return clip(title.replaceAll('"', "'"), LONGEST_TITLE)
}

/** `A, B and C`; of more than five only four by name. */
export function listed(names: readonly string[]): string {
  const shown = names.length > 5 ? [...names.slice(0, 4), `${names.length - 4} others`] : names
  return shown.length < 2 ? (shown[0] ?? '') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`
}
