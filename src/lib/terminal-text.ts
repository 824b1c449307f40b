import { withoutInvisible } from './without-invisible.ts'

/** Where a command reads and writes: the terminal of a person, a pipe, or a test. */
export interface Io {
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
}

/** As much of a stream as commands use. */
export interface Output {
  readonly isTTY?: boolean
  /** Characters in a line of the terminal. */
  readonly columns?: number
  write(text: string | Uint8Array): unknown
}

/** Bold, dim, six colours, and their ends: all that `styleFor` writes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal takes styles as escape sequences
const STYLE = /(\u001b\[(?:1|2|22|3[1-6]|39)m)/
/** What a terminal acts on or draws as nothing, where JSON.stringify leaves it as it is. */
const HIDDEN = /[\u007f-\u009f\u2028\u2029\ufff9-\ufffc]|\p{Default_Ignorable_Code_Point}/gu

/** Without what would rewrite a terminal or hide in it: control characters, escape sequences, bidirectional marks, tags. */
export function printable(text: string): string {
  return withoutInvisible(text)
}

/** JSON whose strings hold every character of the original, with what a terminal would act on written as `\uXXXX`. */
export function jsonText(value: unknown, indent?: number): string {
  return escapeHidden(JSON.stringify(value, null, indent))
}

/** Of a JSON text: the same value. */
export function escapeHidden(json: string): string {
  return json.replace(HIDDEN, (character) =>
    Array.from({ length: character.length }, (_, at) => escapeUnit(character.charCodeAt(at))).join(''),
  )
}

/** What others wrote reaches the terminal by many commands; here is the one place through which all text goes. */
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
