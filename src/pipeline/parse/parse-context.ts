import type { Block, DocumentKind, DocumentMeta, Skip, SkipReason, SourceFile } from '../../domain/document.ts'
import { redactSecrets } from '../redact.ts'

/** The text of one file with its structure. */
export interface Draft {
  readonly kind: DocumentKind
  readonly text: string
  readonly blocks: readonly Block[]
  readonly meta: DocumentMeta
}

/** Passed to every reader: the file, and the record of skips. */
export interface ParseContext {
  readonly file: SourceFile
  /** Redacts every decoded text before it is split into blocks. */
  redact(text: string): string
  /** @param noun singular; an `s` makes the plural */
  skip(reason: SkipReason, count: number, noun: string, suffix?: string): void
  skips(): Skip[]
}

export function createParseContext(file: SourceFile): ParseContext {
  const counts = new Map<string, { reason: SkipReason; count: number; noun: string; suffix: string }>()
  const skip: ParseContext['skip'] = (reason, count, noun, suffix = '') => {
    if (count <= 0) return
    const key = `${reason} ${noun}`
    const entry = counts.get(key)
    if (entry) entry.count += count
    else counts.set(key, { reason, count, noun, suffix })
  }
  return {
    file,
    redact(text) {
      const { text: clean, found } = redactSecrets(text)
      for (const { kind, count } of found) skip('secret_redacted', count, kind, ' redacted')
      return clean
    },
    skip,
    skips() {
      return [...counts.values()].map(({ reason, count, noun, suffix }) => {
        const plural =
          count === 1
            ? noun
            : noun
                .replace(/y$/, 'ie')
                .replace(/([sx])$/, '$1e')
                .concat('s')
        return { reason, count, detail: `${count} ${plural}${suffix}` }
      })
    },
  }
}

/** Counts a line that is damaged, or in an unknown format. */
export function skipUnreadableLine(context: ParseContext): void {
  context.skip('unreadable', 1, 'unreadable line')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is replaced
const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g

/**
 * UTF-8 to text: byte order mark stripped, line ends `\n`, other control characters a space.
 * `undefined` when the bytes are not valid UTF-8.
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return cleanText(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

/** A missing, unknown or non-ASCII-based charset is no information; most text in other encodings is Western. */
export function decodeCharset(bytes: Uint8Array, charset: string | undefined): string {
  const known = charset !== undefined && !/^(?:us-ascii|utf-?\d+.*|iso-2022.*)$/i.test(charset)
  try {
    return new TextDecoder(known ? charset : 'windows-1252').decode(bytes)
  } catch (error) {
    if (error instanceof RangeError) return new TextDecoder('windows-1252').decode(bytes)
    throw error
  }
}

/** The same clean-up for text decoded by the reader. */
export function cleanText(text: string): string {
  const lines = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
  return lines.replace(CONTROL, ' ')
}

/** Start and end of each line, without its line end. */
export function* lineRanges(text: string, start = 0, end = text.length): Generator<[number, number]> {
  for (let at = start; at < end; ) {
    const newline = text.indexOf('\n', at)
    const lineEnd = newline < 0 || newline > end ? end : newline
    yield [at, lineEnd]
    at = lineEnd + 1
  }
}
