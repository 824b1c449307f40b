/** Lines that a program continues: of a list, a table, a quotation or code. */
const MARKED = /^\s*(?:[-*+•–>|#]|\d{1,3}[.)]\s|```|~~~)|\S {3,}\S|\|/
/** A line that goes on in the next one. */
export const GOES_ON =
  /(?:[,(–—-]|(?<!\p{L})(?:and|or|the|a|an|of|to|for|with|in|on|und|oder|der|die|das|mit|für|et|de|la|le|y|el))$/iu

/** Entries of lists are shorter; a longer line without a final mark goes on in the next one, however long that is. */
const LONGEST_ENTRY = 60
/** With so many lines of less than half the longest, a line that begins with a capital is an entry. */
const LEAST_SHORT = 2
const LEAST_ENTRIES = 4
const FINAL_MARK = /[.!?…:;。！？]["'”’)\]」』]*$/

/** Whether the writer of a paragraph broke its lines, as in a list without marks: the next word would have fitted at every break. */
export function isBrokenByWriter(lines: readonly string[]): boolean {
  const longest = Math.max(...lines.map(({ length }) => length))
  // No program breaks before half of the line is full.
  const short = lines.slice(0, -1).filter(({ length }) => length < longest / 2).length
  const isRagged = short > 0
  // `250 g Mehl, 125 g Butter, 1 Ei`: no program wraps text that short.
  const isNarrow = longest <= LONGEST_ENTRY && lines.length >= LEAST_ENTRIES
  return lines.every((line, i) => {
    if (MARKED.test(line)) return false
    const next = lines[i + 1]
    if (next === undefined) return true
    const [word = ''] = next.trimStart().split(' ')
    const written = line.trimEnd()
    if (GOES_ON.test(written) || (!isRagged && written.length > LONGEST_ENTRY && !FINAL_MARK.test(written)))
      return false
    const isEntry = (short >= LEAST_SHORT || isNarrow) && /^[\p{Lu}\d]/u.test(word)
    return isEntry || line.length + 1 + word.length <= longest || line.length === longest
  })
}
