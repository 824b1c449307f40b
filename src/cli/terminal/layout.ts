import { styleText } from 'node:util'
import { type Io, type Output, printable } from '../../lib/terminal-text.ts'

type Look = Parameters<typeof styleText>[0]

/** Colors and weights for a terminal; plain text for a pipe, or with NO_COLOR. */
export function styleFor(output: Output, env: Io['env']): (look: Look, text: string) => string {
  // https://no-color.org: present and not empty.
  if (!output.isTTY || env.NO_COLOR || env.TERM === 'dumb') return (_, text) => text
  return (look, text) => styleText(look, text, { validateStream: false })
}

/** Characters in a line; 80 in a pipe. */
export function lineWidth(output: Output): number {
  return output.columns ?? 80
}

/** `1 memory`, `2 memories`. */
export function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}

/**
 * Lines of columns, each as wide as its widest cell. Line breaks in a cell become spaces, so that each row stays one
 * line.
 */
export function table(cells: readonly (readonly string[])[]): string {
  const rows = cells.map((row) => row.map((cell) => cell.replace(/[\t\r\n\v\f\u0085\u2028\u2029]+/g, ' ')))
  const widths: number[] = []
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, cell.length)
    })
  }
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return `${rows.map(line).join('\n')}\n`
}

/** Text broken at spaces into lines of at most `width` characters, each after `indent`. */
export function wrapped(text: string, width: number, indent: string): string {
  const room = Math.max(20, width - indent.length)
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line)
      line = word
    } else {
      line = line === '' ? word : `${line} ${word}`
    }
  }
  if (line !== '') lines.push(line)
  return lines.map((each) => `${indent}${each}\n`).join('')
}

type Style = ReturnType<typeof styleFor>

/** The terminal, or pipe, that a text is laid out for. */
export interface Page {
  readonly style: Style
  /** Characters in a line; infinite in a pipe, where no line is broken. */
  readonly width: number
  readonly now: Date
}

export function pageFor({ stdout, env }: Io, now: Date): Page {
  const width = stdout.isTTY ? (stdout.columns ?? 80) : Number.POSITIVE_INFINITY
  return { style: styleFor(stdout, env), width, now }
}

/** A sentence below the line that it belongs to, without control characters. */
export function indented(text: string, { style, width }: Page, look?: Parameters<Style>[0]): string {
  const lines = wrapped(printable(text), width, '  ')
  return look === undefined ? lines : lines.replace(/^.+$/gm, (line) => style(look, line))
}

/** At most this many characters, the last an ellipsis if the text is longer. */
export function cut(text: string, width: number): string {
  const characters = [...text]
  return characters.length <= width ? text : `${characters.slice(0, Math.max(0, width - 1)).join('')}…`
}

/** Quoted for a POSIX shell if necessary. */
export function shellWord(text: string): string {
  return /^[\w./:@+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
