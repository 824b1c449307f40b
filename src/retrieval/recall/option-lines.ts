import { BEHIND_SENTENCES } from './code-lines.ts'

/** `-o PATH`, `--output=FILE`, `-p port`, `--out <file>`, `--color[=WHEN]`, `-f, --force`, with what it does behind two spaces or more. */
const OPTION =
  /^\s{0,12}(-{1,2}[\p{L}\p{N}][\p{L}\p{N}-]*(?:[, ] ?-{1,2}[\p{L}\p{N}][\p{L}\p{N}-]*)?(?:[ =][<[]?[\p{Lu}\p{N}_.-]+[>\]]?|[ =]<[^<>\s]{1,40}>|\[=[^[\]\s]{1,40}\]|[ =]\p{Ll}[\p{L}\p{N}_-]{0,30})?)(?:\s{2,}(\S.*))?$/u
/** An option by its name: `-f`, `--no-force`. */
const NAMED = /(?<![\p{L}\p{N}_-])-{1,2}\p{L}[\p{L}\p{N}-]*/gu
const FENCE = /^\s*(?:```|~~~)/
const INDENT = /^\s*/
const MOST_LINES = 8
const MOST_CHARACTERS = 400
/** Position of the first option of a passage, behind its commands. */
const BEHIND_COMMANDS = 2 * BEHIND_SENTENCES

/** The options that the help of a command describes in code blocks, as sentences: `-parallelism NUM Number of parallel downloads. Defaults to 8` */
export function optionSentences(
  text: string,
  question: string,
): { readonly text: string; readonly position: number }[] {
  return optionLines(text, question).map((option, i) => ({ text: option, position: BEHIND_COMMANDS + i }))
}

/** Each option with the indented lines below it, as one line; only those that a question names, if it names any: `--no-force` is the opposite of `--force`. */
export function optionLines(text: string, question: string): string[] {
  const asked: readonly string[] = question.match(NAMED) ?? []
  const options: string[] = []
  const lines = text.split('\n')
  let isCode = false
  for (const [at, line] of lines.entries()) {
    if (FENCE.test(line)) isCode = !isCode
    const [, option, description] = isCode ? (OPTION.exec(line) ?? []) : []
    if (option === undefined) continue
    if (asked.length > 0 && !option.match(NAMED)?.some((name) => asked.includes(name))) continue
    const below = linesBelow(lines.slice(at + 1, at + 1 + MOST_LINES), indentOf(line))
    const whole = [option, ...(description === undefined ? [] : [description]), ...below].join(' ')
    if (whole !== option && whole.length <= MOST_CHARACTERS) options.push(whole)
  }
  return options
}

/** The lines that describe an option: those that are indented more. */
function linesBelow(lines: readonly string[], indent: number): string[] {
  const end = lines.findIndex(
    (line) => line.trim() === '' || indentOf(line) <= indent || FENCE.test(line) || OPTION.test(line),
  )
  return (end < 0 ? lines : lines.slice(0, end)).map((line) => line.trim())
}

function indentOf(line: string): number {
  return INDENT.exec(line)?.[0].length ?? 0
}
