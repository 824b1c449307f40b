/** The text on one line: every run of whitespace becomes one space. */
export function collapseWhitespace(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
