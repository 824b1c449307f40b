import { type Io, printable } from '../lib/terminal-text.ts'
import { styleFor, wrapped } from './style.ts'

type Style = ReturnType<typeof styleFor>

/** What a text for standard output is laid out for. */
export interface Page {
  readonly style: Style
  /** Characters in a line; infinite where lines are not to be broken, as in a pipe. */
  readonly width: number
  readonly now: Date
}

export function pageFor({ stdout, env }: Io, now: Date): Page {
  const width = stdout.isTTY ? (stdout.columns ?? 80) : Number.POSITIVE_INFINITY
  return { style: styleFor(stdout, env), width, now }
}

/** A sentence that others had a part in, below a line that it belongs to. */
export function indented(text: string, { style, width }: Page, look?: Parameters<Style>[0]): string {
  const lines = wrapped(printable(text), width, '  ')
  return look === undefined ? lines : lines.replace(/^.+$/gm, (line) => style(look, line))
}

/** At most this many characters, the last an ellipsis where some are left out. */
export function cut(text: string, width: number): string {
  const characters = [...text]
  return characters.length <= width ? text : `${characters.slice(0, Math.max(0, width - 1)).join('')}…`
}
