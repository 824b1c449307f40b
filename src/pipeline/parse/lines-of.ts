/** Start and end of each line, without its line end. */
export function* linesOf(text: string, start = 0, end = text.length): Generator<[number, number]> {
  for (let at = start; at < end; ) {
    const newline = text.indexOf('\n', at)
    const lineEnd = newline < 0 || newline > end ? end : newline
    yield [at, lineEnd]
    at = lineEnd + 1
  }
}
