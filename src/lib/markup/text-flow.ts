/** Words without markup, with the position of each UTF-16 unit in the text that they are from. */
export interface Flow {
  readonly text: string
  readonly at: readonly number[]
}

/** A line, and where it begins in the text. */
export interface Line {
  readonly text: string
  readonly start: number
}

export function textLines(text: string): Line[] {
  let start = 0
  return text.split('\n').map((line) => {
    const found = { text: line.endsWith('\r') ? line.slice(0, -1) : line, start }
    start += line.length + 1
    return found
  })
}

/** The rest of a line from a position on, without spaces at both ends. */
export function trimmedLine({ text, start }: Line, from = 0): Line {
  const rest = text.slice(from)
  return { text: rest.trim(), start: start + from + rest.length - rest.trimStart().length }
}

/** @param between what follows each line but the last */
export function joinLines(lines: readonly Line[], between: (index: number) => string): Flow {
  let text = ''
  const at: number[] = []
  for (const [index, line] of lines.entries()) {
    const added = index === lines.length - 1 ? line.text : `${line.text}${between(index)}`
    text += added
    for (let unit = 0; unit < added.length; unit++) at.push(line.start + unit)
  }
  return { text, at }
}

/** Narrower lines are verses, addresses or signatures; wider ones are separate paragraphs. */
const WRAP_COLUMNS = { least: 50, most: 160 }
/** Two spaces or a backslash at the end. */
const HARD_BREAK = / {2}$|\\$/
/** Scripts that put no space between words. */
const UNSPACED = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}]/u
const SENTENCE_END = /[.!?:]$/
/** `Where: Room 26` below `When: ...`. */
const LABEL = /^\p{Lu}[\p{L}-]{1,19}: \S/u

/**
 * Joins the lines of a paragraph. A line break stays unless a program wrapped the line: if the next word would have
 * fitted into the widest line.
 */
export function unwrapped(lines: readonly Line[]): Flow {
  const trimmed = lines.map((line) => trimmedLine(line))
  const width = Math.max(...trimmed.map(({ text }) => text.length))
  const canBeWrapped = width >= WRAP_COLUMNS.least && width <= WRAP_COLUMNS.most
  return joinLines(trimmed, (index) => {
    const [line = '', next = ''] = [trimmed[index]?.text, trimmed[index + 1]?.text]
    const word = /^\S*/.exec(next)?.[0] ?? ''
    const isWrapped =
      canBeWrapped &&
      !HARD_BREAK.test(lines[index]?.text ?? '') &&
      !UNSPACED.test(line.slice(-1) + next.slice(0, 1)) &&
      !(LABEL.test(line) && LABEL.test(next)) &&
      line.length + 1 + word.length > width &&
      // "…, please?" and "Thanks" below it are two lines of a message.
      !(lines.length === 2 && SENTENCE_END.test(line))
    return isWrapped ? ' ' : '\n'
  })
}
