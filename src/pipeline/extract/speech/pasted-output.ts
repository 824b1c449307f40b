import type { Chunk, DocumentKind } from '../../../domain/document.ts'
import { clip } from '../../../lib/sentences.ts'
import type { Passage } from '../passages.ts'
import {
  commandOf,
  failureOf,
  isStatedFailure,
  isSurelyOutput,
  kindOfLine,
  loggedFailureOf,
  mayBeProse,
  mayHoldOutput,
  statedFailureOf,
} from './output-lines.ts'

/** What a terminal or a program wrote is shared by people in these; in documents it is what they are about. */
const SPOKEN: ReadonlySet<DocumentKind> = new Set(['agent', 'chat', 'transcript', 'email', 'issue'])

// Together with the words around them, as many as are read of what was shared.
const LONGEST_FAILURE = 160
const LONGEST_COMMAND = 60

/**
 * The passage with `[shares the output of "npm run build" with the error "..."]` in place of what was pasted from a
 * terminal or a log, which nobody said.
 */
export function withOutputsShared(passage: Passage, kind: DocumentKind): Passage {
  if (!SPOKEN.has(kind)) return passage
  let before: Chunk | undefined
  let isOpen = false
  let isChanged = false
  const chunks = passage.chunks.map((chunk) => {
    const goesOn = isOpen && before?.speaker === chunk.speaker && before?.at?.getTime() === chunk.at?.getTime()
    before = chunk
    const read = goesOn || mayHoldOutput(chunk.text) ? withoutOutput(chunk.text, goesOn) : undefined
    isOpen = read?.isOpen ?? false
    if (read === undefined || read.text === chunk.text) return chunk
    isChanged = true
    return { ...chunk, text: read.text }
  })
  return isChanged ? { ...passage, chunks } : passage
}

/** `npm test gives`, `I get:`: nothing without what stands below it. */
const LEADS =
  /^(?:(?:and|but|so|now|then|here|still) )*(?:(?:I|we|it|this|that|the (?:build|test|tests|console|terminal|command|log|output)|(?:npm|git|docker|cargo|pnpm|yarn|npx) [\w :-]{1,30}?) (?:now )?(?:gives?|says?|shows?|prints?|get|got|fails? with)(?: this| me)?|(?:the |this |my )?(?:output|log)(?: is)?)[: ]*$/i

interface Shared {
  command?: string | undefined
  failure?: string | undefined
}

/** @param goesOn whether it begins within the output of the chunk before */
function withoutOutput(text: string, goesOn: boolean): { readonly text: string; readonly isOpen: boolean } {
  const kept: string[] = []
  let open: Shared | undefined = goesOn ? {} : undefined
  let isFenced = false
  const close = () => {
    const words = open && sharedWords(open)
    if (words !== undefined) kept.push(`[shares ${words}]`)
    open = undefined
  }
  for (const paragraph of text.split(/\n[ \t]*\n/)) {
    const fences = paragraph.match(/^\s*(?:```|~~~)/gm)?.length ?? 0
    const isCode = fences > 0 || isFenced
    if (fences % 2 === 1) isFenced = !isFenced
    for (const { lines, isOutput } of isCode
      ? [proseOf(paragraph)]
      : partsOf(paragraph.split('\n'), open !== undefined)) {
      if (!isOutput) {
        close()
        kept.push(lines.join('\n'))
      } else {
        if (open === undefined && LEADS.test(kept.at(-1) ?? '')) kept.pop()
        open = withLines(open ?? {}, lines)
      }
    }
  }
  const isOpen = open !== undefined
  close()
  return { text: kept.join('\n\n'), isOpen }
}

interface Part {
  readonly lines: readonly string[]
  readonly isOutput: boolean
}

function proseOf(paragraph: string): Part {
  return { lines: [paragraph], isOutput: false }
}

/** The lines of a paragraph that a program wrote and those that a person wrote, in order. */
function partsOf(lines: readonly string[], goesOn: boolean): Part[] {
  const kinds = lines.map(kindOfLine)
  const isSure = lines.map((line) => isSurelyOutput(line) || (goesOn && lines.length > 1 && isStatedFailure(line)))
  const isRest =
    goesOn && lines.every((line, i) => kinds[i] === 'output' || (kinds[i] === 'either' && !mayBeProse(line)))
  if (!isSure.includes(true) && !isRest) return [{ lines, isOutput: false }]
  // Output begins with a sure line, and with marked ones directly above it.
  let start = goesOn ? 0 : isSure.indexOf(true)
  while (start > 0 && kinds[start - 1] === 'output') start--
  const last = kinds.lastIndexOf('output')
  const parts: { lines: string[]; isOutput: boolean }[] = []
  lines.forEach((line, i) => {
    const isOutput = i >= start && (kinds[i] === 'output' || (kinds[i] === 'either' && (i < last || !mayBeProse(line))))
    const before = parts.at(-1)
    if (before?.isOutput === isOutput) before.lines.push(line)
    else parts.push({ lines: [line], isOutput })
  })
  return parts
}

function withLines({ command, failure }: Shared, lines: readonly string[]): Shared {
  const first = (read: (line: string) => string | undefined) => lines.map(read).find((one) => one !== undefined)
  return {
    command: command ?? first(commandOf),
    failure: failure ?? first(failureOf) ?? first(loggedFailureOf) ?? first(statedFailureOf),
  }
}

function sharedWords({ command, failure }: Shared): string | undefined {
  const error = failure === undefined ? undefined : `the error "${bare(failure, LONGEST_FAILURE)}"`
  if (command !== undefined) return `the output of "${bare(command, LONGEST_COMMAND)}"${error ? ` with ${error}` : ''}`
  return error ?? 'a log'
}

/** In one line that can stand in quotation marks and brackets. */
function bare(words: string, longest: number): string {
  return clip(
    words
      .replace(/[[\]]/g, '')
      .replaceAll('"', "'")
      .replace(/\s+/g, ' ')
      .replace(/([.!?]) (?=\S)/g, '; ')
      .trim(),
    longest,
  )
}
