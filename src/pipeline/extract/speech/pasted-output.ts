import type { Chunk, DocumentKind } from '../../../domain/document.ts'
import { clip } from '../../../lib/sentences.ts'
import type { Passage } from '../passages.ts'

/** What a terminal or a program wrote is shared by people in these; in documents it is what they are about. */
const SPOKEN: ReadonlySet<DocumentKind> = new Set(['agent', 'chat', 'transcript', 'email', 'issue'])

const PROMPT =
  /^\s*(?:\([\w.-]+\) )?(?:[\w.-]+@[\w.-]+[: ][^\s$#%]* ?[$#%]|[$❯➜]|PS [A-Z]:\\[^>\n]*>|[A-Z]:\\[^>\n]*>)[ \t]+(?=[a-z./~_])(?!\S+:\d+(?::\d+)?$)(\S[^\n]*)$/
const FRAME =
  /^\s*at [\w$.<>[\]/ ]+\(?[^()\s]*:\d+(?::\d+)?\)?$|^\s*File "[^"\n]+", line \d+|^Traceback \(most recent call last\)/
/** `TypeError: x is not a function`, `psycopg2.errors.UniqueViolation: ...`, `Cart.cs(41,17): error CS0103: ...`. */
const FAILURE =
  /^\s*(?:[\w.-]+\s+\| +)?(?:Uncaught |Unhandled |Caused by: |Exception in thread "[^"\n]*" )?((?:(?:[\w$]+[.\\])*[A-Z]\w*(?:Error|Exception)(?: \[[\w-]+\])?|(?:[\w$]+\.){2,}[A-Z]\w+): \S[^\n]*)|: error [A-Z]{1,4}\d+: (\S[^\n]*)/
const LOGGED =
  /^\[?(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d\S{0,12}[^\n]{0,60}?\b(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL)\b\]?[: ]*([^\n]*)/
const LOGGED_FAILURE = /\b(?:ERROR|FATAL)\b/
/** Of a program only if it stands among other lines. */
const STATED_FAILURE = /^\s*(?:[\w.-]+\s+\| +)?(?:(?:npm )?ERR!|error(?:\[\w+\])?:|fatal:|panic:) ?(\S[^\n]*)/i
const ANCHORS = [PROMPT, FRAME, FAILURE, LOGGED]
/** Checked first because that is much faster. */
const MAY_BE_OUTPUT =
  /^[^\n]{0,60}[$#%❯➜>][ \t]+[a-z./~_]|^\s*(?:at |File "|Traceback )|(?:Error|Exception)(?: \[[\w-]+\])?: |\w\.[A-Z]\w+: |: error [A-Z]|\b(?:INFO|WARN|ERROR|DEBUG|FATAL)\b/m
/** Signs of a program at the start of a line, or columns. */
const OF_PROGRAM =
  /^\s*(?:[>✓✔✗✘×❯●⎯│|+!]|\[[^\]\n]*\]|\d+[ %:|/]|(?:hint|note|warning|info|debug|error|npm)\b)|\S {2,}\S|\S\t|[\w-]+\.\w{1,4}[:(]\d|^[^\p{L}]*$/iu
const SAID = /[?？]\s*$|(?<!\p{L})(?:I|I['’]m|we|why|please|can you|could you)(?!\p{L})/iu
// Together with the words around them, as many as are read of what was shared.
const LONGEST_FAILURE = 85
const LONGEST_COMMAND = 40

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
    const read = goesOn || MAY_BE_OUTPUT.test(chunk.text) ? withoutOutput(chunk.text, goesOn) : undefined
    isOpen = read?.isOpen ?? false
    if (read === undefined || read.text === chunk.text) return chunk
    isChanged = true
    return { ...chunk, text: read.text }
  })
  return isChanged ? { ...passage, chunks } : passage
}

/** `npm test gives`, `I get:`: nothing without what stands below it. */
const LEADS =
  /^[^\n.!?]{0,40}(?:gives?|says?|shows?|prints?|(?:I|we) (?:now )?(?:get|got)|fails? with|output|log)(?: this| me)?[: ]*$/i

interface Shared {
  command?: string | undefined
  failure?: string | undefined
}

/** @param goesOn whether it begins within the output of the chunk before */
function withoutOutput(text: string, goesOn: boolean): { readonly text: string; readonly isOpen: boolean } {
  const kept: string[] = []
  let open: Shared | undefined = goesOn ? {} : undefined
  let isFenced = false
  const close = (shared: Shared) => {
    const words = sharedWords(shared)
    if (words !== undefined) kept.push(`[shares ${words}]`)
  }
  for (const paragraph of text.split(/\n[ \t]*\n/)) {
    const hasFence = /^\s*(?:```|~~~)/m.test(paragraph)
    const lines = paragraph.split('\n')
    const from = hasFence || isFenced ? -1 : outputStart(lines, open !== undefined)
    if ((paragraph.match(/^\s*(?:```|~~~)/gm)?.length ?? 0) % 2 === 1) isFenced = !isFenced
    if (from < 0) {
      if (open) close(open)
      open = undefined
      kept.push(paragraph)
      continue
    }
    const to = outputEnd(lines, from)
    if (from > 0) kept.push(lines.slice(0, from).join('\n'))
    if (LEADS.test(kept.at(-1) ?? '')) kept.pop()
    open = withLines(open ?? {}, lines.slice(from, to))
    if (to < lines.length) {
      close(open)
      open = undefined
      kept.push(lines.slice(to).join('\n'))
    }
  }
  const isOpen = open !== undefined
  if (open) close(open)
  return { text: kept.join('\n\n'), isOpen }
}

/** The first line of a paragraph that a program wrote; -1 if there is none. */
function outputStart(lines: readonly string[], goesOn: boolean): number {
  const first = lines.findIndex((line) => ANCHORS.some((pattern) => pattern.test(line)))
  const isStated = lines.length > 1 && lines.some((line) => STATED_FAILURE.test(line))
  if (goesOn && (first >= 0 || isStated || lines.every((line) => OF_PROGRAM.test(line)))) return 0
  let start = first
  while (start > 0 && OF_PROGRAM.test(lines[start - 1]!)) start--
  return start
}

/** The end of the output: a last line with a question or an "I" was written below it. */
function outputEnd(lines: readonly string[], from: number): number {
  let end = lines.length
  while (end > from + 1) {
    const line = lines[end - 1]!
    if (OF_PROGRAM.test(line) || ANCHORS.some((pattern) => pattern.test(line)) || !SAID.test(line)) break
    end--
  }
  return end
}

function withLines({ command, failure }: Shared, lines: readonly string[]): Shared {
  const typed = lines.map((line) => PROMPT.exec(line)?.[1]).find((one) => one !== undefined)
  const thrown = lines.map((line) => FAILURE.exec(line)).find((match) => match !== null)
  const logged = lines
    .map((line) => (LOGGED_FAILURE.test(line) ? LOGGED.exec(line)?.[1] : undefined))
    .find((one) => one)
  const stated = lines.map((line) => STATED_FAILURE.exec(line)?.[1]).find((one) => one !== undefined)
  return { command: command ?? typed, failure: failure ?? thrown?.[1] ?? thrown?.[2] ?? logged ?? stated }
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
