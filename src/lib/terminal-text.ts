import { withoutInvisible } from './without-invisible.ts'

/** Input and output of a command: a terminal, a pipe, or a test. */
export interface Io {
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The part of a stream that commands use. */
export interface Output {
  readonly isTTY?: boolean
  /** Width of the terminal in characters. */
  readonly columns?: number
  write(text: string | Uint8Array): unknown
}

/** Bold, dim, six colors, and their ends: everything that `styleFor` writes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal takes styles as escape sequences
const STYLE = /(\u001b\[(?:1|2|22|3[1-6]|39)m)/
/** Characters that a terminal interprets or hides, and that JSON.stringify leaves unchanged. */
const HIDDEN = /[\u007f-\u009f\u2028\u2029\ufff9-\ufffc]|\p{Default_Ignorable_Code_Point}/gu

/**
 * Removes what could alter a terminal or hide in it: control characters, escape sequences, bidirectional marks, tags.
 */
export function printable(text: string): string {
  return withoutInvisible(text)
}

/** JSON in which characters that a terminal interprets are written as `\uXXXX`; strings stay complete. */
export function jsonText(value: unknown, indent?: number): string {
  return escapeHidden(JSON.stringify(value, null, indent))
}

/** Escapes a JSON text without changing its value. */
export function escapeHidden(json: string): string {
  return json.replace(HIDDEN, (character) =>
    Array.from({ length: character.length }, (_, at) => escapeUnit(character.charCodeAt(at))).join(''),
  )
}

/** All text passes through here, because many commands print what others wrote. */
export function terminalIo({ stdout, stderr, env }: Io): Io {
  return { stdout: terminalOutput(stdout), stderr: terminalOutput(stderr), env }
}

function terminalOutput(output: Output): Output {
  return {
    ...(output.isTTY !== undefined && { isTTY: output.isTTY }),
    ...(output.columns !== undefined && { columns: output.columns }),
    write: (text) => output.write(typeof text === 'string' ? cleaned(text, output.isTTY === true) : text),
  }
}

function cleaned(text: string, hasStyles: boolean): string {
  if (!hasStyles) return printable(text)
  // Every second part is a style.
  return text
    .split(STYLE)
    .map((part, at) => (at % 2 === 1 ? part : printable(part)))
    .join('')
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`
}
